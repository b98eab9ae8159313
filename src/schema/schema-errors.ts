import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { remember } from '../remember.ts'
import type { Schema, TypeName } from './schema.ts'

/** A keyword of a schema that a value does not fit. */
export interface SchemaError {
  readonly keyword: string
  /** The path of the value. */
  readonly path: FieldPath
  /** The key that is missing (`required`) or unknown (`additionalProperties`). */
  readonly key?: string
}

/**
 * Returns every error of a value that does not fit a schema: those that ajv reports. Returns an empty list for a value that fits. No code
 * is generated from the schema, so a bundle has each schema once, as data.
 */
export function schemaErrors(value: JsonValue, schema: Schema): readonly SchemaError[] {
  const errors: SchemaError[] = []
  addErrors(errors, value, schema, undefined)
  return errors
}

/** The place of a value in the whole value; undefined for the whole. Nearly all values fit, so their paths are not made. */
type Place = { readonly above: Place; readonly step: string | number } | undefined

function addErrors(errors: SchemaError[], value: JsonValue, schema: Schema, place: Place): void {
  const { type, const: only, enum: allowed } = schema
  if (type !== undefined && !isOfType(value, type)) add(errors, 'type', place)
  if (typeof value === 'string') addTextErrors(errors, value, schema, place)
  else if (typeof value === 'number' && schema.minimum !== undefined && value < schema.minimum) add(errors, 'minimum', place)
  if (only !== undefined && value !== only) add(errors, 'const', place)
  if (allowed !== undefined && !allowed.some((name) => name === value)) add(errors, 'enum', place)
  if (Array.isArray(value)) addListErrors(errors, value, schema, place)
  else if (isRecord(value)) addFieldErrors(errors, value, schema, place)
}

function add(errors: SchemaError[], keyword: string, place: Place, key?: string): void {
  errors.push({ keyword, path: pathOf(place), ...(key !== undefined && { key }) })
}

function pathOf(place: Place): FieldPath {
  return place === undefined ? [] : [...pathOf(place.above), place.step]
}

function isOfType(value: JsonValue, type: TypeName | readonly TypeName[]): boolean {
  return (typeof type === 'string' ? [type] : type).some((each) => {
    if (!Object.hasOwn(IS, each)) throw new TypeError(`the type in a schema must be one of ${Object.keys(IS).join(', ')}, got ${each}`)
    return IS[each](value)
  })
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

function addTextErrors(errors: SchemaError[], text: string, { minLength = 0, pattern }: Schema, place: Place): void {
  // Characters count, not UTF-16 units, of which a character has two at most.
  if (text.length < 2 * minLength && Array.from(text).length < minLength) add(errors, 'minLength', place)
  if (pattern !== undefined && !expressionOf(pattern).test(text)) add(errors, 'pattern', place)
}

const expressions = new Map<string, RegExp>()

function expressionOf(pattern: string): RegExp {
  return remember(expressions, pattern, () => new RegExp(pattern, 'u'))
}

function addListErrors(errors: SchemaError[], list: readonly JsonValue[], { minItems = 0, items }: Schema, place: Place): void {
  if (list.length < minItems) add(errors, 'minItems', place)
  if (items === undefined) return
  for (const [index, item] of list.entries()) addErrors(errors, item, items, { above: place, step: index })
}

function addFieldErrors(errors: SchemaError[], record: JsonRecord, schema: Schema, place: Place): void {
  const { properties = {}, required = [], additionalProperties } = schema
  for (const key of required) if (lookup(record, key) === undefined) add(errors, 'required', place, key)
  for (const key of Object.keys(record)) {
    const part = Object.hasOwn(properties, key) ? properties[key] : additionalProperties
    const value = record[key]
    if (part === false) add(errors, 'additionalProperties', place, key)
    else if (part !== undefined && value !== undefined) addErrors(errors, value, part, { above: place, step: key })
  }
}
