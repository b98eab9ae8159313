import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256Hex, truncateName } from './truncated-name.ts'

test.each([
  { reason: '63 bytes stay', identifier: 'a'.repeat(63), name: 'a'.repeat(63) },
  {
    reason: '64 bytes are cut to 54, a dash and 8 digits of the SHA-1',
    identifier: `fleet-edge-01-${'p'.repeat(49)}q`,
    name: `fleet-edge-01-${'p'.repeat(40)}-317a52a7`,
  },
  { reason: 'bytes count, not characters', identifier: 'ä'.repeat(32), name: `${'ä'.repeat(27)}-${sha1('ä'.repeat(32))}` },
])('$reason', ({ identifier, name }) => {
  expect(truncateName(identifier)).toBe(name)
})

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 8)
}

test('no name is over 63 bytes, and names of ASCII identifiers differ when the identifiers do', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9-]{0,120}$/), fc.stringMatching(/^[a-z0-9-]{0,120}$/), (a, b) => {
      expect(truncateName(a).length).toBeLessThanOrEqual(63)
      expect(truncateName(a) === truncateName(b)).toBe(a === b)
    }),
  )
})

test('a name may have fewer bytes than 63, and keeps the dash and the 8 digits', () => {
  expect(truncateName('a'.repeat(10), 10)).toBe('a'.repeat(10))
  expect(truncateName('a'.repeat(11), 10)).toBe(`a-${sha1('a'.repeat(11))}`)
})

test('the SHA-256 of a text is the one of its bytes in UTF-8, as FIPS 180-4 has it for abc', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256Hex('ä')).toBe(sha256Hex(new Uint8Array([0xc3, 0xa4])))
})
