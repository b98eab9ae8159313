import { expect, test } from 'vitest'
import { copied, type EmittedValue } from '../emit/content.ts'
import { Meanings } from './meanings.ts'
import { linkedRoot, treeAt } from './testing/linked-root.ts'
import { EditedMap, type EditTree } from './tree.ts'

/** Returns true if two trees, the values of two YAML texts or plain values, have one meaning. */
function agree(a: string | EditTree, b: EmittedValue | EditTree, tags = false): boolean {
  const meanings = new Meanings({ tags })
  return meanings.of(typeof a === 'string' ? linkedRoot(a) : a) === (isTree(b) ? meanings.of(b) : meanings.ofContent(b))
}

function isTree(value: EmittedValue | EditTree): value is EditTree {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

test.each<[string, string, EmittedValue, boolean]>([
  ['a text and the same in quotes', "'x'", 'x', true],
  ['two spellings of a number', '0x10', 16, true],
  ['a number and a bigint', '1', 1n, true],
  ['a large number and its bigint', '18446744073709551615', 18446744073709551615n, true],
  ['NaN and NaN', '.nan', Number.NaN, true],
  ['a number and the text of its digits', "'1'", 1, false],
  ['a boolean and its text', "'true'", true, false],
  ['null and its text', "'null'", null, false],
  ['null and an empty text', '~', '', false],
  ['maps with their keys in another order', '{b: 1, a: 2}', { a: 2, b: 1 }, true],
  ['maps with other keys', '{a: 1}', { b: 1 }, false],
  ['maps with other values', '{a: 1}', { a: 2 }, false],
  ['a map and one with more', '{a: 1}', { a: 1, b: 2 }, false],
  ['lists in the same order', '[1, [2]]', [1, [2]], true],
  ['lists in another order', '[1, 2]', [2, 1], false],
  ['an empty map and an empty list', '{}', [], false],
  ['an empty list and the text of a bracket', '[]', '[', false],
  ['keys with quotes in them', `{'a":1': 2}`, { 'a":1': 2 }, true],
  ['one key and two that spell it together', `{'a":0,"b': x}`, { a: 'x', b: 'x' }, false],
  ['the last of repeated keys', '{a: 1, a: 2}', { a: 2 }, true],
])('equal values have equal numbers: %s', (_, text, content, expected) => {
  expect(agree(text, content)).toBe(expected)
})

test('an alias has the meaning of its value, a merge key that of the entries that it brings in', () => {
  const root = linkedRoot('b: &b {p: 1}\na: *b\nm: {<<: *b, q: 2}\n')
  expect([agree(treeAt(root, 'a'), { p: 1 }), agree(treeAt(root, 'm'), { p: 1, q: 2 })]).toEqual([true, true])
})

test('an alias without a value has the meaning of its name', () => {
  const root = linkedRoot('a: *x\nb: *x\nc: *y\n')
  expect([agree(treeAt(root, 'a'), treeAt(root, 'b')), agree(treeAt(root, 'a'), treeAt(root, 'c'))]).toEqual([true, false])
  expect(agree(treeAt(root, 'a'), '*x')).toBe(false)
})

test.each([
  ['!t x', '!t x', true, true],
  ['!t x', 'x', false, true],
  ['!t x', '!u x', false, true],
  ['!t {a: 1}', '{a: 1}', false, true],
  ['[!t x]', '[x]', false, true],
])('%s and %s have one meaning: %s if tags count, else %s', (a, b, tagged, untagged) => {
  expect([agree(a, linkedRoot(b), true), agree(a, linkedRoot(b))]).toEqual([tagged, untagged])
  expect([agree(a, copied(linkedRoot(b)), true), agree(a, copied(linkedRoot(b)))]).toEqual([tagged, untagged])
})

test('edited maps and lists have the meaning of what they will say', () => {
  const root = linkedRoot('{a: 1, b: 2}')
  const map = new EditedMap(root, root.type === 'map' ? root : undefined)
  map.set('c', { type: 'written', was: undefined, content: 3 })
  map.delete('a')
  const list: EditTree = { type: 'edited-list', was: undefined, items: [map, treeAt(root, 'a')] }
  expect([agree(map, { b: 2, c: 3 }), agree(list, [{ b: 2, c: 3 }, 1]), agree(list, [1, { b: 2, c: 3 }])]).toEqual([true, true, false])
})

test('a value that is asked for again has the number that it had', () => {
  const meanings = new Meanings({ tags: false })
  const numbers = ['x', 1, ['x'], 'x', 1, ['x'], 'z'].map((content) => meanings.ofContent(content))
  expect(numbers.slice(3, 6)).toEqual(numbers.slice(0, 3))
  expect(new Set(numbers).size).toBe(4)
})
