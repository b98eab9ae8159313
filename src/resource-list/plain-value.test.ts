import { expect, test } from 'vitest'
import { newRecord } from '../json.ts'
import { findNotPlain } from './plain-value.ts'

class Team {}

const circle: { self?: unknown } = {}
circle.self = [circle]

test.each([
  { value: { a: [{ b: undefined }] }, found: { path: ['a', 0, 'b'], found: 'undefined' } },
  { value: { a: () => 1 }, found: { path: ['a'], found: 'a function' } },
  { value: Symbol('s'), found: { path: [], found: 'a symbol' } },
  { value: [new Date(0)], found: { path: [0], found: 'a Date' } },
  { value: { 'a.b': new Map([['c', 1]]) }, found: { path: ['a.b'], found: 'a Map' } },
  { value: new Set(['a']), found: { path: [], found: 'a Set' } },
  { value: new Team(), found: { path: [], found: 'a Team' } },
  { value: new Uint8Array(2), found: { path: [], found: 'a Uint8Array' } },
  { value: new String('a'), found: { path: [], found: 'a String' } },
  { value: { n: Number.NaN }, found: { path: ['n'], found: 'NaN' } },
  { value: -Infinity, found: { path: [], found: '-Infinity' } },
  // biome-ignore lint/suspicious/noSparseArray: a list with a hole is the case
  { value: ['a', , 'c'], found: { path: [1], found: 'undefined' } },
  { value: circle, found: { path: ['self', 0], found: 'a value that holds itself' } },
  { value: Promise.resolve(1), found: { path: [], found: 'a Promise' } },
])('$found.found at $found.path', ({ value, found }) => {
  expect(findNotPlain(value)).toEqual(found)
})

test('what JSON has is plain, records without a prototype and bigints too', () => {
  const record = newRecord()
  Object.defineProperty(record, '__proto__', { value: 'a key as any other', enumerable: true })
  const shared = { a: 1 }
  expect(findNotPlain([null, true, '', -0, 1e300, 2n ** 64n, {}, [], record, Object.create(null), [shared, shared]])).toBeUndefined()
})

test('nesting that no reader follows is no plain value', () => {
  const deep = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 'a')
  expect(findNotPlain(deep(90))).toBeUndefined()
  expect(findNotPlain(deep(5000))?.found).toBe('a value more than 100 levels deep')
})
