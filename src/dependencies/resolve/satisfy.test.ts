import { expect, test } from 'vitest'
import type { Problem } from './problem.ts'
import { satisfy } from './satisfy.ts'
import { tableProblem, type VersionTable } from './testing/table-problem.ts'

/** The answer of each part: its versions, the sentences of the explanation, or that there were too few steps. */
function answersTo(problem: Problem, maxSteps = 1_000_000): unknown[] {
  return satisfy(problem, { maxSteps }).map(({ outcome }) => {
    if (outcome.type === 'unsolvable') return outcome.explanation.sentences
    if (outcome.type === 'exceeded') return 'exceeded'
    return Object.fromEntries([...outcome.versions].map(([id, version]) => [id, problem.packageOf(id).versions[version]]))
  })
}

interface Row {
  readonly name: string
  readonly universe: VersionTable
  readonly roots: Readonly<Record<string, string>>
  readonly exclusions?: readonly string[]
  readonly expected: Readonly<Record<string, string>>
}

const ROWS: readonly Row[] = [
  // The four examples of PubGrub's description (dart-lang/pub, doc/solver.md).
  {
    name: 'no conflicts',
    universe: { foo: { '1.0.0': ['bar 1.0.0'] }, bar: { '2.0.0': [], '1.0.0': [] } },
    roots: { root: 'foo' },
    expected: { bar: '1.0.0', foo: '1.0.0' },
  },
  {
    name: 'avoiding conflict during decision making',
    universe: { foo: { '1.1.0': ['bar 2.0.0'], '1.0.0': [] }, bar: { '2.0.0': [], '1.1.0': [], '1.0.0': [] } },
    roots: { one: 'foo', two: 'bar 1.1.0 1.0.0' },
    expected: { bar: '1.1.0', foo: '1.0.0' },
  },
  {
    name: 'performing conflict resolution',
    universe: { foo: { '2.0.0': ['bar'], '1.0.0': [] }, bar: { '1.0.0': ['foo 1.0.0'] } },
    roots: { root: 'foo' },
    expected: { foo: '1.0.0' },
  },
  {
    name: 'conflict resolution with a partial satisfier',
    universe: {
      foo: { '1.1.0': ['left', 'right'], '1.0.0': [] },
      left: { '1.0.0': ['shared'] },
      right: { '1.0.0': ['shared 1.0.0'] },
      shared: { '2.0.0': [], '1.0.0': ['target 1.0.0'] },
      target: { '2.0.0': [], '1.0.0': [] },
    },
    roots: { one: 'foo', two: 'target 2.0.0' },
    expected: { foo: '1.0.0', target: '2.0.0' },
  },
  {
    name: 'a cycle holds itself, and nothing holds a cycle that no root requires',
    universe: { a: { '1.0.0': ['b'] }, b: { '1.0.0': ['a'] }, c: { '1.0.0': ['d'] }, d: { '1.0.0': ['c'] } },
    roots: { root: 'a' },
    expected: { a: '1.0.0', b: '1.0.0' },
  },
  {
    name: 'what is required is never made older to add or to spare a package',
    universe: { z: { '2.0.0': ['a'], '1.0.0': [] }, y: { '2.0.0': [], '1.0.0': ['b'] }, a: { '1.0.0': [] }, b: { '1.0.0': [] } },
    roots: { one: 'z', two: 'y' },
    expected: { a: '1.0.0', y: '2.0.0', z: '2.0.0' },
  },
  {
    name: 'of two packages that cannot both be at their highest, the one with the lesser id is',
    universe: { a: { '2.0.0': ['b 1.0.0'], '1.0.0': [] }, b: { '2.0.0': ['a 1.0.0'], '1.0.0': [] } },
    roots: { one: 'b', two: 'a' },
    expected: { a: '2.0.0', b: '1.0.0' },
  },
  {
    name: 'or: the first choice that can be had',
    universe: { a: { '1.0.0': ['x | y | z'] }, x: { '1.0.0': ['nothing'] }, y: { '1.0.0': [] }, z: { '1.0.0': [] } },
    roots: { root: 'a' },
    expected: { a: '1.0.0', y: '1.0.0' },
  },
  {
    name: 'or: a choice that is there anyway is enough',
    universe: { a: { '1.0.0': ['x | y'] }, b: { '1.0.0': ['y'] }, x: { '1.0.0': [] }, y: { '1.0.0': [] } },
    roots: { one: 'a', two: 'b' },
    expected: { a: '1.0.0', b: '1.0.0', y: '1.0.0' },
  },
  {
    name: 'or: one that is there in another version is not',
    universe: { a: { '1.0.0': ['y 2.0.0 | x'] }, b: { '1.0.0': ['y 1.0.0'] }, x: { '1.0.0': [] }, y: { '2.0.0': [], '1.0.0': [] } },
    roots: { one: 'a', two: 'b' },
    expected: { a: '1.0.0', b: '1.0.0', x: '1.0.0', y: '1.0.0' },
  },
  {
    name: 'an optional requirement adds nothing',
    universe: { a: { '1.0.0': ['b? 1.0.0'] }, b: { '2.0.0': [], '1.0.0': [] } },
    roots: { root: 'a' },
    expected: { a: '1.0.0' },
  },
  {
    name: 'an optional requirement holds when its package is there',
    universe: { a: { '1.0.0': ['b? 1.0.0'] }, b: { '2.0.0': [], '1.0.0': [] } },
    roots: { one: 'a', two: 'b' },
    expected: { a: '1.0.0', b: '1.0.0' },
  },
  {
    name: 'an exclusion',
    universe: { a: { '2.0.0': ['b'], '1.0.0': ['c'] }, b: { '1.0.0': [] }, c: { '1.0.0': [] }, d: { '1.0.0': [] } },
    roots: { one: 'a', two: 'd' },
    exclusions: ['b | d'],
    expected: { a: '1.0.0', c: '1.0.0', d: '1.0.0' },
  },
  // Found by fuzzing: a version that excludes itself was tried again after the search went back.
  {
    name: 'a version that requires another one of its own package',
    universe: {
      b: { '2.0.0': [], '1.0.0': ['b 2.0.0'] },
      c: { '4.0.0': [], '3.0.0': ['b'], '2.0.0': [], '1.0.0': [] },
      d: { '1.0.0': ['b'] },
    },
    roots: { one: 'd', two: 'c 3.0.0 2.0.0 1.0.0' },
    exclusions: ['c 4.0.0 3.0.0 2.0.0 | b 2.0.0'],
    expected: { b: '2.0.0', c: '1.0.0', d: '1.0.0' },
  },
]

