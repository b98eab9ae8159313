import { expect, test } from 'vitest'
import type { FieldPath } from '../../field-path.ts'
import type { JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'

type Edit = (object: KrmObject) => void

const set =
  (path: FieldPath, value: JsonValue): Edit =>
  (object) =>
    object.set(path, value)
const remove =
  (path: FieldPath): Edit =>
  (object) =>
    object.delete(path)
const move =
  (path: FieldPath, from: number, to: number): Edit =>
  (object) =>
    object.move(path, from, to)

function edited(text: string, ...edits: readonly Edit[]): string {
  const object = KrmObject.fromDocument(text)
  for (const edit of edits) edit(object)
  return object.toText()
}

const crlf = (text: string) => text.replaceAll('\n', '\r\n')

test.each<[string, string, readonly Edit[], string]>([
  ['behind the last', 'a:\n  b: 1 # one\n  # below\n', [set(['a', 'c'], 2)], 'a:\n  b: 1 # one\n  c: 2\n  # below\n'],
  [
    'behind the comments of the last that are deeper',
    'a:\n  b:\n    c: 1\n    # deep\nd: 2\n',
    [set(['a', 'e'], 3)],
    'a:\n  b:\n    c: 1\n    # deep\n  e: 3\nd: 2\n',
  ],
  ['several in their order', 'a:\n  b: 1\n', [set(['a', 'd'], 2), set(['a', 'c'], 3)], 'a:\n  b: 1\n  d: 2\n  c: 3\n'],
  ['behind a last one that changes', 'a:\n  b: 1\n', [set(['a', 'b'], { x: 1 }), set(['a', 'c'], 3)], 'a:\n  b:\n    x: 1\n  c: 3\n'],
  ['at the root', 'a: 1\n', [set(['b'], 'x\ny\n')], 'a: 1\nb: |\n  x\n  y\n'],
  ['in a map that is empty', 'a: {} # why\n', [set(['a', 'b'], 1)], 'a: # why\n  b: 1\n'],
  ['in place of one that goes', 'a:\n  b: 1 # one\n', [remove(['a', 'b']), set(['a', 'c'], 2)], 'a:\n  c: 2\n'],
])('a new entry is written %s', (_, text, edits, expected) => {
  expect(edited(text, ...edits)).toBe(expected)
  expect(edited(crlf(text), ...edits)).toBe(crlf(expected))
})

test('a text of lines is no block at the end of a text without a line break: its own last one would go', () => {
  expect(edited('a: 1', set(['b'], 'x\ny\n'))).toBe('a: 1\nb: "x\\ny\\n"')
})

test.each<[string, string, readonly Edit[], string]>([
  ['behind the last', 'l:\n- x # one\n', [set(['l', 1], 'z')], 'l:\n- x # one\n- z\n'],
  ['first, before the comments of the first', 'l:\n# of x\n- x\n', [set(['l', 1], 'z'), move(['l'], 1, 0)], 'l:\n- z\n# of x\n- x\n'],
  ['between two', 'l:\n- x # one\n- z\n', [set(['l'], ['x', 'w', 'z'])], 'l:\n- x # one\n- w\n- z\n'],
  ['with the lines of a map', 'l:\n  - x\n', [set(['l', 1], { b: 1, c: [2] })], 'l:\n  - x\n  - b: 1\n    c:\n      - 2\n'],
  ['first in a list behind a dash', 'l:\n- - x\n  - z\n', [set(['l', 0], ['w', 'x', 'z'])], 'l:\n- - w\n  - x\n  - z\n'],
])('a new item is written %s', (_, text, edits, expected) => {
  expect(edited(text, ...edits)).toBe(expected)
  expect(edited(crlf(text), ...edits)).toBe(crlf(expected))
})

test.each<[string, string, readonly Edit[], string]>([
  ['an entry behind the last', 'a: {b: 1, c: 2} # why\n', [set(['a', 'd'], 3)], 'a: {b: 1, c: 2, d: 3} # why\n'],
  ['several entries', 'a: {b: 1}\n', [set(['a', 'd'], 3), set(['a', 'c'], { e: [] })], 'a: {b: 1, d: 3, c: {e: []}}\n'],
  ['an item behind the last', 'a: [1, 2]\n', [set(['a', 2], 3)], 'a: [1, 2, 3]\n'],
  ['an item before the first', 'a: [1, 2]\n', [set(['a'], [0, 1, 2])], 'a: [0, 1, 2]\n'],
  ['items before, between and behind', 'a: [1, 2]\n', [set(['a'], [0, 1, 5, 6, 2, 3])], 'a: [0, 1, 5, 6, 2, 3]\n'],
  ['an item for one that goes', 'a: [1, {b: 2}]\n', [remove(['a', 0]), set(['a', 1], 3)], 'a: [{b: 2}, 3]\n'],
  ['a change and a new entry at once', 'a: {b: 1}\n', [set(['a', 'b'], 2), set(['a', 'c'], 3)], 'a: {b: 2, c: 3}\n'],
  [
    'a change, a removal and a new entry at once',
    'a: {b: 1, c: 2}\n',
    [set(['a', 'b'], 2), remove(['a', 'c']), set(['a', 'd'], 4)],
    'a: {b: 2, d: 4}\n',
  ],
  ['a map in the place of a text', 'a: [x]\n', [set(['a', 0], { b: 1 })], 'a: [{b: 1}]\n'],
  ['an item that moves', 'a: [1, 2, 3]\n', [move(['a'], 2, 0)], 'a: [3, 1, 2]\n'],
])('in braces and brackets: %s', (_, text, edits, expected) => {
  expect(edited(text, ...edits)).toBe(expected)
})

test.each<[string, string, readonly Edit[], string]>([
  ['a new entry', '{"a": {"b": 1}}', [set(['a', 'c'], 'x')], '{"a": {"b": 1, "c": "x"}}'],
  ['a new value', '{"a": 1}', [set(['a'], { b: [true, null, 'yes'] })], '{"a": {"b": [true, null, "yes"]}}'],
  ['a new item', '{"a": [1]}', [set(['a', 1], 'x')], '{"a": [1, "x"]}'],
  ['a first entry', '{"a": {}}', [set(['a', 'b'], 1)], '{"a": {"b": 1}}'],
  ['an entry that goes', '{"a": 1, "b": 2}', [remove(['a'])], '{"b": 2}'],
  ['a text in quotes', '{"a": "x"}', [set(['a'], 'a "b"\n')], '{"a": "a \\"b\\"\\n"}'],
])('JSON stays JSON: %s', (_, text, edits, expected) => {
  const result = edited(text, ...edits)
  expect(JSON.parse(result)).toEqual(JSON.parse(expected))
  expect(result.replaceAll(/([:,]) /g, '$1')).toBe(expected.replaceAll(/([:,]) /g, '$1'))
})

test.each<[string, string, readonly Edit[], string]>([
  [
    'with their own comments',
    'l:\n# of x\n- x # one\n# of z\n- z # two\nb: 1\n',
    [move(['l'], 1, 0)],
    'l:\n# of z\n- z # two\n# of x\n- x # one\nb: 1\n',
  ],
  [
    'with the changes in them',
    'l:\n- a: 1 # one\n- a: 2 # two\n',
    [set(['l', 1, 'a'], 3), move(['l'], 1, 0)],
    'l:\n- a: 3 # two\n- a: 1 # one\n',
  ],
  ['beside a new one', 'l:\n- x # one\n- z # two\n', [move(['l'], 1, 0), set(['l', 2], 'w')], 'l:\n- z # two\n- x # one\n- w\n'],
  ['beside one that goes', 'l:\n- v\n- x # one\n- z # two\n', [move(['l'], 2, 1), remove(['l', 0])], 'l:\n- z # two\n- x # one\n'],
  ['at the end of a text without a line break', 'l:\n- x # one\n- z', [move(['l'], 1, 0)], 'l:\n- z\n- x # one'],
  ['behind a dash, written anew where they share its line', 'l:\n- - x\n  - z\n', [move(['l', 0], 1, 0)], 'l:\n- - z\n  - x\n'],
])('items that move go with their lines: %s', (_, text, edits, expected) => {
  expect(edited(text, ...edits)).toBe(expected)
  expect(edited(crlf(text), ...edits)).toBe(crlf(expected))
})

test('a block of text that moves up from the end of a text keeps that it has no last line break', () => {
  const result = edited('l:\n- x\n- |\n  z', move(['l'], 1, 0))
  expect(KrmObject.fromDocument(result).get(['l'])).toEqual(['z', 'x'])
})

test.each<[string, string, string]>([
  ['as the first list of the text is', 'a:\n  - x\nb: 1\n', 'a:\n  - x\nb:\n  - 1\n'],
  ['with the dash below the key without a list in the text', 'a: x\nb: 1\n', 'a: x\nb:\n- 1\n'],
  ['with the dash below the key if the first list has it there', 'a:\n- x\nc:\n  - z\nb: 1\n', 'a:\n- x\nc:\n  - z\nb:\n- 1\n'],
])('a new list is indented %s', (_, text, expected) => {
  expect(edited(text, set(['b'], [1]))).toBe(expected)
})

test('the root itself is replaced where nothing of it stays', () => {
  expect(edited('a: 1 # one\nb: 2\n', set([], { c: 3, d: [4] }))).toBe('c: 3\nd:\n- 4\n')
})
