import { expect, test } from 'vitest'
import { SolverPackage } from './external-incompatibility.ts'
import { boundTerm, fails, holds, type Incompatibility, PackageState, resolveTerms, valuesByPackage } from './incompatibility.ts'
import { beginningOf, levelOf, PartialSolution } from './partial-solution.ts'
import { firstVersions } from './version-set.ts'

const stateOf = (id: string, count = 2) =>
  new PackageState(new SolverPackage({ id, versions: Array.from({ length: count }, (_, i) => String(count - i)) }))
const REASON: Incompatibility = {
  terms: [],
  cause: { type: 'derived', number: 1, conflict: { terms: [], cause: rootCause() }, resolutions: [] },
}

function rootCause(): Incompatibility['cause'] {
  const external = { cause: { type: 'root', root: { id: 'r', text: 'r', anyOf: [] } }, given: true, terms: [], choices: [] } as const
  return { type: 'external', external }
}

test.each([2, 29, 30, 40])('a term of a package with %i versions holds, fails or is open', (count) => {
  const state = stateOf('a', count)
  const last = 1n << BigInt(count)
  const others = firstVersions(count)
  const open = boundTerm(state, last)
  expect([holds(open), fails(open)]).toEqual([false, false])
  state.values = last
  expect([holds(open), fails(open)]).toEqual([true, false])
  state.values = others
  expect([holds(open), fails(open)]).toEqual([false, true])
})

test('a resolution unites the values of the package that it is on, and intersects those of the others', () => {
  const [a, b, c] = [stateOf('a'), stateOf('b'), stateOf('c')]
  const terms = valuesByPackage({ terms: [boundTerm(a, 0b001n), boundTerm(b, 0b011n)], cause: rootCause() })
  const reason = { terms: [boundTerm(a, 0b010n), boundTerm(b, 0b110n), boundTerm(c, 0b100n)], cause: rootCause() }
  resolveTerms(terms, { on: a, reason })
  expect([...terms].map(([state, values]) => [state.package.id, values])).toEqual([
    ['a', 0b011n],
    ['b', 0b010n],
    ['c', 0b100n],
  ])
})

test('a term that allows every value after a resolution is dropped', () => {
  const [a, b] = [stateOf('a'), stateOf('b')]
  const terms = valuesByPackage({ terms: [boundTerm(a, 0b001n), boundTerm(b, 0b001n)], cause: rootCause() })
  resolveTerms(terms, { on: a, reason: { terms: [boundTerm(a, 0b110n)], cause: rootCause() } })
  expect([...terms.keys()]).toEqual([b])
})

test('a decision begins a level, a derivation stays on it, and a backjump takes back both', () => {
  const [a, b] = [stateOf('a'), stateOf('b')]
  const solution = new PartialSolution()
  solution.exclude(boundTerm(b, 0b100n), REASON)
  solution.decide(a, 0b001n)
  solution.exclude(boundTerm(b, 0b001n), REASON)
  solution.decide(b, 0b010n)
  expect([solution.level, a.values, b.values]).toEqual([2, 0b001n, 0b010n])
  expect(solution.trail.map(({ state, index, level, before, excluded }) => [state.package.id, index, level, before, excluded])).toEqual([
    ['b', 0, 0, 0b111n, 0b100n],
    ['a', 1, 1, 0b111n, 0b110n],
    ['b', 2, 1, 0b011n, 0b001n],
    ['b', 3, 2, 0b010n, 0n],
  ])
  solution.backjump(1)
  expect([solution.level, a.values, b.values, b.assignments.length]).toEqual([1, 0b001n, 0b010n, 2])
  solution.backjump(0)
  expect([solution.level, a.values, b.values, solution.trail.length]).toEqual([0, 0b111n, 0b011n, 1])
})

test('each package that lost values is handed out once, and none after a backjump', () => {
  const [a, b] = [stateOf('a'), stateOf('b')]
  const solution = new PartialSolution()
  solution.decide(a, 0b011n)
  solution.decide(a, 0b001n)
  solution.decide(b, 0b001n)
  expect([solution.takeChanged(), solution.takeChanged()]).toEqual([[a, b], []])
  solution.decide(a, 0b001n)
  expect(solution.takeChanged()).toEqual([a])
  solution.decide(b, 0b001n)
  solution.backjump(0)
  expect(solution.takeChanged()).toEqual([])
  solution.decide(b, 0b001n)
  expect(solution.takeChanged()).toEqual([b])
})

test('a package has only some values since the assignment that took the last other value', () => {
  const a = stateOf('a')
  const solution = new PartialSolution()
  solution.decide(a, 0b011n)
  solution.decide(a, 0b001n)
  expect([0b011n, 0b001n, 0b111n].map((values) => [beginningOf(a, values)?.index, levelOf(a, values)])).toEqual([
    [0, 1],
    [1, 2],
    [undefined, 0],
  ])
})
