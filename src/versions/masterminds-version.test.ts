import { expect, test } from 'vitest'
import { DIALECTS } from './dialects.ts'
import { orderOf, parsedVersion } from './testing/answer-of.ts'

const { m150, m331, m350 } = DIALECTS

test.each([
  ['1.0.0', '2.0.0'],
  ['1.2.0', '1.10.0'],
  ['1.0.2', '1.0.10'],
  ['1.0.0-rc.1', '1.0.0'],
  ['1.0.0-rc', '1.0.0-rc.1'],
  ['1.0.0-rc.2', '1.0.0-rc.10'],
  ['1.0.0-1', '1.0.0-alpha'],
  ['1.0.0-1', '1.0.0--a'],
  ['1.0.0-99', '1.0.0-18446744073709551616'],
  ['1.0.0-alpha', '1.0.0-beta'],
  ['131072.0.0', '131073.0.0'],
  ['1.0.131072', '1.1.0'],
  ['18446744073709551614.0.0', '18446744073709551615.0.0'],
])('%s is lower than %s', (low, high) => {
  expect([orderOf(low, high, m350), orderOf(high, low, m350), orderOf(low, low, m350)]).toEqual([-1, 1, 0])
})

test('build metadata has no order', () => {
  expect(orderOf('1.0.0+1', '1.0.0+2', m350)).toBe(0)
})

test('two spellings of one number are never equal', () => {
  expect([orderOf('1.0.0-1', '1.0.0-01', m150), orderOf('1.0.0-01', '1.0.0-1', m150)]).toEqual([-1, -1])
})

test.each([
  ['1', '1.0.0'],
  ['v1.2', '1.2.0'],
  ['01.2.3', '1.2.3'],
  ['1.2.3+build.17-a', '1.2.3'],
])('%s is read as %s', (text, version) => {
  for (const dialect of [m150, m350]) expect(orderOf(text, version, dialect)).toBe(0)
})

test.each([
  ['01.2.3', m331, 'Invalid Semantic Version'],
  ['1.02.3', m331, 'Invalid Semantic Version'],
  ['1.2.03', m331, 'Invalid Semantic Version'],
  ['1.2.3-01', m331, 'Invalid Semantic Version'],
  ['1.2.3-01', m350, 'version segment starts with 0'],
  ['1.2.3-a.001', m350, 'version segment starts with 0'],
  ['1.2.3.4', m350, 'invalid semantic version'],
  ['x1.2.3', m350, 'invalid semantic version'],
  ['18446744073709551616', m350, 'error parsing version segment: strconv.ParseUint: parsing "18446744073709551616": value out of range'],
  [
    '1.18446744073709551616.0',
    m331,
    'Error parsing version segment: strconv.ParseUint: parsing "18446744073709551616": value out of range',
  ],
  [
    '1.0.18446744073709551616',
    m350,
    'error parsing version segment: strconv.ParseUint: parsing "18446744073709551616": value out of range',
  ],
  [`1.0.0-${'a'.repeat(251)}`, m350, 'version string is too long (max 256 bytes)'],
])('the version %s is refused: %s', (text, dialect, error) => {
  expect(dialect.parseVersion(text)).toEqual({ ok: false, error })
})

test('a version may have the most bytes that 3.5 reads, and build metadata is read in its parts', () => {
  expect(m350.parseVersion(`1.0.0-${'a'.repeat(250)}`).ok).toBe(true)
  expect(['1.0.0+b.2', '1.0.0'].map((text) => parsedVersion(text, m350).build)).toEqual([['b', '2'], []])
})

test('a word of a prerelease may begin with 0, and a number be 0', () => {
  for (const text of ['1.2.3-01a', '1.2.3-0', '1.2.3-a.0'])
    expect([m331.parseVersion(text).ok, m350.parseVersion(text).ok]).toEqual([true, true])
})
