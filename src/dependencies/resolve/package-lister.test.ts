import { describe, expect, test } from 'vitest'
import type { ExternalIncompatibility } from './external-incompatibility.ts'
import { inProof, PackageLister, type SearchScope, TriedVersions, withAllKnown } from './package-lister.ts'
import type { Problem, RootRequirement, SolverRequirement } from './problem.ts'
import { tableProblem, type VersionTable } from './testing/table-problem.ts'
import { numbersIn } from './version-set.ts'

type Roots = Readonly<Record<string, string>>

/** Returns an incompatibility as a line: `a 0,1 requires b`, `root`, `a | b`. */
function lineOf({ cause }: ExternalIncompatibility): string {
  if (cause.type === 'requirement') return `${cause.package} ${numbersIn(cause.versions)} requires ${cause.requirement.wants}`
  return cause.type === 'root' ? cause.root.id : cause.exclusion.id
}

const linesOf = (externals: readonly ExternalIncompatibility[]) => externals.map(lineOf)

const listerOf = (universe: VersionTable, roots: Roots, exclusions?: readonly string[]) =>
  new PackageLister(tableProblem(universe, roots, exclusions))

/** Returns the incompatibilities of each version of a package, the first version first. */
function ofVersions(scope: SearchScope, lister: PackageLister, id: string): readonly (readonly string[])[] {
  const pkg = lister.packageOf(id)
  return pkg?.labels.map((_, version) => linesOf(scope.incompatibilitiesOf(pkg, version))) ?? []
}

/** Returns a problem in which some roots have other fields. */
const withRoots = (problem: Problem, changes: Readonly<Record<string, Partial<RootRequirement>>>): Problem => ({
  ...problem,
  roots: problem.roots.map((root) => ({ ...root, ...changes[root.id] })),
})

const TWO = { '2.0.0': [], '1.0.0': [] }

describe('the packages of a problem', () => {
  const universe = { c: { '2.0.0': ['d'], '1.0.0': ['e'] }, b: TWO, d: TWO, e: TWO, a: { '1.0.0': ['b'] }, x: TWO }

  test('are those that the roots lead to, by id, each with its order', () => {
    const lister = listerOf(universe, { one: 'c 2.0.0', two: 'a' })
    expect(lister.packages.map(({ id, order }) => `${order} ${id}`)).toEqual(['0 a', '1 b', '2 c', '3 d'])
    expect([lister.packageOf('c')?.labels, lister.packageOf('x')]).toEqual([['2.0.0', '1.0.0'], undefined])
  })

  test('have the requirements of the versions that something allows, each read once', () => {
    const problem = tableProblem({ ...universe, y: { '1.0.0': ['c 1.0.0'] } }, { one: 'c 2.0.0', two: 'y', three: 'c 2.0.0' })
    const asked: string[] = []
    const requirementsOf: Problem['requirementsOf'] = (id, version) => {
      asked.push(`${id} ${version}`)
      return problem.requirementsOf(id, version)
    }
    const lister = new PackageLister({ ...problem, requirementsOf })
    expect(asked.toSorted()).toEqual(['c 0', 'c 1', 'd 0', 'd 1', 'e 0', 'e 1', 'y 0'])
    expect([...(lister.packageOf('c')?.requirements.keys() ?? [])].toSorted()).toEqual([0, 1])
  })
})

describe('a package is fixed', () => {
  const fixedIn = (problem: Problem) => {
    const pkg = new PackageLister(problem).packageOf('a')
    return [pkg?.fixedBy?.id, pkg?.fixedVersion]
  }

  test('by the first root that allows one version of it alone', () => {
    expect(fixedIn(tableProblem({ a: TWO }, { two: 'a 2.0.0', one: 'a 1.0.0' }))).toEqual(['one', 0b10n])
    expect(fixedIn(tableProblem({ a: { '1.0.0': [] } }, { one: 'a' }))).toEqual(['one', 0b1n])
  })

  test('not by a root with two versions, two choices or none, by an optional one, or by one that is asked last', () => {
    const single = tableProblem({ a: TWO, b: TWO }, { one: 'a 1.0.0' })
    const free = [
      tableProblem({ a: TWO }, { one: 'a' }),
      tableProblem({ a: TWO, b: TWO }, { one: 'a 1.0.0 | b 1.0.0' }),
      tableProblem({ a: TWO }, { one: 'a? 1.0.0' }),
      withRoots(single, { one: { isLast: true } }),
    ]
    expect(free.map(fixedIn)).toEqual(Array(4).fill([undefined, 0n]))
    expect(new PackageLister(withRoots(single, { one: { anyOf: [] } })).packages).toEqual([])
  })
})

