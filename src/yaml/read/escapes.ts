import { SINGLE_QUOTE } from './character.ts'
import { refuse } from './text-cursor.ts'

const BACKSLASH = 92

/** The characters of one-letter escapes, by the code of the letter after the backslash. @see YAML 1.2.2, 5.7 */
const LETTERS = new Map(
  (
    [
      ...[...'0abtnvfre'].map((letter, index) => [letter, '\0\x07\b\t\n\v\f\r\x1b'.charCodeAt(index)]),
      ...[...' \t"/\\'].map((letter) => [letter, letter.charCodeAt(0)]),
      ...[...'N_LP'].map((letter, index) => [letter, '\x85\xa0\u2028\u2029'.charCodeAt(index)]),
    ] as const
  ).map(([letter, code]) => [String(letter).charCodeAt(0), Number(code)]),
)

/** The number of hexadecimal digits after `\x`, `\u` and `\U`. */
const DIGITS = new Map([...'xuU'].map((letter, index) => [letter.charCodeAt(0), 2 << index]))

/** The number of code units per call of String.fromCharCode. */
const PART = 8192

/**
 * Returns the value of the text between double quotes: `a\tb` becomes a, a tab, b. Works in one pass without a string for each escape,
 * because a value may have fifty megabytes of escapes. Throws REFUSAL for an unknown escape.
 */
export function resolveEscapes(source: string): string {
  if (!source.includes('\\')) return source
  const units = new Uint16Array(source.length)
  let count = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code !== BACKSLASH) units[count++] = code
    else {
      at++
      const letter = source.charCodeAt(at)
      const digits = DIGITS.get(letter)
      if (digits === undefined) units[count++] = LETTERS.get(letter) ?? refuse()
      else {
        count = putPoint(units, count, pointAt(source, at + 1, digits))
        at += digits
      }
    }
  }
  return textOf(units.subarray(0, count))
}

/** Returns the value of the text between single quotes: `it''s` → `it's`. */
export function resolveDoubledQuotes(source: string): string {
  if (!source.includes("''")) return source
  const units = new Uint16Array(source.length)
  let count = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    units[count++] = code
    if (code === SINGLE_QUOTE && source.charCodeAt(at + 1) === SINGLE_QUOTE) at++
  }
  return textOf(units.subarray(0, count))
}

function pointAt(source: string, at: number, digits: number): number {
  const hex = source.slice(at, at + digits)
  const point = hex.length === digits && /^[\da-f]+$/i.test(hex) ? Number.parseInt(hex, 16) : refuse()
  return point <= 0x10ffff ? point : refuse()
}

function putPoint(units: Uint16Array, count: number, point: number): number {
  if (point <= 0xffff) {
    units[count] = point
    return count + 1
  }
  units[count] = 0xd7c0 + (point >> 10)
  units[count + 1] = 0xdc00 | (point & 0x3ff)
  return count + 2
}

function textOf(units: Uint16Array): string {
  const parts: string[] = []
  for (let at = 0; at < units.length; at += PART) parts.push(String.fromCharCode(...units.subarray(at, at + PART)))
  return parts.join('')
}
