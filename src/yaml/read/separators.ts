import { type Node, walk } from './node.ts'

/** The characters that go-yaml v3, like YAML 1.1, takes for the end of a line, each with the demand for its spelling. */
const DEMANDS: ReadonlyMap<string, string> = new Map([
  ['\x85', 'U+0085 must be written as \\N'],
  ['\u2028', 'U+2028 must be written as \\L'],
  ['\u2029', 'U+2029 must be written as \\P'],
])

const SEPARATOR = /[\x85\u2028\u2029]/g

/**
 * Matches the uses between quotes that go-yaml changes: it turns U+0085 into a space, and changes U+2028 and U+2029 beside blanks and
 * beside document markers.
 */
const MEANS_MORE = /\x85|[ \t\r\n][\u2028\u2029]|[\u2028\u2029](?:[ \t\r\n]|---|\.\.\.)/

/**
 * Returns the offset of the first separator that go-yaml reads differently: each one outside the quotes of a value, and in quotes one
 * that go-yaml changes. Returns undefined when there is none.
 *
 * @see go-yaml v3 scannerc.go
 */
export function oddSeparator(text: string, root: Node): number | undefined {
  const odd = new Set(Array.from(text.matchAll(SEPARATOR), ({ index }) => index))
  if (odd.size === 0) return undefined
  for (const { node } of walk(root)) {
    if (node.type !== 'scalar' || (node.style !== 'single' && node.style !== 'double')) continue
    if (MEANS_MORE.test(text.slice(node.start, node.end))) continue
    for (let at = node.start; at < node.end; at++) odd.delete(at)
  }
  const [first] = odd
  return first
}

/** Returns the message for the separator at an offset, by default the first of the text; undefined when there is none. */
export function describeSeparator(text: string, offset = text.search(SEPARATOR)): string | undefined {
  const demand = DEMANDS.get(text.charAt(offset))
  return demand && `${demand} in double quotes, since other readers end the line there`
}

export const MARK_IN_KEY =
  'U+FEFF, a byte order mark that nobody sees, must not be in a key: remove it, or write it as \\uFEFF in double quotes'

/**
 * Returns the offset of the first byte order mark in a plain key; undefined when there is none. YAML 1.2.2 (5.2) allows none there. Readers
 * take the mark for a part of the key or drop it. Concatenated files have a mark before the first key of each file.
 */
export function markInKey(text: string, root: Node): number | undefined {
  if (!text.includes('\ufeff', 1)) return undefined
  for (const { key } of walk(root)) {
    const at = key?.style === 'plain' ? text.slice(key.start, key.end).indexOf('\ufeff') : -1
    if (key !== undefined && at !== -1) return key.start + at
  }
  return undefined
}
