import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'

/**
 * A record as the controller's types write it: without fields that hold the empty value of their type, in its own fields and
 * those of records in its lists (`selectors`, `exclude`); entries of maps stay (Go's omitempty).
 */
export function omitEmpty(record: JsonRecord): JsonRecord {
  const kept = Object.entries(record).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(kept.map(([key, value]) => [key, Array.isArray(value) ? value.map(omitEmptyEntry) : value]))
}

function omitEmptyEntry(entry: JsonValue): JsonValue {
  return isRecord(entry) ? omitEmpty(entry) : entry
}

function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) ? Object.keys(value).length === 0 : value === '' || value === 0 || value === null
}
