import { expect, test } from 'vitest'
import {
  compareFieldPaths,
  compareText,
  differing,
  type FieldPath,
  formatFieldPath,
  formatLastField,
  isAtOrBelow,
  pathKey,
} from './field-path.ts'
import type { JsonValue } from './json.ts'

test.each<{ readonly path: FieldPath; readonly whole: string; readonly last: string }>([
  { path: [], whole: '.', last: '.' },
  { path: ['spec'], whole: 'spec', last: 'spec' },
  { path: ['spec', 'targets', 0, 'template'], whole: 'spec.targets[0].template', last: 'template' },
  { path: ['spec', 'labelExprs', 0], whole: 'spec.labelExprs[0]', last: 'labelExprs[0]' },
  { path: ['metadata', 'annotations', 'kpt.dev/a'], whole: 'metadata.annotations["kpt.dev/a"]', last: 'annotations["kpt.dev/a"]' },
  { path: ['a b', 0], whole: '["a b"][0]', last: '["a b"][0]' },
  { path: [0, 'a-b_c1'], whole: '[0].a-b_c1', last: 'a-b_c1' },
  { path: ['-a'], whole: '["-a"]', last: '["-a"]' },
  { path: ['1a'], whole: '["1a"]', last: '["1a"]' },
  { path: ['_a', ''], whole: '_a[""]', last: '_a[""]' },
  { path: ['say "x"'], whole: '["say \\"x\\""]', last: '["say \\"x\\""]' },
])('a path as users read it: $whole, from its last field: $last', ({ path, whole, last }) => {
  expect([formatFieldPath(path), formatLastField(path)]).toEqual([whole, last])
})

test('the text of a path writes a position and a key in two ways', () => {
  expect(pathKey(['a', 0])).not.toBe(pathKey(['a', '0']))
  expect(pathKey(['a', 'b'])).not.toBe(pathKey(['a.b']))
})

test.each<{ readonly path: FieldPath; readonly field: FieldPath; readonly expected: boolean }>([
  { path: ['a', 'b'], field: ['a', 'b'], expected: true },
  { path: ['a', 'b', 0], field: ['a', 'b'], expected: true },
  { path: ['a'], field: ['a', 'b'], expected: false },
  { path: ['a', 'c'], field: ['a', 'b'], expected: false },
  { path: ['a'], field: [], expected: true },
])('$path is at or below $field: $expected', ({ path, field, expected }) => {
  expect(isAtOrBelow(path, field)).toBe(expected)
})

test('paths are compared step by step, positions as numbers, a shorter path first', () => {
  const sorted: readonly FieldPath[] = [[], ['a'], ['a', 2], ['a', 10], ['a', 'b'], ['a', 'b', 'c'], ['b']]
  expect(sorted.toReversed().toSorted(compareFieldPaths)).toEqual(sorted)
  expect(compareFieldPaths(['a', 1], ['a', 1])).toBe(0)
})

test('texts are compared by their units, the same on every machine', () => {
  expect(['b', 'a', 'B', 'ä', ''].toSorted(compareText)).toEqual(['', 'B', 'a', 'b', 'ä'])
  expect([compareText('a', 'a'), compareText('a', 'b'), compareText('b', 'a')]).toEqual([0, -1, 1])
})

test.each<{ readonly reason: string; readonly one: JsonValue; readonly other: JsonValue; readonly expected: readonly FieldPath[] }>([
  { reason: 'equal values', one: { a: [1] }, other: { a: [1] }, expected: [] },
  { reason: 'the deepest value', one: { a: { b: [1, 2] } }, other: { a: { b: [1, 3] } }, expected: [['a', 'b', 1]] },
  { reason: 'a key that only one has', one: { a: 1 }, other: { a: 1, b: 2 }, expected: [['b']] },
  { reason: 'a key that only the other has', one: { a: 1, b: 2 }, other: { a: 1 }, expected: [['b']] },
  { reason: 'lists of two lengths', one: { a: [1] }, other: { a: [1, 2] }, expected: [['a']] },
  { reason: 'a map and a list', one: { a: {} }, other: { a: [] }, expected: [['a']] },
  { reason: 'a list and a map', one: { a: [] }, other: { a: {} }, expected: [['a']] },
  { reason: 'several values', one: { a: 1, b: { c: 2 } }, other: { a: 2, b: { c: 3 } }, expected: [['a'], ['b', 'c']] },
])('the paths at which values differ: $reason', ({ one, other, expected }) => {
  expect(differing(one, other, [])).toEqual(expected)
})
