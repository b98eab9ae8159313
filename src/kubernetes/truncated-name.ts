/** The longest name, in bytes, that is also a legal label value. */
const MAX_NAME_BYTES = 63
const KEPT_BYTES = 54
const HASH_DIGITS = 8

/** Loaded for the first name that is too long: an import would cost every start some milliseconds, a tenth of what a function adds to Node's. */
function crypto() {
  return process.getBuiltinModule('node:crypto')
}

/**
 * A name of at most 63 bytes for an identifier: itself, or its first 54 bytes, `-` and 8 hex digits of its SHA-1
 * (seed 001, Name Generation). What is left of a character that the cut falls into becomes U+FFFD, as in Go's JSON.
 */
export function truncateName(identifier: string): string {
  const bytes = new TextEncoder().encode(identifier)
  if (bytes.length <= MAX_NAME_BYTES) return identifier
  const kept = new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES))
  const hash = crypto().createHash('sha1').update(bytes).digest('hex').slice(0, HASH_DIGITS)
  return `${kept}-${hash}`
}

/** The SHA-256 of a text, in hex. */
export function sha256Hex(text: string): string {
  return crypto().createHash('sha256').update(text).digest('hex')
}
