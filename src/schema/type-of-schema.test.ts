import { describe, expect, test } from 'vitest'
import { CelError } from '../cel/cel-error.ts'
import { formatType } from '../cel/check/types.ts'
import { compileTyped } from '../cel/program.ts'
import { celValue } from '../cel/variables.ts'
import type { JsonValue } from '../json.ts'
import { typeOfObjects, typeOfSchema } from './type-of-schema.ts'

const ZONE = { type: 'object', properties: { zone: { type: 'string' } } }

/**
 * Returns the type of an expression over `x`, whose values fit a schema; the first line of the error if the expression does not compile.
 */
function typeIn(schema: JsonValue, expression: string): string {
  try {
    return formatType(compileTyped(expression, new Map([['x', typeOfSchema(schema, 'x')]])).type)
  } catch (error) {
    if (error instanceof CelError) return error.message.split('\n')[0] ?? ''
    throw error
  }
}

test.each<{ schema: JsonValue; expression: string; type: string }>([
  { schema: { type: 'string' }, expression: 'x', type: 'string' },
  { schema: { type: 'integer' }, expression: 'x', type: 'int' },
  { schema: { type: 'boolean' }, expression: 'x', type: 'bool' },
  { schema: { type: 'number' }, expression: 'x', type: 'dyn' },
  { schema: { enum: ['a', 'b'] }, expression: 'x', type: 'string' },
  { schema: { enum: ['a', 1] }, expression: 'x', type: 'dyn' },
  { schema: { type: 'integer', enum: [1, 2] }, expression: 'x', type: 'int' },
  { schema: { type: ['string', 'integer'] }, expression: 'x', type: 'dyn' },
  { schema: { 'x-kubernetes-int-or-string': true, type: 'string' }, expression: 'x', type: 'dyn' },
  { schema: { type: 'string', nullable: true }, expression: 'x', type: 'dyn' },
  { schema: { type: 'array', items: { type: 'integer' } }, expression: 'x', type: 'list(int)' },
  { schema: { type: 'array' }, expression: 'x', type: 'list(dyn)' },
  { schema: { type: 'object' }, expression: 'x', type: 'map(string, dyn)' },
  { schema: { type: 'object', additionalProperties: { type: 'integer' } }, expression: 'x', type: 'map(string, int)' },
  { schema: { type: 'object', additionalProperties: true }, expression: 'x', type: 'map(string, dyn)' },
  { schema: ZONE, expression: 'x.zone', type: 'string' },
  { schema: ZONE, expression: 'x["zone"]', type: 'string' },
  { schema: ZONE, expression: 'x["zo" + "ne"]', type: 'dyn' },
  { schema: ZONE, expression: 'x.zoen', type: "ERROR: <input>:1:2: undefined field 'zoen'" },
  { schema: { ...ZONE, nullable: true }, expression: 'x == null ? "" : x.zone', type: 'string' },
  { schema: { ...ZONE, nullable: true }, expression: 'x.zoen', type: "ERROR: <input>:1:2: undefined field 'zoen'" },
  { schema: { ...ZONE, 'x-kubernetes-preserve-unknown-fields': true }, expression: 'x.zoen', type: 'dyn' },
  { schema: { ...ZONE, 'x-kubernetes-preserve-unknown-fields': true }, expression: 'x.zone', type: 'string' },
  { schema: { properties: ZONE.properties }, expression: 'x.zone', type: 'string' },
  { schema: { type: 'object', properties: { __proto__x: { type: 'string' } } }, expression: 'x.__proto__x', type: 'string' },
  { schema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}}}'), expression: 'x.__proto__', type: 'int' },
  { schema: { type: 'object', properties: {} }, expression: 'x.constructor', type: "ERROR: <input>:1:2: undefined field 'constructor'" },
  { schema: { $ref: '#' }, expression: 'x.a.b', type: 'dyn' },
  { schema: { type: 'object', properties: [] }, expression: 'x', type: 'map(string, dyn)' },
  { schema: 'string', expression: 'x', type: 'dyn' },
  { schema: null, expression: 'x', type: 'dyn' },
])('$schema: $expression is $type', ({ schema, expression, type }) => {
  expect(typeIn(schema, expression)).toBe(type)
})

test('objects of every kind have metadata', () => {
  const type = typeOfObjects({ type: 'object', properties: { spec: ZONE } }, 'Region')
  expect([...(type.fields?.keys() ?? [])].sort()).toEqual(['apiVersion', 'kind', 'metadata', 'spec'])
  expect(formatType(typeOfObjects(undefined, 'Region'))).toBe('dyn')
  expect(formatType(typeOfObjects({ 'x-kubernetes-preserve-unknown-fields': true }, 'Region'))).toBe('dyn')
})

test('a value that does not fit its schema fails, and gives no wrong result', () => {
  const types = new Map([['x', typeOfSchema(ZONE, 'x')]])
  const variables = (zone: JsonValue) => new Map([['x', celValue({ zone })]])
  const joined = compileTyped('x.zone + "-1"', types)
  expect(joined.value(variables('a'))).toBe('a-1')
  expect(() => joined.value(variables(1))).toThrow(CelError)
  expect(() => joined.value(new Map([['x', 'text']]))).toThrow(CelError)
})

describe('a hostile schema is bounded:', () => {
  test('deep schemas are dynamic below 64 levels', () => {
    let schema: JsonValue = { type: 'string' }
    for (let i = 0; i < 5000; i++) schema = { type: 'object', properties: { a: schema } }
    expect(typeIn(schema, `x${'.a'.repeat(64)}.nothing`)).toBe("ERROR: <input>:1:130: undefined field 'nothing'")
    expect(typeIn(schema, `x${'.a'.repeat(65)}.nothing`)).toBe('dyn')
    let lists: JsonValue = { type: 'string' }
    for (let i = 0; i < 5000; i++) lists = { type: 'array', items: lists }
    expect(typeIn(lists, 'x[0]')).toMatch(/^(list\()+dyn\)+$/)
  })

  test('after 50,000 schemas the others are dynamic', () => {
    const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`f${i}`, { type: 'integer' }]))
    const schema = { type: 'object', properties: fields }
    expect(typeIn(schema, 'x.f0')).toBe('int')
    expect(typeIn(schema, 'x.f59999')).toBe('dyn')
    expect(typeIn(schema, 'x.g')).toBe("ERROR: <input>:1:2: undefined field 'g'")
  })
})
