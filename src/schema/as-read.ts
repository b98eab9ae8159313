import type { FieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { type Schema, typesOf } from './schema.ts'

/**
 * Returns an object as the API server and Go read the object: fields of the schema that are null are left out, and missing `metadata` and
 * `spec` are added as empty maps. Values in maps with keys of the user's choice are unchanged, null included.
 */
export function asRead(root: JsonRecord, schema: Schema): JsonRecord {
  const read = fieldsWithoutNulls(root, schema)
  const parts = ['metadata', 'spec'].filter((key) => schema.properties?.[key] && !Object.hasOwn(read, key))
  return parts.reduce<JsonRecord>((value, key) => recordOf([...Object.entries(value), [key, recordOf([])]]), read)
}

/** Returns a value without null fields. A value without null fields, as nearly all are, is returned itself and not copied. */
function withoutNulls(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined || typeof value !== 'object' || value === null) return value
  if (isRecord(value)) return fieldsWithoutNulls(value, schema)
  const items = value.map((item) => withoutNulls(item, schema.items))
  return items.every((item, index) => item === value[index]) ? value : items
}

function fieldsWithoutNulls(record: JsonRecord, { properties }: Schema): JsonRecord {
  if (properties === undefined) return record
  let changed = false
  const entries: [string, JsonValue][] = []
  for (const [key, child] of Object.entries(record)) {
    const kept = Object.hasOwn(properties, key) ? withoutNulls(child, properties[key]) : child
    const dropped = child === null && Object.hasOwn(properties, key)
    changed ||= dropped || kept !== child
    if (!dropped) entries.push([key, kept])
  }
  return changed ? recordOf(entries) : record
}

/** A value and the path at which `withValuesAt` puts the value. */
export interface Placed {
  readonly path: FieldPath
  readonly value: JsonValue
}

/**
 * Returns a copy of `root` with values put at their paths; a later value replaces an earlier one. Missing maps on the way are added,
 * missing items of lists are not.
 */
export function withValuesAt(root: JsonValue | undefined, placed: readonly Placed[]): JsonValue {
  const whole = placed.findLastIndex(({ path }) => path.length === 0)
  const value = placed[whole]?.value ?? root
  const below = groupBy(placed.slice(whole + 1), ({ path }) => path[0] ?? '')
  if (below.size === 0) return value ?? null
  const parts = new Map(
    Array.from(below, ([step, group]) => [step, group.map(({ path, value: part }) => ({ path: path.slice(1), value: part }))]),
  )
  return [...parts.keys()].every((step) => typeof step === 'number') ? withItems(value, parts) : withEntries(value, parts)
}

type Parts = ReadonlyMap<string | number, readonly Placed[]>

function withItems(list: JsonValue | undefined, parts: Parts): JsonValue {
  const items = Array.isArray(list) ? list : []
  return items.map((item, index) => withValuesAt(item, parts.get(index) ?? []))
}

function withEntries(record: JsonValue | undefined, parts: Parts): JsonValue {
  const entries = new Map(isRecord(record) ? Object.entries(record) : [])
  for (const [step, placed] of parts) {
    const key = String(step)
    const value = withValuesAt(entries.get(key), placed)
    entries.delete(key)
    entries.set(key, value)
  }
  return recordOf([...entries])
}

/**
 * Returns the empty value of a schema's type, with the fields that the schema requires. Such a value replaces a missing one or one of
 * another type while the rules run.
 */
export function blankOf(schema: Schema): JsonValue {
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.[0] !== undefined) return schema.enum[0]
  switch (typesOf(schema)[0]) {
    case 'string':
      return ''
    case 'integer':
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return recordOf((schema.required ?? []).map((key) => [key, blankOf(schema.properties?.[key] ?? {})]))
    default:
      return null
  }
}

function recordOf(entries: readonly (readonly [string, JsonValue])[]): JsonRecord {
  return Object.setPrototypeOf(Object.fromEntries(entries), null)
}
