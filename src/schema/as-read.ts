import type { FieldPath } from '../field-path.ts'
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

/** A copy of `value` with `part` at `path`; steps that are not there are made. */
export function withValueAt(value: JsonValue | undefined, path: FieldPath, part: JsonValue): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) return part
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? value : []
    return items.map((item, index) => (index === step ? withValueAt(item, rest, part) : item))
  }
  const entries = isRecord(value) ? Object.entries(value) : []
  const child = entries.find(([key]) => key === step)?.[1]
  return recordOf([...entries.filter(([key]) => key !== step), [step, withValueAt(child, rest, part)]])
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
