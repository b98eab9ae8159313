import { expect, test } from 'vitest'
import { satisfy } from './satisfy.ts'
import { tableProblem, type VersionTable } from './testing/table-problem.ts'

/** The sentences of the only part. */
function explanationOf(universe: VersionTable, roots: Readonly<Record<string, string>>, exclusions?: readonly string[]): readonly string[] {
  const [answer] = satisfy(tableProblem(universe, roots, exclusions), { maxSteps: 100_000 })
  if (answer?.outcome.type !== 'unsolvable') throw new Error('there is a solution')
  expect(answer.outcome.explanation.isSmallest).toBe(true)
  return answer.outcome.explanation.sentences
}

interface Row {
  readonly name: string
  readonly universe: VersionTable
  readonly roots: Readonly<Record<string, string>>
  readonly exclusions?: readonly string[]
  readonly sentences: readonly string[]
}

const ROWS: readonly Row[] = [
  {
    name: 'nothing is known',
    universe: {},
    roots: { root: 'a' },
    sentences: ['Because root requires a (no such version is known), there is no solution.'],
  },
  {
    name: 'no version is in the range',
    universe: { a: { '2.0.0': [], '1.0.0': [] } },
    roots: { root: 'a 3.0.0' },
    sentences: ['Because root requires a 3.0.0 (no such version is known), there is no solution.'],
  },
  {
    name: 'two facts',
    universe: { a: { '3.0.0': [], '2.0.0': [], '1.0.0': [] } },
    roots: { one: 'a 3.0.0 2.0.0', two: 'a 1.0.0', three: 'a' },
    sentences: ['Because one requires a 3.0.0 2.0.0 and two requires a 1.0.0, there is no solution.'],
  },
  {
    name: 'a linear conflict',
    universe: { foo: { '1.0.0': ['bar 2.0.0'] }, bar: { '2.0.0': ['baz 3.0.0'] }, baz: { '3.0.0': [], '1.0.0': [] } },
    roots: { one: 'foo', two: 'baz 1.0.0' },
    sentences: [
      'Because foo 1.0.0 requires bar 2.0.0 and bar 2.0.0 requires baz 3.0.0, foo 1.0.0 requires baz 3.0.0.',
      'And because one requires foo and two requires baz 1.0.0, there is no solution.',
    ],
  },
  {
    name: 'a branching conflict',
    universe: {
      foo: { '1.1.0': ['x', 'y 1.0.0'], '1.0.0': ['a', 'b 1.0.0'] },
      a: { '1.0.0': ['b 2.0.0'] },
      b: { '2.0.0': [], '1.0.0': [] },
      x: { '1.0.0': ['y 2.0.0'] },
      y: { '2.0.0': [], '1.0.0': [] },
    },
    roots: { root: 'foo' },
    sentences: [
      'Because a 1.0.0 requires b 2.0.0 and foo 1.0.0 requires b 1.0.0, a 1.0.0 and foo 1.0.0 cannot be used together.',
      'And because foo 1.0.0 requires a, foo 1.0.0 cannot be used. (1)',
      'Because foo 1.1.0 requires y 1.0.0 and x 1.0.0 requires y 2.0.0, foo 1.1.0 and x 1.0.0 cannot be used together.',
      'And because foo 1.1.0 requires x, foo 1.1.0 cannot be used.',
      'And because foo 1.0.0 cannot be used (1), no version of foo can be used.',
      'And because root requires foo, there is no solution.',
    ],
  },
  {
    name: 'versions that require the same are named together',
    universe: {
      a: { '5.0.0': ['b 2.0.0'], '4.0.0': ['b 2.0.0'], '3.0.0': ['b 2.0.0'], '2.0.0': ['b 1.0.0'], '1.0.0': ['b 2.0.0'] },
      b: { '2.0.0': [], '1.0.0': [] },
    },
    roots: { one: 'a 5.0.0 4.0.0 3.0.0 1.0.0', two: 'b 1.0.0' },
    sentences: [
      'Because two requires b 1.0.0 and a 1.0.0, 3.0.0 to 5.0.0 requires b 2.0.0, a 1.0.0, 3.0.0 to 5.0.0 cannot be used.',
      'And because one requires a 5.0.0 4.0.0 3.0.0 1.0.0, there is no solution.',
    ],
  },
  {
    name: 'alternatives',
    universe: { a: { '1.0.0': ['x | y 2.0.0'] }, x: { '1.0.0': ['nothing'] }, y: { '2.0.0': [], '1.0.0': [] } },
    roots: { one: 'a', two: 'y 1.0.0' },
    sentences: [
      'Because a 1.0.0 requires x | y 2.0.0 and x 1.0.0 requires nothing (no such version is known), a 1.0.0 requires y 2.0.0.',
      'And because one requires a and two requires y 1.0.0, there is no solution.',
    ],
  },
  {
    name: 'an optional requirement',
    universe: { a: { '1.0.0': ['b? 1.0.0'] }, b: { '2.0.0': [], '1.0.0': [] } },
    roots: { one: 'a', two: 'b 2.0.0' },
    sentences: [
      'Because two requires b 2.0.0 and a 1.0.0 goes only with b? 1.0.0, a 1.0.0 cannot be used.',
      'And because one requires a, there is no solution.',
    ],
  },
  {
    name: 'an exclusion',
    universe: { a: { '1.0.0': [] }, b: { '1.0.0': [] } },
    roots: { one: 'a', two: 'b' },
    exclusions: ['a | b'],
    sentences: [
      'Because two requires b and a and b exclude each other, a 1.0.0 cannot be used.',
      'And because one requires a, there is no solution.',
    ],
  },
  {
    name: 'an alternative that leads nowhere either way',
    universe: {
      a: { '2.0.0': [], '1.0.0': ['b 3.0.0'] },
      b: { '3.0.0': ['a 2.0.0'], '2.0.0': [], '1.0.0': ['a 1.0.0'] },
    },
    roots: { one: 'b 1.0.0 | a 1.0.0', two: 'a' },
    sentences: [
      'Because a 1.0.0 requires b 3.0.0 and b 3.0.0 requires a 2.0.0, a 1.0.0 cannot be used.',
      'And because one requires b 1.0.0 | a 1.0.0, b 1.0.0 is required.',
      'Because b 1.0.0 requires a 1.0.0 and a 1.0.0 requires b 3.0.0, b 1.0.0 cannot be used.',
      'Thus, there is no solution.',
    ],
  },
  {
    name: 'three in two places',
    universe: {
      a: { '2.0.0': ['left 1.0.0'], '1.0.0': ['right 1.0.0'] },
      b: { '2.0.0': ['left 2.0.0'], '1.0.0': ['right 2.0.0'] },
      c: { '2.0.0': ['left 3.0.0'], '1.0.0': ['right 3.0.0'] },
      left: { '3.0.0': [], '2.0.0': [], '1.0.0': [] },
      right: { '3.0.0': [], '2.0.0': [], '1.0.0': [] },
    },
    roots: { one: 'a', two: 'b', three: 'c' },
    sentences: [
      'Because b 2.0.0 requires left 2.0.0 and c 2.0.0 requires left 3.0.0, b 2.0.0 and c 2.0.0 cannot be used together.',
      'And because b 1.0.0 requires right 2.0.0 and c 1.0.0 requires right 3.0.0, every version of b and every version of c together require right 2.0.0 to 3.0.0.',
      'And because a 2.0.0 requires left 1.0.0 and a 1.0.0 requires right 1.0.0, every version of a, every version of b and every version of c together require left 1.0.0. (1)',
      'Because c 2.0.0 requires left 3.0.0 and c 1.0.0 requires right 3.0.0, every version of c requires left 3.0.0 or right 3.0.0.',
      'And because b 2.0.0 requires left 2.0.0 and b 1.0.0 requires right 2.0.0, every version of b and every version of c together require left 2.0.0 to 3.0.0.',
      'And because every version of a, every version of b and every version of c together require left 1.0.0 (1), every version of a, every version of b and every version of c cannot be used together.',
      'And because two requires b, every version of a and every version of c cannot be used together.',
      'And because one requires a and three requires c, there is no solution.',
    ],
  },
]

test.each(ROWS)('$name', ({ universe, roots, exclusions, sentences }) => {
  expect(explanationOf(universe, roots, exclusions)).toEqual(sentences)
})
