import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Text } from './utf8-text.ts'

async function* chunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    yield bytes.subarray(at, at + size)
    at += size
  }
}

test('any text comes back whatever the chunks, a byte order mark too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0, max: 5 })), async (text, sizes) => {
      const bytes = new TextEncoder().encode(`\ufeff${text}`)
      expect(await utf8Text(chunks(bytes, sizes))).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
    }),
  )
})

test.each([
  { reason: 'a byte that begins nothing', bytes: [97, 10, 98, 0xff, 99], sizes: [], place: '(line 2, column 2)' },
  { reason: 'a character cut by another', bytes: [97, 0xc3, 97], sizes: [2], place: '(line 1, column 2)' },
  { reason: 'a character cut by the end', bytes: [97, 10, 0xe2, 0x82], sizes: [3], place: '(line 2, column 1)' },
  {
    reason: 'a column counts characters, not bytes',
    bytes: [0xc3, 0xa4, 0xf0, 0x9f, 0x98, 0x80, 0x80],
    sizes: [3, 1],
    place: '(line 1, column 3)',
  },
])('refused with its place: $reason', async ({ bytes, sizes, place }) => {
  await expect(utf8Text(chunks(new Uint8Array(bytes), sizes))).rejects.toThrow(`expected UTF-8, found other bytes ${place}`)
})
