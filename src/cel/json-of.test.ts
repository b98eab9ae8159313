import { expect, test } from 'vitest'
import { LimitExceeded, MAX_WORK, spend } from './budget.ts'
import { jsonOf } from './json-of.ts'
import { type CelValue, Duration, OptionalValue, Timestamp, typeValue, Uint } from './value.ts'

test.each<[string, CelValue, unknown]>([
  ['null', null, null],
  ['a bool', false, false],
  ['a text', 'a', 'a'],
  ['an int', 9007199254740993n, 9007199254740993n],
  ['a uint', new Uint(2n), 2n],
  ['a double', 1.5, 1.5],
  ['what is no number of JSON as text', [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], ['NaN', '+Inf', '-Inf']],
  ['a time as text', new Timestamp(1_000_000_000n, 0), '1970-01-01T00:00:01Z'],
  ['a duration as text', new Duration(1_500_000_000n), '1.5s'],
  ['a type by its name', typeValue('int'), 'int'],
  ['bytes in base64', new Uint8Array([0, 255, 97]), 'AP9h'],
  ['no bytes', new Uint8Array(), ''],
  ['many bytes', new Uint8Array(9000).fill(97), 'YWFh'.repeat(3000)],
  ['a list', [1n, ['a']], [1n, ['a']]],
  [
    'a map, keys as text',
    new Map<CelValue, CelValue>([
      ['a', [1n]],
      [2n, true],
      [false, null],
    ]),
    { a: [1n], 2: true, false: null },
  ],
  ['an optional value as null', [new OptionalValue('a')], [null]],
])('a value of CEL is JSON: %s', (_, value, expected) => {
  expect(jsonOf(value)).toEqual(expected)
})

test('a key with the name of a prototype is a key', () => {
  const json = jsonOf(new Map([['__proto__', 'a']]))
  expect(Object.entries(json ?? {})).toEqual([['__proto__', 'a']])
})

/** Returns a list that has a value twice at each of some levels. */
const doubled = (value: CelValue, levels: number) => Array.from({ length: levels }).reduce<CelValue>((inner) => [inner, inner], value)

test.each<[string, CelValue]>([
  ['texts', doubled('a'.repeat(100_000), 12)],
  ['bytes', doubled(new Uint8Array(100_000), 12)],
  ['lists', doubled(1n, 24)],
])('a value that is too large is refused: %s', (_, value) => {
  // The last twentieth of the account is enough to show that the value is paid for.
  spend(MAX_WORK * 0.95)
  expect(() => jsonOf(value)).toThrow(LimitExceeded)
})
