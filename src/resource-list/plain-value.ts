import type { FieldPath } from '../field-path.ts'
import { formatFieldPath } from '../field-path.ts'
import type { EditFault } from '../yaml/edit/edit-fault.ts'
import { MAX_DEPTH } from '../yaml/read/limits.ts'

/** Where a value has something that is no plain JSON, and what was found there. */
export interface NotPlain {
  readonly path: FieldPath
  readonly found: string
}

/**
 * Returns the first part of a value that is no plain JSON, undefined when all of it is. A function without types may pass anything:
 * a Date would be written as an empty map, a Map too, `undefined` as null, and NaN as a float that no JSON has.
 *
 * @example { when: [new Date()] } → { path: ['when', 0], found: 'a Date' }
 */
export function findNotPlain(value: unknown): NotPlain | undefined {
  return isPlain(value, 0) ? undefined : locate(value, [], [])
}

/** Refuses a value at a path of an object. */
export function notPlainFault(at: FieldPath, { path, found }: NotPlain): EditFault {
  const whole = [...at, ...path]
  return { rule: 'plain-json', path: whole, message: notPlainMessage(formatFieldPath(whole), found) }
}

export function notPlainMessage(field: string, found: string): string {
  return `\`${field}\` must be a text, a finite number, a bigint, true, false, null, a list or a plain record, got ${found}`
}

/** Makes nothing: every value that is written is looked at. A value that holds itself is too deep. */
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

/** By position: `every` would pass over the holes of a sparse list. */
function isPlainList(list: readonly unknown[], depth: number): boolean {
  for (let at = 0; at < list.length; at++) if (!isPlain(list[at], depth + 1)) return false
  return true
}

function isPlainScalar(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
}

/** Inherits nothing, or what every record inherits: an instance of a class inherits from more than that. */
function isPlainRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Nearly every record is one of this realm.
  if (prototype === Object.prototype || prototype === null) return true
  return typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null
}

/** @param around  the lists and records that the value is in */
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
