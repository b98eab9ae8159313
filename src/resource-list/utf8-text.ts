import { MAX_INPUT_BYTES } from './limits.ts'
import { positionAt, WireError } from './wire-error.ts'

/**
 * The text of bytes that come in chunks. A chunk is let go once it is text, so a large input does not stand in memory twice.
 *
 * @throws WireError  when the bytes are no UTF-8, with the place, or too many
 */
export async function utf8Text(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const parts: string[] = []
  let count = 0
  let tail: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    count += chunk.length
    if (count > MAX_INPUT_BYTES) throw new WireError(`expected at most ${MAX_INPUT_BYTES} bytes, found more`)
    const text = decodeChunk(decoder, chunk)
    if (text === undefined) throw badByte(parts.join(''), [...tail, ...chunk])
    parts.push(text)
    tail = unfinished(new Uint8Array([...tail, ...chunk.slice(-3)]).slice(-3))
  }
  if (tail.length > 0) throw badByte(parts.join(''), [...tail])
  return parts.join('')
}

function decodeChunk(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): string | undefined {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    return undefined
  }
}

/** The bytes at the end of a chunk that begin a character and do not end it. */
function unfinished(end: Uint8Array): Uint8Array {
  const lead = end.findLastIndex((byte) => byte >= 0xc0)
  return lead !== -1 && end.length - lead < characterLength(end[lead] ?? 0) ? end.slice(lead) : new Uint8Array()
}

/** @param lead  the first byte of a character that has more than one */
function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}

/** The place of the first byte that is no UTF-8, behind a text that is. */
function badByte(before: string, bytes: readonly number[]): WireError {
  const good = new TextDecoder().decode(new Uint8Array(bytes)).split('\ufffd')[0] ?? ''
  return new WireError('expected UTF-8, found other bytes', positionAt(before + good, before.length + good.length))
}
