import { expect, test } from 'vitest'
import type { FieldPath } from '../../field-path.ts'
import { membersOf } from './members.ts'
import { changedPath, goneRuns, isInOrder, isKept, type Row, rewritten, rowsOf } from './rows.ts'
import { linkedRoot, treeAt } from './testing/linked-root.ts'
import { type EditedList, type EditTree, nodeOf } from './tree.ts'
import { treeAfter } from './tree-change.ts'

const LETTERS = 'abcdefgh'
const NEW = writtenFor(undefined)

/** Returns a new value, in the place of another one if there is one. */
function writtenFor(there: EditTree | undefined): EditTree {
  return { type: 'written', was: there && nodeOf(there), content: 'new' }
}

/** Returns the members of the list [a, b, c, …] of a length, and the rows in which these stand at some places: a dot is a new row. */
function listOf(length: number, places: string) {
  const letters = [...LETTERS].slice(0, length)
  const root = linkedRoot(`[${letters.join(', ')}]`)
  const items = [...places].map((place): EditTree => (place === '.' ? NEW : treeAt(root, LETTERS.indexOf(place))))
  const edited: EditedList = { type: 'edited-list', was: root, items }
  const members = membersOf(root)
  return { members, rows: rowsOf(edited, members) }
}

/** Returns the letters of rows, a dot for a new row. */
function lettersOf(rows: readonly Row[]): string {
  return rows.map((row) => (isKept(row) ? LETTERS[row.at] : '.')).join('')
}

test.each(['abc', 'cab', 'a.c', '.abc', 'abc.', 'b', '', 'ca.b'])('the rows %j of [a, b, c] have their new order', (places) => {
  const { rows, members } = listOf(3, places)
  expect(lettersOf(rows)).toBe(places)
  for (const row of rows) if (isKept(row)) expect(row.member).toBe(members[row.at])
})

test.each([
  ['abc', true],
  ['ac', true],
  ['a.c', true],
  ['.', true],
  ['', true],
  ['ba', false],
  ['a.cb', false],
  ['cab', false],
])('the rows %j are in the order of the text: %s', (places, expected) => {
  expect(isInOrder(listOf(3, places).rows)).toBe(expected)
})

test.each([
  ['cab', '.ab'],
  ['bca', 'bc.'],
  ['abc', 'abc'],
  ['c.ab', '..ab'],
  ['fabde', '.abde'],
])('of the rows %j, as many as possible keep their order: %j', (places, expected) => {
  expect(lettersOf(rewritten(listOf(6, places).rows))).toBe(expected)
})

test('a row that loses its place is written with its own value', () => {
  const [first] = rewritten(listOf(3, 'cab').rows)
  expect(first).toMatchObject({ at: undefined, key: undefined, tree: { type: 'written', content: { node: { text: 'c' } } } })
})

test.each([
  ['abcdef', []],
  ['abcdef.', []],
  ['adef', ['a [b-c] d']],
  ['cdef', [' [a-b] c']],
  ['abcd', ['d [e-f] ']],
  ['bdf', [' [a-a] b', 'b [c-c] d', 'd [e-e] f']],
  ['', [' [a-f] ']],
  ['a.....', ['a [b-f] ']],
])('without rows but %j, adjacent members go as one run, between its neighbours', (places, expected) => {
  const { members, rows } = listOf(6, places)
  const letter = (member: { readonly value: unknown } | undefined) =>
    member === undefined ? '' : LETTERS[members.findIndex(({ value }) => value === member.value)]
  const runs = goneRuns(members, rows).map(
    ({ before, first, last, after }) => `${letter(before)} [${letter(first)}-${letter(last)}] ${letter(after)}`,
  )
  expect(runs).toEqual(expected)
})

const SET = 'set'
const ROOT = linkedRoot('spec:\n  a: 1\n  b: {c: 2, d: 3}\nlist: [x, {y: 1}]\n')

test.each<[string, readonly (readonly [FieldPath, typeof SET | undefined])[], FieldPath | undefined]>([
  ['nothing', [], undefined],
  ['a value', [[['spec', 'b', 'c'], SET]], ['spec', 'b', 'c']],
  ['a new field', [[['spec', 'e'], SET]], ['spec', 'e']],
  ['a new field in a new map', [[['spec', 'e', 'f'], SET]], ['spec', 'e', 'f']],
  ['a field that goes', [[['spec', 'a'], undefined]], ['spec', 'a']],
  ['an item', [[['list', 0], SET]], ['list', 0]],
  ['a field of an item', [[['list', 1, 'y'], SET]], ['list', 1, 'y']],
  ['a new item', [[['list', 2], SET]], ['list', 2]],
  ['an item that goes', [[['list', 1], undefined]], ['list', 1]],
  ['the whole', [[[], SET]], []],
  [
    'two fields of one map',
    [
      [['spec', 'b', 'c'], SET],
      [['spec', 'b', 'd'], undefined],
    ],
    ['spec', 'b'],
  ],
  [
    'fields of two maps',
    [
      [['spec', 'a'], SET],
      [['list', 0], SET],
    ],
    [],
  ],
])('the path that holds every change: %s', (_, changes, expected) => {
  const tree = changes.reduce<EditTree>(
    (before, [path, change]) => treeAfter(before, path, (there) => (change === SET ? writtenFor(there) : undefined)) ?? before,
    ROOT,
  )
  expect(changedPath(tree, ROOT)).toEqual(expected)
})
