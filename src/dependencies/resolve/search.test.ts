import { describe, expect, test } from 'vitest'
import { PackageLister, type SearchScope, TriedVersions, withAllKnown } from './package-lister.ts'
import type { Problem, ProblemPackage, RootRequirement } from './problem.ts'
import { Search, type SearchResult, type SearchSettings } from './search.ts'
import { tableProblem, type VersionTable } from './testing/table-problem.ts'

/** Changes of packages and root requirements, by id. */
interface Changes {
  readonly packages?: Readonly<Record<string, Partial<ProblemPackage>>>
  readonly roots?: Readonly<Record<string, Partial<RootRequirement>>>
}

function problemWith(problem: Problem, { packages = {}, roots = {} }: Changes): Problem {
  return {
    ...problem,
    roots: problem.roots.map((root) => ({ ...root, ...roots[root.id] })),
    packageOf: (id) => ({ ...problem.packageOf(id), ...packages[id] }),
  }
}

/** Returns the chosen versions in the order in which the search chose them, or the type of another result. */
function resultOf(result: SearchResult): readonly string[] | string {
  if (result.type !== 'solved') return result.type
  return [...result.versions].map(([{ id, labels }, version]) => `${id} ${labels[version]}`)
}

/** Searches in the versions that are tried. Returns the result, the decisions as `a 1.0.0`, and the versions that were read. */
function search(problem: Problem, { steps = 1_000, ...settings }: SearchSettings & { readonly steps?: number } = {}) {
  const lines: string[] = []
  const read: string[] = []
  const tried = new TriedVersions(problem)
  const scope: SearchScope = {
    roots: tried.roots,
    incompatibilitiesOf: (pkg, version) => {
      read.push(`${pkg.id} ${pkg.labels[version]}`)
      return tried.incompatibilitiesOf(pkg, version)
    },
  }
  const budget = { steps }
  const result = new Search(scope, budget, { log: (line) => lines.push(line), ...settings }).run()
  return {
    result: resultOf(result),
    decisions: lines.flatMap((line) => /decision: (.*)$/.exec(line)?.[1] ?? []),
    conflicts: lines.filter((line) => line.includes('conflict:')).length,
    read,
    lines,
    left: budget.steps,
  }
}

const THREE = { '3.0.0': [], '2.0.0': [], '1.0.0': [] }

describe('the version of a package', () => {
  const versionOfA = (changes: Changes, wanted = 'a', universe: VersionTable = { a: THREE }) =>
    search(problemWith(tableProblem(universe, { root: wanted }), changes)).result

  test('is the first of the list', () => {
    expect(versionOfA({})).toEqual(['a 3.0.0'])
    expect(versionOfA({}, 'a 2.0.0 1.0.0')).toEqual(['a 2.0.0'])
  })

  test('is the one to keep if it is left', () => {
    expect(versionOfA({ packages: { a: { keep: 2 } } })).toEqual(['a 1.0.0'])
    expect(versionOfA({ packages: { a: { keep: 2 } } }, 'a 3.0.0 2.0.0')).toEqual(['a 3.0.0'])
    expect(versionOfA({ packages: { a: { keep: 0 } } })).toEqual(['a 3.0.0'])
  })

  test('is the first of the list in spite of one to keep if the package rises, unless only a last root requires the package', () => {
    const rises = { a: { keep: 2, rises: true } }
    expect(versionOfA({ packages: rises })).toEqual(['a 3.0.0'])
    expect(versionOfA({ packages: rises, roots: { root: { isLast: true } } })).toEqual(['a 1.0.0'])
  })

  test('may rise again after the search went back behind a last root', () => {
    const universe = { a: THREE, b: { '2.0.0': ['a 1.0.0'], '1.0.0': ['a'] } }
    const problem = problemWith(tableProblem(universe, { one: 'b', two: 'a 3.0.0 2.0.0' }), {
      packages: { a: { keep: 1, rises: true } },
      roots: { two: { isLast: true } },
    })
    expect(search(problem).result).toEqual(['b 1.0.0', 'a 3.0.0'])
  })
})

describe('a requirement with several choices', () => {
  const universe = { a: { '1.0.0': ['x | y'] }, b: { '1.0.0': ['y'] }, x: { '1.0.0': [] }, y: { '2.0.0': [], '1.0.0': [] } }

  test('takes the first choice, after the packages that are needed anyway', () => {
    expect(search(tableProblem(universe, { one: 'a' })).result).toEqual(['a 1.0.0', 'x 1.0.0'])
    expect(search(tableProblem(universe, { one: 'x | y', two: 'b' })).result).toEqual(['b 1.0.0', 'y 2.0.0'])
  })

  test('is met by a chosen package at a version of the choice, and not at another one', () => {
    expect(search(tableProblem(universe, { one: 'a', two: 'y' })).result).toEqual(['a 1.0.0', 'y 2.0.0'])
    expect(search(tableProblem(universe, { one: 'y 1.0.0 | x', two: 'y 2.0.0' })).result).toEqual(['y 2.0.0', 'x 1.0.0'])
  })

  test('takes a choice that is derived without a decision', () => {
    const { result, decisions } = search(tableProblem({ x: {}, y: { '1.0.0': [] } }, { one: 'x | y' }))
    expect([result, decisions]).toEqual([['y 1.0.0'], []])
  })

  test('decides nothing where the choices are optional', () => {
    expect(search(tableProblem(universe, { one: 'x? | y' })).result).toEqual([])
  })
})

