import type { FieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { type Schema, typesOf } from './schema.ts'

/**
 * An object as the API server and Go read it: a field of the API that is null counts as absent, absent `metadata` and `spec`
 * as empty. Values in maps of the user's keys stay as they are, null included.
 */
export function asRead(root: JsonRecord, schema: Schema): JsonRecord {
  const read = fieldsWithoutNulls(root, schema)
  const parts = ['metadata', 'spec'].filter((key) => schema.properties?.[key] && !Object.hasOwn(read, key))
  return parts.reduce<JsonRecord>((value, key) => recordOf([...Object.entries(value), [key, recordOf([])]]), read)
}

/** The same value where it has no such null, as nearly all have: then nothing is copied. */
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

/** A value and the path at which to put it. */
export interface Placed {
  readonly path: FieldPath
  readonly value: JsonValue
}

/** A copy of `root` with some values put in, later ones over earlier ones; steps that are not there are made, but no items of lists. */
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

/** The emptiest value of a schema's type, with the fields it requires. Stands in for one that is missing or of another type. */
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
