import { expect, test } from 'vitest'
import { jsonOf } from './json-of.ts'
import { type CelValue, Duration, isKind, joinBytes, kindOf, OptionalValue, Timestamp, typeValue, Uint } from './value.ts'

// The names of types are those of cel-spec: `type(x)` gives them.
test.each<[CelValue, string, unknown]>([
  [null, 'null_type', null],
  [true, 'bool', true],
  [1n, 'int', 1n],
  [new Uint(1n), 'uint', 1n],
  [1.5, 'double', 1.5],
  [Number.NaN, 'double', 'NaN'],
  ['a', 'string', 'a'],
  [new Uint8Array([97, 255]), 'bytes', 'Yf8='],
  [[1n, 'a'], 'list', [1n, 'a']],
  [
    new Map<CelValue, CelValue>([
      [1n, 'a'],
      [true, 'b'],
    ]),
    'map',
    { 1: 'a', true: 'b' },
  ],
  [new Timestamp(0n, 0), 'google.protobuf.Timestamp', '1970-01-01T00:00:00Z'],
  [new Duration(1_500_000_000n), 'google.protobuf.Duration', '1.5s'],
  [typeValue('int'), 'type', 'int'],
  [new OptionalValue(1n), 'optional_type', null],
])('%o is of the type %s, and in JSON %o', (value, kind, json) => {
  expect(kindOf(value)).toBe(kind)
  expect(jsonOf(value)).toEqual(json)
})

test('there is one value for each type, and only the names of types are types', () => {
  expect(typeValue('int')).toBe(typeValue('int'))
  expect(typeValue('int')).not.toBe(typeValue('uint'))
  expect([isKind('google.protobuf.Duration'), isKind('Duration'), isKind('integer')]).toEqual([true, false, false])
})

test('bytes are joined in their order', () => {
  expect([...joinBytes([new Uint8Array([1, 2]), new Uint8Array([]), new Uint8Array([3])])]).toEqual([1, 2, 3])
})
