import { expect, test } from 'vitest'
import { diffFields } from './field-diff.ts'

test.each([
  { reason: 'equal values differ nowhere, whatever their key order', before: { a: 1, b: [2] }, after: { b: [2], a: 1 }, expected: [] },
  { reason: 'a value', before: { a: { b: 1 } }, after: { a: { b: 2 } }, expected: [{ path: ['a', 'b'], before: 1, after: 2 }] },
  {
    reason: 'a new map shows each of its values',
    before: {},
    after: { a: { b: 1, c: 2 } },
    expected: [
      { path: ['a', 'b'], after: 1 },
      { path: ['a', 'c'], after: 2 },
    ],
  },
  { reason: 'a map that goes shows whole', before: { a: { b: 1 } }, after: {}, expected: [{ path: ['a'], before: { b: 1 } }] },
  { reason: 'a new empty map shows', before: {}, after: { a: {} }, expected: [{ path: ['a'], after: {} }] },
  {
    reason: 'lists entry by entry',
    before: [1, 2],
    after: [1, 3, 4],
    expected: [
      { path: [1], before: 2, after: 3 },
      { path: [2], after: 4 },
    ],
  },
  { reason: 'a shorter list', before: [1, 2], after: [1], expected: [{ path: [1], before: 2 }] },
  { reason: 'a map that becomes a list', before: { a: {} }, after: { a: [1] }, expected: [{ path: ['a'], before: {}, after: [1] }] },
  { reason: 'null is a value', before: { a: null }, after: { a: 1 }, expected: [{ path: ['a'], before: null, after: 1 }] },
  { reason: 'ordinary keys', before: {}, after: JSON.parse('{"__proto__": 1}'), expected: [{ path: ['__proto__'], after: 1 }] },
])('$reason', ({ before, after, expected }) => {
  expect(diffFields(before, after, [])).toEqual(expected)
})
