import type { JsonValue } from '../../src/json.ts'
import { hideKnownSecrets } from '../../src/known-secrets.ts'
import { printable } from '../../src/printable.ts'
import { type Result, resultToJson } from '../../src/result.ts'
import { cutAround } from '../../src/wording.ts'
import { compareFindings } from './print-results.ts'

/** Returns a value as JSON. Integers beyond 2^53, which JSON readers would round, become strings of their digits. */
export function printJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // JSON.stringify throws for such integers, which are rare. A replacer for every value takes ten times as long.
    return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? jsonOfInteger(part) : part), indent)
  }
}

function jsonOfInteger(integer: bigint): number | string {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : String(integer)
}

/**
 * Returns a document for other programs, in the form of schemas/output, with findings at its end, in their order in text. `formatVersion`
 * is raised when a field changes its meaning or is removed.
 */
export function printDocument(fields: object, results?: readonly Result[]): string {
  return `${printJson({ formatVersion: 1, ...fields, ...(results && { results: results.toSorted(compareFindings).map(resultToJson) }) }, 2)}\n`
}

/** Returns a value for people: a word unchanged, anything else as JSON; a long value is cut. */
export function printValue(value: JsonValue): string {
  const text = hideKnownSecrets(printedValue(value))
  const characters = Array.from(text)
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text
}

/** Returns two values that differ, `before → after`; long values are cut around their first difference. */
export function printChange(before: JsonValue, after: JsonValue): string {
  const [was, is] = [printedValue(before), printedValue(after)]
  const [old, present] = cutAround([hideKnownSecrets(was), hideKnownSecrets(is, was)], LONGEST - 1)
  return `${old} → ${present}`
}

function printedValue(value: JsonValue): string {
  return typeof value === 'string' && /^[A-Za-z][\w./@:+-]*$/.test(value) ? value : printable(printJson(value))
}

/** A line of a plan stays readable on a terminal; `--format json` has the whole value. */
const LONGEST = 100