describe('the given incompatibilities', () => {
  test('are the roots by id, the requirements of fixed versions, and the exclusions', () => {
    const universe = { a: { '2.0.0': ['c'], '1.0.0': ['b'] }, b: { '1.0.0': ['c'] }, c: TWO }
    const lister = listerOf(universe, { two: 'c', one: 'a 1.0.0' }, ['a | b'])
    expect(linesOf(lister.given())).toEqual(['one', 'two', 'a 1 requires b', 'a | b'])
    expect(lister.given().map(({ given }) => given)).toEqual([true, true, true, true])
  })

  test('are none that no choice can violate', () => {
    const lister = listerOf({ a: TWO, b: TWO, c: TWO }, { one: 'a?', two: 'b', three: 'a 9.0.0 | b' }, ['b | b 9.0.0'])
    expect(linesOf(lister.given())).toEqual(['three', 'two'])
  })

  test('have no exclusion of a package that the roots do not lead to', () => {
    expect(linesOf(listerOf({ a: TWO, b: TWO, c: TWO }, { one: 'a', two: 'b' }, ['a | c', 'c | a', 'b | a', 'a | b']).exclusions)).toEqual([
      'a | b',
      'b | a',
    ])
  })
})

describe('the incompatibilities of a version', () => {
  test('are its requirements by their words, then the exclusions whose first package is its own', () => {
    const universe = { a: { '2.0.0': ['c', 'b'], '1.0.0': [] }, b: TWO, c: TWO }
    const lister = listerOf(universe, { one: 'a', two: 'b' }, ['b | a', 'a | b'])
    expect(ofVersions(lister, lister, 'a')).toEqual([['a 0 requires b', 'a 0 requires c', 'a | b'], ['a | b']])
    expect(ofVersions(lister, lister, 'b')).toEqual([['b | a'], ['b | a']])
  })

  test('are one for all versions that require the same, and the same one each time', () => {
    const universe = { a: { '3.0.0': ['b'], '2.0.0': ['b 1.0.0'], '1.0.0': ['b'] }, b: TWO }
    const lister = listerOf(universe, { one: 'a' })
    expect(ofVersions(lister, lister, 'a')).toEqual([['a 0,2 requires b'], ['a 1 requires b 1.0.0'], ['a 0,2 requires b']])
    const a = lister.packageOf('a')
    const [first, last] = [0, 2].map((version) => a && lister.incompatibilitiesOf(a, version)[0])
    expect(first).toBe(last)
  })

  test('are apart for the version that a root fixes, and known in general for the others', () => {
    const lister = listerOf({ a: { '3.0.0': ['b'], '2.0.0': ['b'], '1.0.0': ['b'] }, b: TWO }, { one: 'a 2.0.0', two: 'a' })
    expect(ofVersions(lister, lister, 'a')).toEqual([['a 0,2 requires b'], ['a 1 requires b'], ['a 0,2 requires b']])
    const a = lister.packageOf('a')
    expect([0, 1].map((version) => a && lister.incompatibilitiesOf(a, version)[0]?.given)).toEqual([false, true])
  })

  test('are none that every choice meets', () => {
    const lister = listerOf({ a: { '1.0.0': ['b?', 'a', 'c'] }, b: TWO, c: TWO }, { one: 'a' })
    expect(ofVersions(lister, lister, 'a')).toEqual([['a 0 requires c']])
  })

  test('are apart where the words are the same and the choices are not', () => {
    const base = tableProblem({ a: { '2.0.0': ['b'], '1.0.0': ['b'] }, b: TWO, c: TWO }, { one: 'a', two: 'c' })
    const linesWith = (change: Partial<SolverRequirement>) => {
      const requirementsOf: Problem['requirementsOf'] = (id, version) =>
        base.requirementsOf(id, version).map((each) => (version === 1 ? { ...each, ...change } : { ...each }))
      const lister = new PackageLister({ ...base, requirementsOf })
      return ofVersions(lister, lister, 'a')
    }
    const apart = [['a 0 requires b'], ['a 1 requires b']]
    expect(linesWith({})).toEqual([['a 0,1 requires b'], ['a 0,1 requires b']])
    expect(linesWith({ optional: true, anyOf: [{ package: 'b', versions: 0b01n }] })).toEqual(apart)
    expect(linesWith({ anyOf: [{ package: 'c', versions: 0b11n }] })).toEqual(apart)
    expect(linesWith({ anyOf: [{ package: 'b', versions: 0b01n }] })).toEqual(apart)
    expect(
      linesWith({
        anyOf: [
          { package: 'b', versions: 0b11n },
          { package: 'c', versions: 0b11n },
        ],
      }),
    ).toEqual(apart)
    const twoChoices: Problem['requirementsOf'] = (id, version) => {
      const anyOf = [
        { package: 'b', versions: 0b11n },
        { package: 'c', versions: version === 1 ? 0b01n : 0b11n },
      ]
      return base.requirementsOf(id, version).map((each) => ({ ...each, anyOf }))
    }
    const ofTwo = new PackageLister({ ...base, requirementsOf: twoChoices })
    expect(ofVersions(ofTwo, ofTwo, 'a')).toEqual(apart)
    const onlyOptional: Problem['requirementsOf'] = (id, version) =>
      base.requirementsOf(id, version).map((each) => ({ ...each, optional: version === 1, anyOf: [{ package: 'b', versions: 0b01n }] }))
    const lister = new PackageLister({ ...base, requirementsOf: onlyOptional })
    expect(ofVersions(lister, lister, 'a')).toEqual(apart)
  })

  test('are each once, also where a version requires the same twice', () => {
    const lister = listerOf({ a: { '2.0.0': ['b', 'b'], '1.0.0': ['b'] }, b: TWO }, { one: 'a' })
    expect(ofVersions(lister, lister, 'a')).toEqual([['a 0,1 requires b'], ['a 0,1 requires b']])
  })

  test('are none for a version whose requirements nothing reached', () => {
    const lister = listerOf({ a: { '2.0.0': ['b'], '1.0.0': ['b'] }, b: TWO }, { one: 'a 1.0.0' })
    expect(ofVersions(lister, lister, 'a')).toEqual([[], ['a 1 requires b']])
  })
})

