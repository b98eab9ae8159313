import { describe, expect, test } from 'vitest'
import { type BoundTerm, boundTerm, type Incompatibility, type PackageState } from './incompatibility.ts'
import { PackageLister } from './package-lister.ts'
import { PartialSolution } from './partial-solution.ts'
import { type Budget, KnownIncompatibilities, LOOK, propagate } from './propagation.ts'
import { packageState, ROOT_CAUSE } from './testing/package-state.ts'
import { tableProblem } from './testing/table-problem.ts'

// The values of a package are its versions 2 and 1, as the bits 0b01 and 0b10, and absent, 0b100.
const [TWO, ONE, ABSENT] = [0b001n, 0b010n, 0b100n]

const forbid = (...terms: readonly BoundTerm[]): Incompatibility => ({ terms, cause: ROOT_CAUSE })

/** Returns a search with nothing known, and four packages. */
function emptySearch() {
  const solution = new PartialSolution()
  const budget: Budget = { steps: 100 }
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => packageState(id))
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('there are four')
  return { solution, budget, known: new KnownIncompatibilities(solution, budget), a, b, c, d }
}

const valuesOf = (...states: readonly PackageState[]) => states.map(({ values }) => values)

describe('unit propagation', () => {
  test('takes from the last open term its values when all others hold, and goes on with what follows', () => {
    const { solution, budget, known, a, b, c } = emptySearch()
    known.add(forbid(boundTerm(a, TWO), boundTerm(b, ABSENT | ONE)))
    known.add(forbid(boundTerm(b, TWO), boundTerm(c, ABSENT)))
    expect(propagate(solution, budget)).toBeUndefined()
    expect(valuesOf(a, b, c)).toEqual([0b111n, 0b111n, 0b111n])
    solution.decide(a, TWO)
    expect(propagate(solution, budget)).toBeUndefined()
    expect(valuesOf(a, b, c)).toEqual([TWO, TWO, TWO | ONE])
    expect(solution.trail.map(({ state, reason }) => [state.package.id, reason?.terms[0]?.package.id])).toEqual([
      ['a', undefined],
      ['b', 'a'],
      ['c', 'b'],
    ])
  })

  test('makes no derivation where a term fails already', () => {
    const { solution, budget, known, a, b } = emptySearch()
    known.add(forbid(boundTerm(a, TWO), boundTerm(b, ABSENT)))
    solution.exclude(boundTerm(b, ABSENT), forbid())
    solution.decide(a, TWO)
    expect([propagate(solution, budget), solution.trail.length]).toEqual([undefined, 2])
  })

  test('makes no derivation while two terms are open, whichever of three hold first', () => {
    for (const first of [0, 1, 2]) {
      const { solution, budget, known, a, b, c } = emptySearch()
      const states = [a, b, c]
      known.add(forbid(...states.map((state) => boundTerm(state, TWO))))
      const [one, two, three] = [0, 1, 2].map((at) => states[(first + at) % 3])
      if (one === undefined || two === undefined || three === undefined) throw new Error('there are three')
      solution.decide(one, TWO)
      expect([propagate(solution, budget), two.values, three.values]).toEqual([undefined, 0b111n, 0b111n])
      solution.decide(two, TWO)
      expect([propagate(solution, budget), three.values]).toEqual([undefined, ONE | ABSENT])
    }
  })

  test('returns the incompatibility all of whose terms hold', () => {
    const { solution, budget, known, a, b } = emptySearch()
    const violated = forbid(boundTerm(a, TWO), boundTerm(b, TWO))
    known.add(violated)
    solution.decide(a, TWO)
    solution.decide(b, TWO)
    expect(propagate(solution, budget)).toBe(violated)
  })

  test('keeps watching after a conflict, so that it is found again', () => {
    const { solution, budget, known, a, b, c } = emptySearch()
    const [first, second] = [forbid(boundTerm(a, TWO), boundTerm(b, TWO)), forbid(boundTerm(a, TWO), boundTerm(c, TWO))]
    known.add(first)
    known.add(second)
    solution.decide(b, TWO)
    solution.decide(c, TWO)
    solution.takeChanged()
    solution.decide(a, TWO)
    expect(propagate(solution, budget)).toBe(first)
    solution.backjump(2)
    expect(valuesOf(a)).toEqual([0b111n])
    solution.decide(a, TWO)
    expect(propagate(solution, budget)).toBe(first)
    solution.backjump(0)
    solution.decide(c, TWO)
    expect(propagate(solution, budget)).toBeUndefined()
    expect(valuesOf(a)).toEqual([ONE | ABSENT])
  })

  test('takes a tenth of a step for each incompatibility that watches a package that lost values', () => {
    const { solution, budget, known, a, b, c } = emptySearch()
    for (const other of [b, c]) known.add(forbid(boundTerm(a, TWO), boundTerm(other, TWO)))
    known.add(forbid(boundTerm(b, ONE), boundTerm(c, ONE)))
    solution.decide(a, ONE)
    propagate(solution, budget)
    expect([LOOK, budget.steps]).toEqual([0.1, 100 - 2 * LOOK])
  })

  test('watches another package as soon as a watched term holds, and not the one that holds', () => {
    const { solution, budget, known, a, b, c, d } = emptySearch()
    known.add(forbid(...[a, b, c, d].map((state) => boundTerm(state, TWO))))
    solution.decide(a, TWO)
    propagate(solution, budget)
    expect([a, b, c, d].map(({ watches }) => watches.length)).toEqual([0, 1, 1, 0])
    solution.decide(c, TWO)
    propagate(solution, budget)
    expect([a, b, c, d].map(({ watches }) => watches.length)).toEqual([0, 1, 0, 1])
  })
})

