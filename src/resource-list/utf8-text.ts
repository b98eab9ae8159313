import { positionAt } from '../yaml/read/lines.ts'
import { MAX_INPUT_BYTES } from './limits.ts'
import { WireError } from './wire-error.ts'

/**
 * Decodes UTF-8 bytes.
 *
 * @throws WireError  with line and column when the bytes are not UTF-8; when there are too many bytes
 */
export function utf8Text(bytes: Uint8Array): string {
  refuseSize(bytes.length)
  // ASCII, as nearly all lists, is copied without being decoded: a tenth of the time.
  const { Buffer, isAscii } = process.getBuiltinModule('node:buffer')
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw badByte(bytes)
  }
}

/**
 * Checks a number of bytes against the limit.
 *
 * @throws WireError  when there are too many bytes
 */
export function refuseSize(count: number): void {
  if (count > MAX_INPUT_BYTES) throw new WireError(`expected at most ${MAX_INPUT_BYTES} bytes, found more`)
}

const REPLACEMENT = '\ufffd'

/** The first bytes of the kinds of files that are most often passed as text by mistake. */
const BEGINNINGS: readonly { readonly bytes: readonly number[]; readonly what: string }[] = [
  { bytes: [0xff, 0xfe], what: 'UTF-16' },
  { bytes: [0xfe, 0xff], what: 'UTF-16' },
  { bytes: [0x1f, 0x8b], what: 'a gzip file' },
]

/**
 * Returns the error for the first byte that is not UTF-8: the first replacement character of the decoder that the bytes themselves do
 * not contain.
 */
function badByte(bytes: Uint8Array): WireError {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let at = text.indexOf(REPLACEMENT)
  let offset = byteLength(text.slice(0, at))
  while (isReplacement(bytes, offset)) {
    const next = text.indexOf(REPLACEMENT, at + 1)
    offset += byteLength(text.slice(at, next))
    at = next
  }
  const known = BEGINNINGS.find((beginning) => beginning.bytes.every((byte, index) => bytes[index] === byte))
  return new WireError(`expected UTF-8, found ${known?.what ?? 'other bytes'}`, positionAt(text, at))
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

function isReplacement(bytes: Uint8Array, offset: number): boolean {
  return bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd
}
