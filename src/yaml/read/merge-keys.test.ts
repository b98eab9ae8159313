import { expect, test } from 'vitest'
import { linkAliases } from './alias-targets.ts'
import { entriesOf, mergedBy, mergedEntry, mergeOf, requireMerged } from './merge-keys.ts'
import { findEntry, type MapNode } from './node.ts'
import { nodeValue } from './node-value.ts'
import { readYaml } from './yaml-reader.ts'

const ANCHORS = 'x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz: &z {<<: *y, d: 5}\nl: &l [1]\nb: &b {<<: *none}\n'

/** Returns the map at the key `m` of a text that has the anchors x, y, z, l and b. */
function mapOf(m: string): MapNode {
  const root = readYaml(`${ANCHORS}m: ${m}\n`)
  linkAliases(root)
  const value = root.type === 'map' ? findEntry(root, 'm')?.value : undefined
  if (value?.type !== 'map') throw new Error('no map')
  return value
}

const written = (map: MapNode) => entriesOf(map).map(({ key, value }) => `${key.text} ${value.type === 'scalar' ? value.text : value.type}`)

test.each([
  ['one alias', '{<<: *x, d: 6}', ['a 1', 'b 2', 'd 6']],
  ['a list of aliases, of which the first counts', '{<<: [*x, *y]}', ['a 1', 'b 2', 'c 4']],
  ['a list in the other order', '{<<: [*y, *x]}', ['b 3', 'c 4', 'a 1']],
  ['own entries, which count more', '{b: 7, <<: *x}', ['a 1', 'b 7']],
  ['a merge key in the value', '{<<: *z}', ['b 3', 'c 4', 'd 5']],
  ['an empty list', '{<<: [], a: 1}', ['<< sequence', 'a 1']],
  ['a map in its place', '{<<: {a: 1}}', ['<< map']],
  ['a map among aliases', '{<<: [*x, {a: 1}]}', ['<< sequence']],
  ['a quoted key', '{"<<": *x}', ['<< alias']],
  ['an alias of a list', '{<<: *l, a: 1}', ['<< alias', 'a 1']],
  ['an alias without a value', '{<<: *none, a: 1}', ['<< alias', 'a 1']],
  ['an alias of a map whose merge key has no value', '{<<: *b, a: 1}', ['<< alias', 'a 1']],
  ['no merge key', '{a: 1}', ['a 1']],
])('a map with %s has these entries', (_, text, expected) => {
  expect(written(mapOf(text))).toEqual(expected)
})

test('the value of a merge key is an alias or a list of these', () => {
  const types = ['{<<: *x}', '{<<: [*x]}', '{<<: []}', '{<<: 1}', '{"<<": *x}', '{}'].map((text) => mergeOf(mapOf(text))?.type)
  expect(types).toEqual(['alias', 'sequence', undefined, undefined, undefined, undefined])
})

test.each([
  ['{<<: *none}', 'none'],
  ['{<<: *l}', 'l'],
  ['{<<: [*x, *none]}', 'none'],
  ['{<<: *b}', 'b'],
])('the value of %s is not known, and names the alias %s', (text, anchor) => {
  const map = mapOf(text)
  const merge = mergeOf(map)
  expect(merge && mergedBy(merge).unknown).toBe(anchor)
  expect(() => requireMerged(map, ['m'])).toThrow(expect.objectContaining({ anchor, path: ['m', '<<'] }))
})

test('what is known is read once', () => {
  const merge = mergeOf(mapOf('{<<: *x}'))
  expect(merge && mergedBy(merge)).toBe(merge && mergedBy(merge))
  expect(() => requireMerged(mapOf('{<<: *x}'), [])).not.toThrow()
  expect(() => requireMerged(mapOf('{a: 1}'), [])).not.toThrow()
})

test('an entry is found by its key among those that a merge key brings in', () => {
  const found = (key: string) => mergedEntry(mapOf('{<<: *x, c: 1}'), key)?.value
  const [a, c] = [found('a'), found('c')]
  expect([a && nodeValue(a), c]).toEqual([1, undefined])
  expect(mergedEntry(mapOf('{a: 1}'), 'a')).toBeUndefined()
})
