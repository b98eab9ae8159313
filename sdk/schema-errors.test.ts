import { Ajv, type ErrorObject } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SCHEMAS } from '../cli/generated/schemas.ts'
import type { JsonRecord, JsonValue } from '../src/json.ts'
import { publishSchema } from '../src/schema/publish-schema.ts'
import { type Schema, typesOf } from '../src/schema/schema.ts'
import { type SchemaError, schemaErrors } from '../src/schema/schema-errors.ts'

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false, formats: { cel: true } })

/** Returns a value in the place of a schema: mostly of its form, sometimes anything. */
function somethingLike(schema: Schema, depth = 0): fc.Arbitrary<JsonValue> {
  const fitting = (type: string | undefined): fc.Arbitrary<JsonValue> => {
    if (type === 'array') return fc.array(somethingLike(schema.items ?? {}, depth + 1), { maxLength: 2 })
    if (type === 'object') return recordOf(schema, depth)
    return fc.constantFrom<JsonValue>(...(schema.enum ?? []), schema.const ?? 'v1', '', '3', 0, -1, 7, true)
  }
  const anything = fc.constantFrom<JsonValue>(null, '', 'a', 'äöü', 0, 1.5, -1, true, [], {}, { a: 1 })
  if (depth > 6) return anything
  return fc.oneof({ weight: 12, arbitrary: fc.oneof(...[...typesOf(schema), undefined].map(fitting)) }, { weight: 1, arbitrary: anything })
}

function recordOf({ properties = {}, additionalProperties }: Schema, depth: number): fc.Arbitrary<JsonRecord> {
  const parts = { ...properties, 'a/b~c': additionalProperties || {}, unknown: additionalProperties || {} }
  const fields = Object.entries(parts).map(([key, part]) => [key, somethingLike(part, depth + 1)] as const)
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: [] })
    .map((record) => Object.fromEntries(Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))))
}

const pointerOf = (path: SchemaError['path']): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const printOurs = ({ keyword, path, key = '' }: SchemaError): string => [keyword, pointerOf(path), key].join(' ')

const printTheirs = ({ keyword, instancePath, params }: ErrorObject): string =>
  [keyword, instancePath, params.missingProperty ?? params.additionalProperty ?? ''].join(' ')

test.each(SCHEMAS.map((schema) => [schema.title, schema] as const))('%s is checked as ajv checks it', (_, schema) => {
  const compiled = ajv.compile(publishSchema(schema))
  let faulty = 0
  fc.assert(
    fc.property(somethingLike(schema), (value) => {
      compiled(value)
      const errors = schemaErrors(value, schema)
      expect(errors.map(printOurs).sort()).toEqual((compiled.errors ?? []).map(printTheirs).sort())
      faulty += errors.length > 0 ? 1 : 0
    }),
    { numRuns: 300 },
  )
  expect(faulty).toBeGreaterThan(30)
})
