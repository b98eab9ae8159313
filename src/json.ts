/**
 * A plain value as JSON has it. Integers beyond 2^53 are bigint; other numbers are number.
 * Records made by this project inherit nothing, so keys such as `constructor` are ordinary keys.
 */
export type JsonValue = JsonScalar | readonly JsonValue[] | JsonRecord
export type JsonScalar = null | boolean | number | bigint | string
export interface JsonRecord {
  readonly [key: string]: JsonValue
}

const NO_KEYS: object = Object.freeze(Object.create(null))

/** An empty record. Its prototype has no keys either; with a prototype V8 lays records out as objects, not as hash tables of twice the size. */
export function newRecord(): { [key: string]: JsonValue } {
  return Object.create(NO_KEYS)
}

/** Whether the value is a record: not null, not a list. */
export function isRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The map that a value is, or an empty one in the place of anything else. */
export function asRecord(value: JsonValue | undefined): JsonRecord {
  return isRecord(value) ? value : {}
}

/** The value of an own key, undefined for keys that only a prototype has. */
export function lookup(record: JsonRecord, key: string): JsonValue | undefined {
  const value = record[key]
  return value !== undefined && Object.hasOwn(record, key) ? value : undefined
}

/** What one step of a path leads to: the value of an own key, or an item of a list; undefined when there is none. */
export function memberOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (isRecord(value)) return lookup(value, String(step))
  return Array.isArray(value) && typeof step === 'number' ? value[step] : undefined
}

/** A scalar as text; a map, a list or nothing has none: wherever a text belongs, anything may stand. */
export function scalarText(value: JsonValue | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
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
