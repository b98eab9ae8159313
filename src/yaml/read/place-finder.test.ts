import { expect, test } from 'vitest'
import type { FieldPath } from '../../field-path.ts'
import { walk } from './node.ts'
import { type FoundPlace, PlaceFinder, placeInTree } from './place-finder.ts'
import { readYaml } from './yaml-reader.ts'

const TEXT = `# c
metadata:
  name: web
  labels: {a: b}
  none:
list:
- x
- y: 1
  z:
    deep: 2
-
  - k
  - l
empty:
"quoted": "text"
block: |
  a: b
long: one
  two
indented:
  - m
numbers:
  1: one
`

/** Returns a place as its type, its key with what follows, and its value with what follows, each up to the end of the line. */
function shown(text: string, found: FoundPlace | undefined): unknown {
  if (found === undefined) return undefined
  const lineAt = (offset: number) => text.slice(offset, (text.indexOf('\n', offset) + 1 || text.length + 1) - 1)
  const { key, value, type } = found.place
  return [found.steps, type, key === undefined ? '' : lineAt(key), lineAt(value)]
}

const find = (path: FieldPath) => shown(TEXT, new PlaceFinder(TEXT, 'document').find(path))

test.each<[FieldPath, unknown]>([
  [[], [0, 'block', '', 'metadata:']],
  [['metadata'], [1, 'block', 'metadata:', 'name: web']],
  [
    ['metadata', 'name'],
    [2, 'scalar', 'name: web', 'web'],
  ],
  [
    ['metadata', 'labels'],
    [2, 'flow', 'labels: {a: b}', '{a: b}'],
  ],
  [
    ['metadata', 'none'],
    [2, 'scalar', 'none:', ''],
  ],
  [['list'], [1, 'block', 'list:', '- x']],
  [
    ['list', 0],
    [2, 'scalar', '', 'x'],
  ],
  [
    ['list', 1],
    [2, 'block', '', 'y: 1'],
  ],
  [
    ['list', 1, 'z', 'deep'],
    [4, 'scalar', 'deep: 2', '2'],
  ],
  [
    ['list', 2],
    [2, 'block', '', '- k'],
  ],
  [
    ['list', 2, 1],
    [3, 'scalar', '', 'l'],
  ],
  [['empty'], [1, 'scalar', 'empty:', '']],
  [['quoted'], [1, 'scalar', '"quoted": "text"', '"text"']],
  [['block'], [1, 'scalar', 'block: |', '|']],
  [['long'], [1, 'scalar', 'long: one', 'one']],
  [
    ['indented', 0],
    [2, 'scalar', '', 'm'],
  ],
  [
    ['numbers', 1],
    [2, 'scalar', '1: one', 'one'],
  ],
])('the place of %j', (path, expected) => {
  expect(find(path)).toEqual(expected)
})

test.each<[string, FieldPath, unknown]>([
  ['a missing key is its map', ['metadata', 'other', 'more'], [1, 'block', 'metadata:', 'name: web']],
  ['a missing root key is the root', ['other'], [0, 'block', '', 'metadata:']],
  ['a missing item is its list', ['list', 3], [1, 'block', 'list:', '- x']],
  ['a key of a list is the list', ['list', 'x'], [1, 'block', 'list:', '- x']],
  ['a field of a scalar is the scalar', ['metadata', 'name', 'x'], [2, 'scalar', 'name: web', 'web']],
  ['a key in the text of a block scalar is the scalar', ['block', 'a'], [1, 'scalar', 'block: |', '|']],
  ['a field of brackets needs nodes', ['metadata', 'labels', 'a'], undefined],
])('the place of %s', (_, path, expected) => {
  expect(find(path)).toEqual(expected)
})

test('places are found in any order', () => {
  const finder = new PlaceFinder(TEXT, 'document')
  const paths: readonly FieldPath[] = [['list', 2, 1], ['metadata', 'name'], ['list', 1, 'z', 'deep'], ['numbers', 1], ['list', 0], []]
  expect(paths.map((path) => shown(TEXT, finder.find(path)))).toEqual(paths.map(find))
})

test.each<['item' | 'entry', string, FieldPath, unknown]>([
  ['item', '  - a: 1\n    b:\n    - c\n', [], [0, 'block', '', 'a: 1']],
  ['item', '  - a: 1\n    b:\n    - c\n', ['b', 0], [2, 'scalar', '', 'c']],
  ['item', '-\n  a: 1\n', ['a'], [1, 'scalar', 'a: 1', '1']],
  ['item', '- {a: 1}\n', [], [0, 'flow', '', '{a: 1}']],
  ['item', '- {a: 1}\n', ['a'], undefined],
  ['entry', 'functionConfig:\n  a: 1\n', [], [0, 'block', '', 'a: 1']],
  ['entry', 'functionConfig:\n  a: 1\n', ['a'], [1, 'scalar', 'a: 1', '1']],
  ['entry', 'functionConfig:\n- a\n', [0], [1, 'scalar', '', 'a']],
  ['entry', 'functionConfig: [a]\n', [], [0, 'flow', '', '[a]']],
])('in the frame of an %s, places are those of the object within: %j %j', (frame, text, path, expected) => {
  expect(shown(text, new PlaceFinder(text, frame).find(path))).toEqual(expected)
})

test('a document in brackets has the place of the root alone', () => {
  const finder = new PlaceFinder('{"a": 1}', 'document')
  expect(shown('{"a": 1}', finder.find([]))).toEqual([0, 'flow', '', '{"a": 1}'])
  expect(finder.find(['a'])).toBeUndefined()
})

test('among nodes every place is the same as in the text, and those within brackets are known too', () => {
  const root = readYaml(TEXT)
  const paths = [...walk(root)].map(({ path }) => path)
  const outside = paths.filter((path) => path[1] !== 'labels' || path.length < 3)
  expect(outside.length).toBe(paths.length - 1)
  for (const path of outside) expect([path, shown(TEXT, placeInTree(root, path))]).toEqual([path, find(path)])
  expect(shown(TEXT, placeInTree(root, ['metadata', 'labels', 'a']))).toEqual([3, 'scalar', 'a: b}', 'b}'])
  expect(shown(TEXT, placeInTree(root, ['metadata', 'other', 'more']))).toEqual([1, 'block', 'metadata:', 'name: web'])
})

test('an alias is a place of its own, and a list in brackets is one', () => {
  const text = 'a: &x 1\nb: *x\nc: [1]\nd: {}\n'
  const root = readYaml(text)
  const type = (key: string) => placeInTree(root, [key]).place.type
  expect([type('a'), type('b'), type('c'), type('d'), placeInTree(root, ['b', 'x']).steps]).toEqual(['scalar', 'alias', 'flow', 'flow', 1])
})
