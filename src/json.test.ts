import { expect, test } from 'vitest'
import {
  asList,
  asRecord,
  compactJson,
  equalJson,
  isJsonList,
  isJsonText,
  isRecord,
  type JsonValue,
  jsonString,
  listedTexts,
  lookup,
  memberOf,
  newRecord,
  parseJson,
  recordsOf,
  scalarText,
  textIn,
} from './json.ts'

const VALUES: readonly JsonValue[] = [null, 'a', 1, 2n, true, {}, []]

test('a map is a record, and null and lists are none', () => {
  expect(VALUES.filter(isRecord)).toEqual([{}])
  expect(isRecord(undefined)).toBe(false)
  expect(VALUES.filter(isJsonList)).toEqual([[]])
  expect(isJsonList(undefined)).toBe(false)
})

test('a value of another type is an empty map, an empty list', () => {
  expect(asRecord({ a: 1 })).toEqual({ a: 1 })
  expect([asRecord([1]), asRecord(undefined), asRecord('a')]).toEqual([{}, {}, {}])
  expect(asList([1])).toEqual([1])
  expect([asList({ a: 1 }), asList(undefined)]).toEqual([[], []])
  expect(recordsOf([{ a: 1 }, null, [], 'b'])).toEqual([{ a: 1 }])
})

test('a key of a prototype is missing, also in a new record', () => {
  expect([lookup({ a: 1 }, 'a'), lookup({ a: 1 }, 'b'), lookup({}, 'constructor'), lookup({ a: null }, 'a')]).toEqual([
    1,
    undefined,
    undefined,
    null,
  ])
  expect(newRecord().constructor).toBeUndefined()
})

test('a step of a path is a key of a map or a position of a list', () => {
  expect([memberOf({ a: 1 }, 'a'), memberOf({ 0: 'b' }, 0), memberOf(['c'], 0)]).toEqual([1, 'b', 'c'])
  expect([memberOf(['c'], 'length'), memberOf(['c'], 1), memberOf('text', 0), memberOf(undefined, 'a'), memberOf({}, 'toString')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test.each([
  { text: '{"a": 1}', isJson: true },
  { text: '\ufeff[1]', isJson: true },
  { text: 'a: 1', isJson: false },
  { text: '', isJson: false },
  { text: '[1]\ufeff', isJson: false },
])('%j is JSON', ({ text, isJson }) => {
  expect(isJsonText(text)).toBe(isJson)
})

test('JSON is read, and any other text is undefined', () => {
  expect([parseJson('[1, null]'), parseJson('null'), parseJson('[')]).toEqual([[1, null], null, undefined])
})

test('a JSON string escapes what some reader of YAML does not take', () => {
  expect(jsonString('a"\n')).toBe('"a\\"\\n"')
  expect(jsonString('\x7f\x85\u2028\u2029\ufeff\uffff')).toBe('"\\u007f\\u0085\\u2028\\u2029\\ufeff\\uffff"')
  expect(jsonString('é\u00a0\u{1f600}')).toBe('"é\u00a0\u{1f600}"')
})

test('scalars are texts, and all other values are none', () => {
  expect(VALUES.map(scalarText)).toEqual(['', 'a', '1', '2', 'true', '', ''])
  expect(scalarText(undefined)).toBe('')
  expect(listedTexts(['a', 1, null, {}])).toEqual(['a', '1', '', ''])
  expect([listedTexts('a'), listedTexts(undefined)]).toEqual([[], []])
  expect([textIn({ a: 'b' }, 'a'), textIn({ a: 1 }, 'a'), textIn({}, 'a'), textIn('b', 'a'), textIn([], 'length')]).toEqual([
    'b',
    '',
    '',
    '',
    '',
  ])
})

test.each<{ readonly a: JsonValue | undefined; readonly b: JsonValue | undefined; readonly expected: boolean }>([
  { a: { a: 1, b: 2 }, b: { b: 2, a: 1 }, expected: true },
  { a: { a: 1 }, b: { a: 1, b: 2 }, expected: false },
  { a: { a: 1, b: 2 }, b: { a: 1 }, expected: false },
  { a: { a: 1 }, b: { b: 1 }, expected: false },
  { a: { constructor: 1 }, b: { a: 1 }, expected: false },
  { a: [1, 2], b: [1, 2], expected: true },
  { a: [1, 2], b: [2, 1], expected: false },
  { a: [1], b: [1, 2], expected: false },
  { a: [1, 2], b: [1], expected: false },
  { a: [], b: {}, expected: false },
  { a: {}, b: [], expected: false },
  { a: {}, b: null, expected: false },
  { a: 1, b: 1n, expected: true },
  { a: Number.NaN, b: Number.NaN, expected: true },
  { a: 1, b: '1', expected: false },
  { a: '1', b: 1, expected: false },
  { a: undefined, b: undefined, expected: true },
  { a: undefined, b: null, expected: false },
])('$a and $b are equal: $expected', ({ a, b, expected }) => {
  expect(equalJson(a, b)).toBe(expected)
})

test('JSON on one line has large integers as numbers', () => {
  expect(compactJson({ a: [1, 'b'], c: 9007199254740993n })).toBe('{"a":[1,"b"],"c":9007199254740992}')
})
