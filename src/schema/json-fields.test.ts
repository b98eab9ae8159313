import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { JsonFields } from './json-fields.ts'

/** Returns a value that was read, and the messages about it. */
function reading<Value>(read: (fields: JsonFields) => Value): { readonly value: Value; readonly messages: readonly string[] } {
  const messages: string[] = []
  const value = read(new JsonFields('a plan', (message) => messages.push(message)))
  return { value, messages }
}

const HASH = /^[0-9a-f]{4}$/

test.each<{ readonly reason: string; readonly read: (fields: JsonFields) => JsonValue | undefined; readonly value: JsonValue }>([
  { reason: 'a map', read: (fields) => fields.record({ a: 1 }, 'f'), value: { a: 1 } },
  { reason: 'a list', read: (fields) => fields.list([1], 'f'), value: [1] },
  { reason: 'true', read: (fields) => fields.boolean(true, 'f'), value: true },
  { reason: 'false', read: (fields) => fields.boolean(false, 'f'), value: false },
  { reason: 'a text', read: (fields) => fields.text('', 'f'), value: '' },
  { reason: 'a hash', read: (fields) => fields.hash('12ab', 'f', HASH), value: '12ab' },
  { reason: 'the least number', read: (fields) => fields.count(2, 'f', 2), value: 2 },
  { reason: 'the greatest number', read: (fields) => fields.count(2 ** 53 - 1, 'f', 0), value: 2 ** 53 - 1 },
  { reason: 'one of the names', read: (fields) => fields.oneOf('b', 'f', ['a', 'b']), value: 'b' },
])('read: $reason', ({ read, value }) => {
  expect(reading(read)).toEqual({ value, messages: [] })
})

test.each<{
  readonly reason: string
  readonly read: (fields: JsonFields) => JsonValue | undefined
  readonly value: JsonValue | undefined
  readonly message: string
}>([
  { reason: 'a list for a map', read: (fields) => fields.record([], 'f'), value: {}, message: '`f` must be a map, got a list' },
  { reason: 'no map', read: (fields) => fields.record(undefined, 'f'), value: {}, message: '`f` must be a map' },
  { reason: 'a map for a list', read: (fields) => fields.list({}, 'f'), value: [], message: '`f` must be a list, got a map' },
  {
    reason: 'a text for a boolean',
    read: (fields) => fields.boolean('true', 'f'),
    value: false,
    message: "`f` must be true or false, got 'true'",
  },
  { reason: 'a number for a text', read: (fields) => fields.text(1, 'f'), value: '', message: '`f` must be a string, got the number 1' },
  {
    reason: 'a text that is no hash',
    read: (fields) => fields.hash('12AB', 'f', HASH),
    value: '',
    message: "`f` must be hexadecimal digits of a hash, got '12AB'",
  },
  {
    reason: 'a number for a hash',
    read: (fields) => fields.hash(1234, 'f', HASH),
    value: '',
    message: '`f` must be hexadecimal digits of a hash, got the number 1234',
  },
  {
    reason: 'a smaller number',
    read: (fields) => fields.count(1, 'f', 2),
    value: 2,
    message: '`f` must be a whole number from 2, got the number 1',
  },
  {
    reason: 'a fraction',
    read: (fields) => fields.count(1.5, 'f', 0),
    value: 0,
    message: '`f` must be a whole number from 0, got the number 1.5',
  },
  {
    reason: 'a number beyond 2^53',
    read: (fields) => fields.count(2 ** 53, 'f', 0),
    value: 0,
    message: '`f` must be a whole number from 0, got the number 9007199254740992',
  },
  {
    reason: 'a text for a number',
    read: (fields) => fields.count('3', 'f', 0),
    value: 0,
    message: "`f` must be a whole number from 0, got '3'",
  },
  {
    reason: 'another name',
    read: (fields) => fields.oneOf('c', 'f', ['a', 'b']),
    value: undefined,
    message: "`f` must be one of 'a', 'b', got 'c'",
  },
  {
    reason: 'a field name of two lines',
    read: (fields) => fields.text(null, 'a\nb'),
    value: '',
    message: '`a\\nb` must be a string, got null',
  },
])('a fault, with an empty value in its place: $reason', ({ read, value, message }) => {
  expect(reading(read)).toEqual({ value, messages: [message] })
})

test('keys that are not known are reported with their place and a near name', () => {
  expect(reading((fields) => fields.onlyKeys({ version: 1, pakages: 2 }, ['version', 'packages'])).messages).toEqual([
    "`pakages` must not be in a plan; did you mean 'packages'?",
  ])
  expect(reading((fields) => fields.onlyKeys({ frobnicate: 1 }, ['version'], 'steps[0].')).messages).toEqual([
    '`steps[0].frobnicate` must not be in a plan',
  ])
})