test('a root that is asked last is asked after all others, though it has one choice', () => {
  const universe = { a: { '1.0.0': [] }, b: { '1.0.0': ['c'] }, c: { '1.0.0': [] } }
  const problem = problemWith(tableProblem(universe, { one: 'a', two: 'b' }), { roots: { one: { isLast: true } } })
  expect(search(problem).result).toEqual(['b 1.0.0', 'c 1.0.0', 'a 1.0.0'])
})

test('a version that is the only one left is chosen without a decision', () => {
  const { decisions, result } = search(tableProblem({ a: THREE, b: THREE }, { one: 'a 2.0.0', two: 'b' }))
  expect([decisions, result]).toEqual([['b 3.0.0'], ['a 2.0.0', 'b 3.0.0']])
})

describe('the steps', () => {
  const problem = tableProblem({ a: { '1.0.0': ['b'] }, b: { '1.0.0': ['c'] }, c: THREE }, { one: 'a' })

  test('end the search when they are used up, and with more steps the search goes on', () => {
    const budget = { steps: 3 }
    const lister = new PackageLister(problem)
    const started = new Search(withAllKnown(lister, lister.given()), budget)
    expect([started.run(), budget.steps <= 0]).toEqual([{ type: 'exceeded' }, true])
    budget.steps = 100
    expect(resultOf(started.run())).toEqual(['a 1.0.0', 'b 1.0.0', 'c 3.0.0'])
  })

  test('are none: the search does not begin', () => {
    expect(search(problem, { steps: 0 }).result).toBe('exceeded')
  })

  test('are one for each question and for each incompatibility', () => {
    // Three incompatibilities, and of three packages each is asked twice: to read its requirements, and to choose.
    const { left } = search(problem)
    expect(Math.round(1_000 - left)).toBe(10)
  })
})

describe('conflicts', () => {
  test('are passed over by a search that reads a version just before it decides', () => {
    const universe = { a: { '3.0.0': ['c 1.0.0'], '2.0.0': ['c 1.0.0'], '1.0.0': [] }, c: { '2.0.0': [], '1.0.0': [] } }
    const found = search(tableProblem(universe, { one: 'c 2.0.0', two: 'a' }))
    expect(found).toMatchObject({ result: ['a 1.0.0', 'c 2.0.0'], conflicts: 0 })
  })

  /** A problem with a conflict for each of some packages: a version of a requires one that turns out to require the last version of a. */
  const withConflicts = (...names: readonly string[]) => {
    const first = names.map((name, i) => [`${9 - i}.0.0`, [`${name} 2.0.0`]] as const)
    const a = Object.fromEntries([...first, ['2.0.0', ['w']], ['1.0.0', []]])
    const others = Object.fromEntries(names.map((name) => [name, { '2.0.0': ['a 1.0.0'], '1.0.0': [] }]))
    return tableProblem({ a, ...others, w: { '2.0.0': [], '1.0.0': [] }, z: { '2.0.0': [], '1.0.0': [] } }, { one: 'a', two: 'z' })
  }

  test('end a search that may have at most a few of them', () => {
    const problem = withConflicts('b', 'c', 'd')
    expect(search(problem)).toMatchObject({ result: ['a 2.0.0', 'w 2.0.0', 'z 2.0.0'], conflicts: 3 })
    expect(search(problem, { mostConflicts: 3 }).result).toEqual(['a 2.0.0', 'w 2.0.0', 'z 2.0.0'])
    expect(search(problem, { mostConflicts: 2 }).result).toBe('exceeded')
  })

  test('make the search read only what it tries, before the third', () => {
    expect(search(withConflicts('b', 'c')).read).toEqual([
      ...['a 9.0.0', 'b 2.0.0', 'a 8.0.0', 'c 2.0.0', 'a 2.0.0'],
      ...['w 2.0.0', 'z 2.0.0'],
    ])
  })

  test('make the search read all versions that are left of needed packages after the third, also of those needed later', () => {
    expect(search(withConflicts('b', 'c', 'd')).read).toEqual([
      ...['a 9.0.0', 'b 2.0.0', 'a 8.0.0', 'c 2.0.0', 'a 7.0.0', 'd 2.0.0'],
      ...['a 2.0.0', 'a 1.0.0', 'z 2.0.0', 'z 1.0.0', 'w 2.0.0', 'w 1.0.0'],
    ])
  })
})
