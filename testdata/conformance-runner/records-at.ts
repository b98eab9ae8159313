import { isRecord, type JsonRecord, type JsonValue } from '../../src/json.ts'

/** Every record that is the value of one of the keys, or in a list that is, anywhere below a value. */
export function recordsAt(value: JsonValue | undefined, keys: readonly string[]): JsonRecord[] {
  if (Array.isArray(value)) return value.flatMap((item) => recordsAt(item, keys))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, child]) => [...(keys.includes(key) ? recordsIn(child) : []), ...recordsAt(child, keys)])
}

function recordsIn(value: JsonValue): JsonRecord[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord)
}

/** The value if it is a record, else one without keys. */
export function recordOf(value: JsonValue | undefined): JsonRecord {
  return isRecord(value) ? value : {}
}
