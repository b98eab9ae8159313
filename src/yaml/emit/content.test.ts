import { expect, test } from 'vitest'
import { linkAliases } from '../read/alias-targets.ts'
import type { MapNode, ScalarNode } from '../read/node.ts'
import { readYaml } from '../read/yaml-reader.ts'
import {
  Copied,
  copied,
  copiedEntries,
  copiedItems,
  emitCopiedKey,
  emitCopiedScalar,
  emitTag,
  isContentList,
  isContentRecord,
} from './content.ts'

/** Returns the map of a text. */
function mapOf(text: string): MapNode {
  const root = readYaml(text)
  linkAliases(root)
  if (root.type !== 'map') throw new Error(`no map: ${text}`)
  return root
}

/** Returns the scalar that is the value of the key `a`. */
function scalarOf(text: string): ScalarNode {
  const value = mapOf(text).entries[0]?.value
  if (value?.type !== 'scalar') throw new Error(`no scalar: ${text}`)
  return value
}

test('content is a list, a record, or neither', () => {
  const copy = copied(mapOf('{a: 1}'))
  const contents = [[], {}, copy, 'a', 1, null]
  expect(contents.map(isContentList)).toEqual([true, false, false, false, false, false])
  expect(contents.map(isContentRecord)).toEqual([false, true, false, false, false, false])
})

test.each([
  ['a: x', 'x'],
  ['a: 0x10', '0x10'],
  ['a: yes', 'yes'],
  ["a: 'x'", "'x'"],
  ['a: "x"', '"x"'],
  ['a: "x\\ty"', '"x\\ty"'],
  ['a:', 'null'],
  ['a: ""', '""'],
  ['a: !t', '!t'],
  ['a: !t x', '!t x'],
  ["a: !t 'x'", "!t 'x'"],
  ['a: !t ""', '!t ""'],
  ['a: !!str 1', '!!str 1'],
  ['a: !<tag:example.com,2000:b> x', '!<tag:example.com,2000:b> x'],
  ['a: one\n  two', 'one two'],
  ['a: |\n  x\n  y\n', '|\n    x\n    y'],
])('the scalar of %j is copied as %j', (text, expected) => {
  expect(emitCopiedScalar(scalarOf(text), 4)).toBe(expected)
})

test.each([
  ['k: 1', 'k'],
  ["'k': 1", "'k'"],
  ['? \n: 1', '""'],
  ['"": 1', '""'],
  ['1: 1', '1'],
])('the key of %j is copied as %j', (text, expected) => {
  const key = mapOf(text).entries[0]?.key
  expect(key && emitCopiedKey(key)).toBe(expected)
})

test.each([
  ['tag:yaml.org,2002:str', '!!str'],
  ['!local', '!local'],
  ['!', '!'],
  ['!my-tag_2', '!my-tag_2'],
  ['!a.b', '!<!a.b>'],
  ['tag:example.com,2000:a', '!<tag:example.com,2000:a>'],
  ['x!local', '!<x!local>'],
])('the tag %s is written %s', (tag, expected) => {
  expect(emitTag(tag)).toBe(expected)
})

test('a copied map has the last of repeated keys, and what its merge key brings in', () => {
  const text = 'b: &b {p: 1, q: 2}\na: {<<: *b, q: 3, r: 4, r: 5}\n'
  const map = mapOf(text).entries[1]?.value
  const entries = map?.type === 'map' ? copiedEntries(map) : []
  expect(entries.map(({ key, value }) => [key.text, value instanceof Copied && value.node.type === 'scalar' && value.node.text])).toEqual([
    ['p', '1'],
    ['q', '3'],
    ['r', '5'],
  ])
})

test('a copied list has its items', () => {
  const list = mapOf('a: [x, {y: 1}]').entries[0]?.value
  const items = list?.type === 'sequence' ? copiedItems(list) : []
  expect(items.map((item) => item instanceof Copied && item.node.type)).toEqual(['scalar', 'map'])
})

test('an alias is copied as its value, and refused without one', () => {
  const [anchored, known] = mapOf('b: &b {p: 1}\na: *b\n').entries
  expect(known && copied(known.value)).toEqual(new Copied(anchored?.value.type === 'map' ? anchored.value : mapOf('{}')))
  const unknown = mapOf('a: *x').entries[0]?.value
  expect(() => unknown && copied(unknown)).toThrow(expect.objectContaining({ anchor: 'x', path: [] }))
  expect(() => copiedEntries(mapOf('<<: *x'))).toThrow(expect.objectContaining({ anchor: 'x', path: ['<<'] }))
})
