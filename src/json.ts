import { quietly } from './attempt.ts'

/**
 * A JSON value. Integers beyond 2^53 are bigint, other numbers are number. Records made by this project inherit nothing, so keys such as
 * `constructor` are ordinary keys.
 */
export type JsonValue = JsonScalar | readonly JsonValue[] | JsonRecord
export type JsonScalar = null | boolean | number | bigint | string
export interface JsonRecord {
  readonly [key: string]: JsonValue
}

const NO_KEYS: object = Object.freeze(Object.create(null))

/**
 * Returns an empty record. Its prototype has no keys either; with a prototype, V8 stores records as objects and not as hash tables of
 * twice the size.
 */
export function newRecord(): { [key: string]: JsonValue } {
  return Object.create(NO_KEYS)
}

/** Returns true for a record: not for null, not for a list. */
export function isRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value that is a map, and an empty map for all other values. */
export function asRecord(value: JsonValue | undefined): JsonRecord {
  return isRecord(value) ? value : {}
}

/** Returns a value that is a list, and an empty list for all other values. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** Returns the entries of a list that are maps. */
export function recordsOf(value: JsonValue | undefined): readonly JsonRecord[] {
  return asList(value).filter(isRecord)
}

/** Returns the value of an own key; undefined for a missing key and for a key that only a prototype has. */
export function lookup(record: JsonRecord, key: string): JsonValue | undefined {
  const value = record[key]
  return value !== undefined && Object.hasOwn(record, key) ? value : undefined
}

/** Returns the value of one step of a path: the value of an own key, or the item of a list. Returns undefined for a missing one. */
export function memberOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (isRecord(value)) return lookup(value, String(step))
  return Array.isArray(value) && typeof step === 'number' ? value[step] : undefined
}

/** Returns true for a text that is JSON, with or without a byte order mark. */
export function isJsonText(text: string): boolean {
  return parseJson(text.replace(/^\uFEFF/, '')) !== undefined
}

/** Returns the value of a JSON text; undefined for any other text. */
export function parseJson(text: string): JsonValue | undefined {
  return quietly((): JsonValue => JSON.parse(text))
}

/** Matches characters that JSON takes as they are, and some reader of YAML does not. */
const ESCAPED_FOR_YAML = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Returns a text as a JSON string that readers of YAML accept too. */
export function jsonString(text: string): string {
  return JSON.stringify(text).replace(ESCAPED_FOR_YAML, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns a scalar as a text, and '' for a map, a list, null and a missing value: a user may write any value in the place of a text. */
export function scalarText(value: JsonValue | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}

/** Returns true if two values are equal in meaning: the order of keys does not count, 1 and 1n are one number, NaN equals itself. */
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

/** Returns the text of a member; '' where it is no text. */
export function textIn(value: JsonValue, key: string): string {
  const found = isRecord(value) ? lookup(value, key) : undefined
  return typeof found === 'string' ? found : ''
}

/** Returns the texts of the scalars of a list; none where the value is no list. */
export function listedTexts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(scalarText) : []
}

/** Returns a value as JSON on one line. A large number loses its last digits. */
export function compactJson(value: JsonValue): string {
  return JSON.stringify(value, (_, each: JsonValue) => (typeof each === 'bigint' ? Number(each) : each))
}

/** Returns true for a list. */
export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
