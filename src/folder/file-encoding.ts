import { isUtf8 } from 'node:buffer'

/** Returns the text of a file in UTF-8; undefined for a file in another encoding, and for a binary one, which holds the byte 0. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes) || bytes.includes(0)) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** Returns the text of a file that is not in UTF-8, as far as its encoding is known, and a description of the encoding for messages. */
export function otherEncoding(bytes: Uint8Array): { readonly text: string; readonly encoding: string } {
  const text = decodeUtf16(bytes)
  if (text !== undefined) return { text, encoding: ', is UTF-16' }
  const isBinary = bytes.includes(0)
  return { text: Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1'), encoding: isBinary ? ', is binary' : '' }
}

/**
 * Returns the text of a file in UTF-16: one with its byte order mark, or one of which every second byte is zero, as of a text in ASCII;
 * undefined for any other file.
 */
function decodeUtf16(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && isZeroAtEvery(bytes, 1))
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && isZeroAtEvery(bytes, 0))
  return isLittle || isBig ? new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes) : undefined
}

/** Returns true if every second byte of the beginning of a file is zero, from the given one on, and no other byte. */
function isZeroAtEvery(bytes: Uint8Array, start: 0 | 1): boolean {
  return bytes.subarray(0, LOOKED_AT).every((byte, index) => (byte === 0) === (index % 2 === start))
}

const LOOKED_AT = 1000