const UNIVERSE = { a: { '2.0.0': ['b'], '1.0.0': ['b', 'c'] }, b: TWO, c: TWO }

test('a scope of given incompatibilities has the requirements of all versions, and no other given ones', () => {
  const lister = listerOf({ ...UNIVERSE, d: { '1.0.0': ['c'] } }, { one: 'a', two: 'b', three: 'd' }, ['a | b'])
  const all = withAllKnown(lister, lister.given())
  expect(linesOf(all.roots)).toEqual(['one', 'three', 'two'])
  expect(ofVersions(all, lister, 'a')).toEqual([
    ['a 0,1 requires b', 'a | b'],
    ['a 0,1 requires b', 'a 1 requires c', 'a | b'],
  ])
  expect(ofVersions(all, lister, 'd')).toEqual([['d 0 requires c']])
  const few = withAllKnown(lister, lister.given().slice(0, 1))
  expect([linesOf(few.roots), ofVersions(few, lister, 'a'), ofVersions(few, lister, 'd')]).toEqual([
    ['one'],
    [['a 0,1 requires b'], ['a 0,1 requires b', 'a 1 requires c']],
    [[]],
  ])
})

test('the scope of a proof has the incompatibilities of the proof alone, at the versions that have them', () => {
  const lister = listerOf(UNIVERSE, { one: 'a', two: 'b' }, ['a | b'])
  const a = lister.packageOf('a')
  const known = a === undefined ? [] : lister.incompatibilitiesOf(a, 1)
  const proof = inProof([...lister.given().filter((each) => lineOf(each) !== 'two'), ...known.filter((each) => lineOf(each).endsWith('c'))])
  expect(linesOf(proof.roots)).toEqual(['one'])
  expect([ofVersions(proof, lister, 'a'), ofVersions(proof, lister, 'b')]).toEqual([
    [['a | b'], ['a | b', 'a 1 requires c']],
    [[], []],
  ])
})

describe('a scope that reads what is tried', () => {
  test('has the roots by id, each version apart, and the exclusions of a package', () => {
    const problem = tableProblem(UNIVERSE, { two: 'b', one: 'a', three: 'c?' }, ['b | a', 'a | b'])
    const scope = new TriedVersions(problem)
    expect(scope.roots.map((root) => [lineOf(root), root.given])).toEqual([
      ['one', true],
      ['two', true],
    ])
    const a = scope.roots[0]?.choices[0]?.package
    const b = scope.roots[1]?.choices[0]?.package
    if (a === undefined || b === undefined) throw new Error('the roots require a and b')
    expect([0, 1].map((version) => linesOf(scope.incompatibilitiesOf(a, version)))).toEqual([
      ['a 0 requires b', 'a | b'],
      ['a 1 requires b', 'a 1 requires c', 'a | b'],
    ])
    expect(linesOf(scope.incompatibilitiesOf(b, 0))).toEqual(['b | a'])
  })

  test('sorts the exclusions of a package by their ids', () => {
    const scope = new TriedVersions(tableProblem({ a: TWO, b: TWO, c: TWO }, { one: 'a' }, ['a | c', 'a | b']))
    const a = scope.roots[0]?.choices[0]?.package
    expect(a && linesOf(scope.incompatibilitiesOf(a, 0))).toEqual(['a | b', 'a | c'])
  })

  test('sorts the requirements of a version by their words, and leaves out those that every choice meets', () => {
    const scope = new TriedVersions(tableProblem({ a: { '1.0.0': ['c', 'b', 'a', 'b?'] }, b: TWO, c: TWO }, { one: 'a' }))
    const a = scope.roots[0]?.choices[0]?.package
    const found = a && scope.incompatibilitiesOf(a, 0)
    expect(found && linesOf(found)).toEqual(['a 0 requires b', 'a 0 requires c'])
    expect(found?.map(({ given }) => given)).toEqual([false, false])
    expect(found?.[0]?.choices[0]?.package).toBe(found?.[0]?.terms[1]?.package)
  })
})
