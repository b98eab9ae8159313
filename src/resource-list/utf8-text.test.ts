import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_INPUT_BYTES } from './limits.ts'
import { refuseSize, utf8Text } from './utf8-text.ts'

test('any text comes back, a byte order mark too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = new TextEncoder().encode(`\ufeff${text}`)
      expect(utf8Text(bytes)).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
    }),
  )
})

test('a text of ASCII comes back, also from the middle of a buffer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      expect(utf8Text(new TextEncoder().encode(`ä${text}ä`).subarray(2, 2 + text.length))).toBe(text)
    }),
  )
})

test.each([
  { reason: 'a byte that begins nothing', bytes: [97, 10, 98, 0xff, 99], place: '(line 2, column 2)' },
  { reason: 'a character cut by another', bytes: [97, 0xc3, 97], place: '(line 1, column 2)' },
  { reason: 'a character cut by the end', bytes: [97, 10, 0xe2, 0x82], place: '(line 2, column 1)' },
  { reason: 'half of a surrogate pair', bytes: [97, 0xed, 0xa0, 0x80], place: '(line 1, column 2)' },
  { reason: 'a column counts characters, not bytes', bytes: [0xc3, 0xa4, 0xf0, 0x9f, 0x98, 0x80, 0x80], place: '(line 1, column 3)' },
  {
    reason: 'replacement characters that are written',
    bytes: [0xef, 0xbf, 0xbd, 0xc3, 0xa4, 0xef, 0xbf, 0xbd, 0xff],
    place: '(line 1, column 4)',
  },
])('refused with its place: $reason', ({ bytes, place }) => {
  expect(() => utf8Text(new Uint8Array(bytes))).toThrow(`expected UTF-8, found other bytes ${place}`)
})

test.each([
  { bytes: [0xff, 0xfe, 97, 0], what: 'UTF-16 (line 1, column 1)' },
  { bytes: [0xfe, 0xff, 0, 97], what: 'UTF-16 (line 1, column 1)' },
  { bytes: [0x1f, 0x8b, 8, 0], what: 'a gzip file (line 1, column 2)' },
])('$what is called by its name', ({ bytes, what }) => {
  expect(() => utf8Text(new Uint8Array(bytes))).toThrow(`expected UTF-8, found ${what}`)
})

test('as many bytes as are read, and not one more', () => {
  expect(() => refuseSize(MAX_INPUT_BYTES)).not.toThrow()
  expect(() => refuseSize(MAX_INPUT_BYTES + 1)).toThrow(`expected at most ${MAX_INPUT_BYTES} bytes, found more`)
})
