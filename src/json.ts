/**
 * A plain value as JSON has it. Integers beyond 2^53 are bigint; other numbers are number.
 * Records made by this project have no prototype, so keys such as `constructor` are ordinary keys.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonRecord
export interface JsonRecord {
  readonly [key: string]: JsonValue
}

/** Whether the value is a record: not null, not a list. */
export function isRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of an own key, undefined for keys that only a prototype has. */
export function lookup(record: JsonRecord, key: string): JsonValue | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Equal in meaning: key order does not count, 1 and 1n are one number, NaN equals itself. */
export function equalJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i]))
  if (isRecord(a)) return isRecord(b) && equalRecords(a, b)
  return isNumeric(a) && isNumeric(b) && String(a) === String(b)
}

function equalRecords(a: JsonRecord, b: JsonRecord): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key], b[key]))
}

function isNumeric(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
