import { expect, test } from 'vitest'
import { newRecord } from '../json.ts'
import type { Result } from '../result.ts'
import { checkedResults, findNotPlain, notPlainFault } from './plain-value.ts'

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

test('the fault of a part that is not plain has its whole path', () => {
  expect(notPlainFault(['spec', 'a.b'], { path: [0, 'c'], found: 'a Date' })).toEqual({
    rule: 'plain-json',
    path: ['spec', 'a.b', 0, 'c'],
    message: '`spec["a.b"][0].c` must be a value of JSON (a text, a finite number, true, false, null, a list or a map), got a Date',
  })
})

const RESULT: Result = { severity: 'info', message: 'm', tags: { rule: 'plain-json' } }
const PLAIN = 'must be a value of JSON (a text, a finite number, true, false, null, a list or a map)'

/** Returns the results of a function that was written without types. */
function reported(json: unknown): readonly Result[] {
  const results: Result[] = []
  Reflect.set(results, 0, RESULT)
  Reflect.set(results, 1, json)
  return checkedResults(results)
}

test.each([
  { result: null, message: '`results[1]` must be a result with severity, message and tags, got null' },
  { result: 'a', message: '`results[1]` must be a result with severity, message and tags, got a' },
  { result: { ...RESULT, severity: 'fatal' }, message: "`results[1].severity` must be one of 'error', 'warning', 'info', got 'fatal'" },
  { result: { ...RESULT, severity: undefined }, message: "`results[1].severity` must be one of 'error', 'warning', 'info', got undefined" },
  { result: { ...RESULT, message: 1 }, message: '`results[1].message` must be a text, got 1' },
  { result: { ...RESULT, message: {} }, message: '`results[1].message` must be a text, got a list or record' },
  { result: { ...RESULT, message: null }, message: '`results[1].message` must be a text, got null' },
  { result: { ...RESULT, message: new Date(0) }, message: '`results[1].message` must be a text, got a Date' },
  { result: { ...RESULT, tags: undefined }, message: '`results[1].tags.rule` must be a text, got undefined' },
  { result: { ...RESULT, tags: { rule: 1 } }, message: '`results[1].tags.rule` must be a text, got 1' },
  {
    result: { ...RESULT, field: { path: 'spec.a' } },
    message: "`results[1].field.path` must be a list of keys and positions, got 'spec.a'",
  },
  {
    result: { ...RESULT, field: { path: [], currentValue: { a: [new Date(0)] } } },
    message: `\`results[1].field.currentValue["a"][0]\` ${PLAIN}, got a Date`,
  },
  {
    result: { ...RESULT, field: { path: [], proposedValue: Number.NaN } },
    message: `\`results[1].field.proposedValue\` ${PLAIN}, got NaN`,
  },
])('a result that no host could read is an error: $message', ({ result, message }) => {
  expect(reported(result)).toEqual([RESULT, { severity: 'error', message, tags: { rule: 'plain-json' } }])
})

test.each([
  { ...RESULT },
  { ...RESULT, severity: 'warning' },
  { ...RESULT, severity: 'error', field: { path: [] } },
  { ...RESULT, field: { path: ['a', 0], currentValue: null, proposedValue: { a: [1n] } } },
])('a result that hosts can read stays', (result) => {
  const [, found] = reported(result)
  expect(found).toBe(result)
})