describe('an incompatibility that is added', () => {
  test('makes its derivation at once if all terms but one hold', () => {
    const { solution, known, a, b, c } = emptySearch()
    solution.decide(a, TWO)
    known.add(forbid(boundTerm(a, TWO), boundTerm(b, ABSENT)))
    known.add(forbid(boundTerm(b, ABSENT), boundTerm(c, ABSENT)))
    expect([valuesOf(b, c), known.takeConflict()]).toEqual([[TWO | ONE, 0b111n], undefined])
  })

  test('makes no derivation if its open term fails already', () => {
    const { solution, known, a, b } = emptySearch()
    solution.exclude(boundTerm(b, ABSENT), forbid())
    solution.decide(a, TWO)
    known.add(forbid(boundTerm(a, TWO), boundTerm(b, ABSENT)))
    expect([solution.trail.length, known.takeConflict()]).toEqual([2, undefined])
  })

  test('is a conflict if all terms hold, and the first conflict is taken once', () => {
    const { solution, known, a } = emptySearch()
    solution.decide(a, TWO)
    const [first, second] = [forbid(boundTerm(a, TWO)), forbid(boundTerm(a, TWO | ONE))]
    known.add(first)
    known.add(second)
    expect([known.takeConflict() === first, known.takeConflict()]).toEqual([true, undefined])
  })

  test('watches the terms that do not hold, then those that began to hold last', () => {
    const { solution, known, a, b, c } = emptySearch()
    solution.decide(a, TWO)
    solution.decide(b, TWO)
    solution.decide(c, TWO)
    known.add(forbid(...[a, b, c].map((state) => boundTerm(state, TWO))))
    expect([a, b, c].map(({ watches }) => watches.length)).toEqual([0, 1, 1])
    const { solution: other, known: half, a: x, b: y, c: z } = emptySearch()
    other.decide(x, TWO)
    half.add(forbid(...[x, y, z].map((state) => boundTerm(state, TWO))))
    expect([x, y, z].map(({ watches }) => watches.length)).toEqual([0, 1, 1])
  })

  test('has a term of a package with one value only as the last to be watched', () => {
    const { solution, known, a, b } = emptySearch()
    const single = packageState('single', 0)
    solution.decide(a, TWO)
    known.add(forbid(boundTerm(single, 0b1n), boundTerm(a, TWO), boundTerm(b, TWO)))
    expect([single, a, b].map(({ watches }) => watches.length)).toEqual([0, 1, 1])
    expect(b.values).toBe(ONE | ABSENT)
  })

  test('makes its derivation again after a backjump if it still follows', () => {
    const { solution, budget, known, a, b, c } = emptySearch()
    solution.decide(a, TWO)
    solution.decide(c, TWO)
    known.add(forbid(boundTerm(a, TWO), boundTerm(b, ABSENT)))
    expect(b.values).toBe(TWO | ONE)
    solution.backjump(1)
    known.backjump(1)
    expect([b.values, solution.trail.at(-1)?.level]).toEqual([TWO | ONE, 1])
    solution.backjump(0)
    known.backjump(0)
    expect([b.values, propagate(solution, budget)]).toEqual([0b111n, undefined])
  })

  test('keeps the derivations of the level that a backjump goes to', () => {
    const { solution, known, a, b, c } = emptySearch()
    solution.decide(a, TWO)
    known.add(forbid(boundTerm(a, TWO), boundTerm(b, ABSENT)))
    solution.decide(c, TWO)
    solution.backjump(1)
    known.backjump(1)
    expect(solution.trail.map(({ state }) => state.package.id)).toEqual(['a', 'b'])
  })
})

test('an external incompatibility is added once, for one step', () => {
  const lister = new PackageLister(tableProblem({ a: { '2.0.0': [], '1.0.0': [] } }, { one: 'a 2.0.0' }))
  const { solution, budget, known } = emptySearch()
  known.addExternal(lister.roots)
  known.addExternal(lister.roots)
  const [a] = lister.packages
  if (a === undefined) throw new Error('a is there')
  expect([budget.steps, known.stateOf(a).values, solution.trail.length]).toEqual([99, TWO, 1])
  expect(solution.trail[0]?.reason?.cause).toEqual({ type: 'external', external: lister.roots[0] })
  expect(known.stateOf(a)).toBe(known.stateOf(a))
  expect(known.boundTerm({ package: a, values: TWO })).toMatchObject({ package: a, state: known.stateOf(a), values: TWO, low: 1 })
})
