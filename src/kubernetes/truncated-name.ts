/** The length in bytes of the longest name that is also a valid label value. */
const MAX_NAME_BYTES = 63
const HASH_DIGITS = 8

/**
 * Returns Node's crypto module. Loaded for the first name that is too long: an import would add some milliseconds to every start, a tenth
 * of the time that a function adds to Node's own start.
 */
function crypto() {
  return process.getBuiltinModule('node:crypto')
}

/**
 * Returns a name of at most 63 bytes for an identifier: the identifier itself, or its first 54 bytes, `-` and 8 hex digits of its SHA-1
 * (seed 001, Name Generation). A character that the cut would split becomes U+FFFD, as in Go's JSON.
 *
 * @param most  the number of bytes of the name, if not 63
 */
export function truncateName(identifier: string, most = MAX_NAME_BYTES): string {
  // As nearly all names: one byte for each character.
  if (identifier.length <= most && /^[ -~]*$/.test(identifier)) return identifier
  const bytes = new TextEncoder().encode(identifier)
  if (bytes.length <= most) return identifier
  const kept = new TextDecoder().decode(bytes.subarray(0, most - HASH_DIGITS - 1))
  const hash = crypto().createHash('sha1').update(bytes).digest('hex').slice(0, HASH_DIGITS)
  return `${kept}-${hash}`
}

/** Returns the SHA-256 of a text or of bytes, in hex. */
export function sha256Hex(content: string | Uint8Array): string {
  return crypto().createHash('sha256').update(content).digest('hex')
}
