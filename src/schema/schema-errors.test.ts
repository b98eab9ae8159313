import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { Schema } from './schema.ts'
import { schemaErrors } from './schema-errors.ts'

/** Returns the keywords that a value does not fit, each with the path of the value and the key. */
function errors(schema: Schema, value: JsonValue): readonly string[] {
  return schemaErrors(value, schema).map(
    ({ keyword, path, key }) => `${formatFieldPath(path)} ${keyword}${key === undefined ? '' : ` ${key}`}`,
  )
}

const VALUES: readonly JsonValue[] = [null, 'a', 1, 1.5, 2n ** 60n, true, {}, []]

test.each<{ readonly type: NonNullable<Schema['type']>; readonly fits: readonly JsonValue[] }>([
  { type: 'string', fits: ['a'] },
  { type: 'integer', fits: [1] },
  { type: 'number', fits: [1, 1.5] },
  { type: 'boolean', fits: [true] },
  { type: 'object', fits: [{}] },
  { type: 'array', fits: [[]] },
  { type: ['integer', 'string'], fits: ['a', 1] },
])('the type $type takes $fits and nothing else', ({ type, fits }) => {
  expect(VALUES.filter((value) => errors({ type }, value).length === 0)).toEqual(fits)
  expect(errors({ type }, null)).toEqual(['. type'])
})

test('no type takes every value', () => {
  expect(VALUES.flatMap((value) => errors({}, value))).toEqual([])
})

test('a type that JSON Schema does not have is a bug of the schema', () => {
  // @ts-expect-error
  expect(() => errors({ type: 'text' }, 'a')).toThrow(
    'the type in a schema must be one of string, integer, number, boolean, object, array, got text',
  )
})

test.each<{ readonly reason: string; readonly schema: Schema; readonly value: JsonValue; readonly expected: readonly string[] }>([
  { reason: 'a constant', schema: { const: 'a' }, value: 'a', expected: [] },
  { reason: 'another text than the constant', schema: { const: 'a' }, value: 'b', expected: ['. const'] },
  { reason: 'an allowed value', schema: { enum: ['a', 'b'] }, value: 'b', expected: [] },
  { reason: 'no allowed value', schema: { enum: ['a', 'b'] }, value: 1, expected: ['. enum'] },
  { reason: 'the smallest number', schema: { minimum: 1 }, value: 1, expected: [] },
  { reason: 'a smaller number', schema: { minimum: 1 }, value: 0, expected: ['. minimum'] },
  { reason: 'the minimum is about numbers only', schema: { minimum: 1 }, value: '0', expected: [] },
  { reason: 'the shortest text', schema: { minLength: 2 }, value: 'ab', expected: [] },
  { reason: 'a shorter text', schema: { minLength: 2 }, value: 'a', expected: ['. minLength'] },
  { reason: 'characters beyond 16 bits count once', schema: { minLength: 2 }, value: '\u{1f600}', expected: ['. minLength'] },
  { reason: 'two characters beyond 16 bits', schema: { minLength: 2 }, value: '\u{1f600}\u{1f600}', expected: [] },
  { reason: 'a long text', schema: { minLength: 2 }, value: 'abcde', expected: [] },
  { reason: 'the length of a list is no length of a text', schema: { minLength: 2 }, value: [], expected: [] },
  { reason: 'a text of the pattern', schema: { pattern: '^a+$' }, value: 'aa', expected: [] },
  { reason: 'another text, also the second time', schema: { pattern: '^a+$' }, value: 'b', expected: ['. pattern'] },
  { reason: 'patterns are of Unicode', schema: { pattern: '^.$' }, value: '\u{1f600}', expected: [] },
  { reason: 'the shortest list', schema: { minItems: 1 }, value: ['a'], expected: [] },
  { reason: 'a shorter list', schema: { minItems: 1 }, value: [], expected: ['. minItems'] },
  { reason: 'the items of a list', schema: { items: { type: 'string' } }, value: ['a', 1, []], expected: ['[1] type', '[2] type'] },
  { reason: 'items without a schema', schema: { type: 'array' }, value: [1, 'a'], expected: [] },
  { reason: 'a key that must be set', schema: { required: ['a', 'b'] }, value: { b: 1 }, expected: ['. required a'] },
  { reason: 'a key that must be set and is null', schema: { required: ['a'] }, value: { a: null }, expected: [] },
  { reason: 'keys that are not described', schema: { properties: { a: { type: 'string' } } }, value: { a: 'b', c: 1 }, expected: [] },
  {
    reason: 'no other keys',
    schema: { properties: { a: { type: 'string' } }, additionalProperties: false },
    value: { a: 1, b: 1, c: 2 },
    expected: ['a type', '. additionalProperties b', '. additionalProperties c'],
  },
  {
    reason: 'a key of every object is no key of the schema',
    schema: { properties: {}, additionalProperties: false },
    value: { constructor: 1 },
    expected: ['. additionalProperties constructor'],
  },
  {
    reason: 'the values of other keys',
    schema: { properties: { a: {} }, additionalProperties: { type: 'string' } },
    value: { a: 1, b: 2 },
    expected: ['b type'],
  },
  {
    reason: 'fields at any depth, in the order of the text',
    schema: { properties: { a: { items: { properties: { b: { type: 'string' } }, required: ['c'] } } } },
    value: { a: [{ b: 1 }, { c: 1, b: 2 }] },
    expected: ['a[0] required c', 'a[0].b type', 'a[1].b type'],
  },
])('$reason', ({ schema, value, expected }) => {
  expect(errors(schema, value)).toEqual(expected)
  expect(errors(schema, value)).toEqual(expected)
})
