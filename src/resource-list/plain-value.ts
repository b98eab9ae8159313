import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { Result } from '../result.ts'
import type { EditFault } from '../yaml/edit/edit-fault.ts'
import { MAX_DEPTH } from '../yaml/read/limits.ts'

/** The path of a part of a value that is not plain JSON, and a description of that part. */
export interface NotPlain {
  readonly path: FieldPath
  readonly found: string
}

/**
 * Returns the first part of a value that is not plain JSON, undefined when all of the value is. A function without types may pass
 * anything: a Date or a Map would be written as an empty map, `undefined` as null, and NaN as a float that JSON does not have.
 *
 * @example { when: [new Date()] } → { path: ['when', 0], found: 'a Date' }
 */
export function findNotPlain(value: unknown): NotPlain | undefined {
  return isPlain(value, 0) ? undefined : locate(value, [], [])
}

/** Returns the fault of a value that was to be written at a path of an object. */
export function notPlainFault(at: FieldPath, { path, found }: NotPlain): EditFault {
  const whole = [...at, ...path]
  return { rule: 'plain-json', path: whole, message: notPlainMessage(formatFieldPath(whole), found) }
}

function notPlainMessage(field: string, found: string): string {
  return `\`${field}\` must be a value of JSON (a text, a finite number, true, false, null, a list or a map), got ${found}`
}

/** Returns true if a value is plain JSON. Builds no paths, because every written value is checked. A cyclic value is too deep. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return true
  if (typeof value !== 'object') return isPlainScalar(value)
  if (value === null) return true
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return isPlainList(value, depth)
  if (!isPlainRecord(value)) return false
  for (const member of Object.values(value)) if (!isPlain(member, depth + 1)) return false
  return true
}

/** Checks each position, because `every` skips the holes of a sparse list. */
function isPlainList(list: readonly unknown[], depth: number): boolean {
  for (let at = 0; at < list.length; at++) if (!isPlain(list[at], depth + 1)) return false
  return true
}

function isPlainScalar(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
}

/** Returns true for a record without a prototype or with Object.prototype, also of another realm; false for an instance of a class. */
function isPlainRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // The usual case: a record of this realm.
  if (prototype === Object.prototype || prototype === null) return true
  return typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null
}

/** @param around  the lists and records that contain the value */
function locate(value: unknown, path: FieldPath, around: readonly unknown[]): NotPlain | undefined {
  if (typeof value !== 'object' || value === null) return isPlain(value, 0) ? undefined : { path, found: nameOf(value) }
  if (around.includes(value)) return { path, found: 'a value that holds itself' }
  if (around.length > MAX_DEPTH) return { path, found: `a value more than ${MAX_DEPTH} levels deep` }
  if (!Array.isArray(value) && !isPlainRecord(value)) return { path, found: nameOf(value) }
  const members = Array.isArray(value)
    ? Array.from<unknown, readonly [number, unknown]>(value, (item, at) => [at, item])
    : Object.entries(value)
  for (const [step, member] of members) {
    const found = locate(member, [...path, step], [...around, value])
    if (found !== undefined) return found
  }
  return undefined
}

function nameOf(value: unknown): string {
  if (typeof value === 'object') return `a ${value?.constructor?.name || 'record of a class'}`
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  return String(value)
}

const SEVERITIES: ReadonlySet<unknown> = new Set(['error', 'warning', 'info'])

/**
 * Returns the results; replaces each result that a host could not read by an error with its path and the rule `plain-json`.
 * A function written without types may report anything.
 */
export function checkedResults(results: readonly Result[]): readonly Result[] {
  return results.map((result, index) => {
    const message = faultOf(result, `results[${index}]`)
    return message === undefined ? result : { severity: 'error', message, tags: { rule: 'plain-json' } }
  })
}

function faultOf(result: Partial<Result> | null | undefined, at: string): string | undefined {
  if (typeof result !== 'object' || result === null) return `\`${at}\` must be a result with severity, message and tags, got ${result}`
  const { severity, message, tags, field } = result
  if (!SEVERITIES.has(severity)) return `\`${at}.severity\` must be one of 'error', 'warning', 'info', got ${quoted(severity)}`
  if (typeof message !== 'string') return `\`${at}.message\` must be a text, got ${quoted(message)}`
  if (typeof tags?.rule !== 'string') return `\`${at}.tags.rule\` must be a text, got ${quoted(tags?.rule)}`
  if (field === undefined) return undefined
  if (!Array.isArray(field.path)) return `\`${at}.field.path\` must be a list of keys and positions, got ${quoted(field.path)}`
  return notPlainIn(field.currentValue, `${at}.field.currentValue`) ?? notPlainIn(field.proposedValue, `${at}.field.proposedValue`)
}

function notPlainIn(value: unknown, at: string): string | undefined {
  const notPlain = value === undefined ? undefined : findNotPlain(value)
  return notPlain && notPlainMessage(`${at}${notPlain.path.map((step) => `[${JSON.stringify(step)}]`).join('')}`, notPlain.found)
}

function quoted(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  return findNotPlain(value)?.found ?? (typeof value === 'object' && value !== null ? 'a list or record' : String(value))
}
