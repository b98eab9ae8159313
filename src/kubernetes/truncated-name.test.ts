import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncateName } from './truncated-name.ts'

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
