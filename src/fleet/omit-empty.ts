import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'

/**
 * Returns a record as the types of Porch's controller write it: without fields that have the empty value of their type. Fields of records
 * in lists (`selectors`, `exclude`) are left out too; entries of maps are kept (Go's omitempty).
 * Example: `{image: a, tag: '', exclude: []}` becomes `{image: a}`.
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
