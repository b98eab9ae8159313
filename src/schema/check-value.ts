import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { type Schema, type TypeName, typesOf } from './schema.ts'
import type { CheckError, Validator } from './validator.ts'

/**
 * Returns the check of a schema that is not compiled beforehand. The check walks over the schema and reports the same errors as the code
 * that ajv compiles. No code is generated, so the check also runs where code from strings is forbidden.
 */
export function checkOf(schema: Schema): Validator['check'] {
  const check: { (value: JsonValue): boolean; errors?: readonly CheckError[] } = (value) => {
    check.errors = errorsOf(value, schema, '')
    return check.errors.length === 0
  }
  return check
}

function errorsOf(value: JsonValue, schema: Schema, instancePath: string): CheckError[] {
  const types = typesOf(schema)
  const found = [...(types.length === 0 || types.some((type) => IS[type](value)) ? [] : ['type']), ...wordErrors(value, schema)]
  return [...found.map((keyword) => ({ keyword, instancePath, params: {} })), ...partErrors(value, schema, instancePath)]
}

const IS: Readonly<Record<TypeName, (value: JsonValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  // Beyond 2^53 a value is a bigint, which JSON Schema does not know.
  integer: (value) => Number.isInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: isRecord,
  array: (value) => Array.isArray(value),
}

/** Returns the failed keywords that depend on the value alone, not on its fields or items. */
function wordErrors(value: JsonValue, schema: Schema): string[] {
  const { const: only, enum: allowed, minLength = 0, minItems = 0, minimum, pattern } = schema
  const faulty = {
    const: only !== undefined && value !== only,
    enum: allowed !== undefined && !allowed.some((name) => name === value),
    minLength: typeof value === 'string' && Array.from(value).length < minLength,
    minItems: Array.isArray(value) && value.length < minItems,
    minimum: typeof value === 'number' && minimum !== undefined && value < minimum,
    pattern: typeof value === 'string' && pattern !== undefined && !new RegExp(pattern, 'u').test(value),
  }
  return Object.entries(faulty).flatMap(([keyword, isFaulty]) => (isFaulty ? [keyword] : []))
}

function partErrors(value: JsonValue, schema: Schema, path: string): CheckError[] {
  if (isRecord(value)) return fieldErrors(value, schema, path)
  const { items } = schema
  return Array.isArray(value) && items !== undefined ? value.flatMap((item, index) => errorsOf(item, items, `${path}/${index}`)) : []
}

function fieldErrors(record: JsonRecord, { properties = {}, required = [], additionalProperties }: Schema, path: string): CheckError[] {
  const missing = required.filter((key) => lookup(record, key) === undefined)
  const errors = missing.map((key) => ({ keyword: 'required', instancePath: path, params: { missingProperty: key } }))
  const below = Object.entries(record).flatMap(([key, child]) => {
    const part = Object.hasOwn(properties, key) ? properties[key] : additionalProperties
    if (part === false) return [{ keyword: 'additionalProperties', instancePath: path, params: { additionalProperty: key } }]
    return part === undefined ? [] : errorsOf(child, part, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  })
  return [...errors, ...below]
}
