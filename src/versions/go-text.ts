const MAX_UINT64 = 2n ** 64n - 1n

/**
 * Returns the number that Go's ParseUint(text, 10, 64) returns: ASCII digits only, at most 2^64-1. Returns undefined if ParseUint fails.
 */
export function parseUint64(text: string): bigint | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined
  const number = BigInt(text)
  return number > MAX_UINT64 ? undefined : number
}

const MAX_INT64 = 2n ** 63n - 1n
const MAX_DIGITS = String(MAX_INT64).length

/** Returns the number that Go's Atoi returns: a sign and ASCII digits, within 64 bits. Returns undefined if Atoi fails. */
export function parseInt64(text: string): bigint | undefined {
  const [, sign, digits] = /^([-+]?)0*([0-9]+)$/.exec(text) ?? []
  if (digits === undefined || digits.length > MAX_DIGITS) return undefined
  const number = sign === '-' ? -BigInt(digits) : BigInt(digits)
  return number > MAX_INT64 || number < -MAX_INT64 - 1n ? undefined : number
}

/** Returns Go's error text for a number that is too large. */
export function outOfRange(text: string): string {
  return `strconv.ParseUint: parsing ${quoteGo(text)}: value out of range`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}

/** Returns a text in double quotes, as Go's `%q` writes texts. */
export function quoteGo(text: string): string {
  return `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapeGo)}"`
}

function escapeGo(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code < 0x80) return ESCAPES[character] ?? `\\x${hex.padStart(2, '0')}`
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** Returns the length that Go's len(text) returns: bytes of UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