test.each(ROWS)('$name', ({ universe, roots, exclusions, expected }) => {
  expect(merged(answersTo(tableProblem(universe, roots, exclusions)))).toEqual(expected)
})

function merged(answers: readonly unknown[]): unknown {
  return Object.assign({}, ...answers)
}

test('the version to keep comes first, as long as it can', () => {
  const problem = tableProblem({ a: { '3.0.0': [], '2.0.0': [], '1.0.0': [] } }, { one: 'a' })
  const keeping = (keep: number): Problem => ({ ...problem, packageOf: (id) => ({ ...problem.packageOf(id), keep }) })
  expect(answersTo(keeping(1))).toEqual([{ a: '2.0.0' }])
  const needsHigher = tableProblem({ a: { '3.0.0': [], '2.0.0': [], '1.0.0': [] } }, { one: 'a 3.0.0 1.0.0' })
  expect(answersTo({ ...needsHigher, packageOf: (id) => ({ ...needsHigher.packageOf(id), keep: 1 }) })).toEqual([{ a: '3.0.0' }])
})

test('parts that have nothing to do with each other have answers of their own, and an object that stays ties none together', () => {
  const universe = {
    a: { '2.0.0': ['fixed 2.0.0'], '1.0.0': ['fixed 2.0.0'] },
    b: { '2.0.0': ['fixed'], '1.0.0': [] },
    c: { '2.0.0': ['d'], '1.0.0': [] },
    d: { '1.0.0': [] },
    fixed: { '2.0.0': [], '1.0.0': [] },
  }
  expect(answersTo(tableProblem(universe, { one: 'fixed 1.0.0', two: 'c', three: 'a', four: 'b', five: 'b 1.0.0 2.0.0' }))).toEqual([
    { b: '2.0.0', fixed: '1.0.0' },
    [
      'Because three requires a and every version of a requires fixed 2.0.0, fixed 2.0.0 is required.',
      'And because one requires fixed 1.0.0, there is no solution.',
    ],
    { c: '2.0.0', d: '1.0.0' },
  ])
})

test('each version is asked once what it requires, and only when something may choose it', () => {
  const universe = { a: { '2.0.0': ['b 1.0.0'], '1.0.0': ['b 1.0.0'] }, b: { '2.0.0': ['c'], '1.0.0': [] }, c: { '1.0.0': [] } }
  const problem = tableProblem(universe, { root: 'a' })
  const asked: string[] = []
  const requirementsOf: Problem['requirementsOf'] = (id, version) => {
    asked.push(`${id} ${problem.packageOf(id).versions[version]}`)
    return problem.requirementsOf(id, version)
  }
  expect(answersTo({ ...problem, requirementsOf })).toEqual([{ a: '2.0.0', b: '1.0.0' }])
  expect(asked.sort()).toEqual(['a 1.0.0', 'a 2.0.0', 'b 1.0.0'])
})
