import type { FieldPath } from '../field-path.ts'
import { formatFieldPath } from '../field-path.ts'
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

export function notPlainMessage(field: string, found: string): string {
  return `\`${field}\` must be a text, a finite number, a bigint, true, false, null, a list or a plain record, got ${found}`
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
