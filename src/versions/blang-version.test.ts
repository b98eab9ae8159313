import { expect, test } from 'vitest'
import { compareGlasskube, isUpgradable } from './blang-version.ts'
import { DIALECTS } from './dialects.ts'
import { orderOf, parsedVersion } from './testing/answer-of.ts'

const { blang, k14s, carvelhead } = DIALECTS
const OUT_OF_RANGE = 'strconv.ParseUint: parsing "18446744073709551616": value out of range'

test.each([
  ['', 'Version string empty'],
  ['1.2', 'No Major.Minor.Patch elements found'],
  ['v1.2.3', 'Invalid character(s) found in major number "v1"'],
  ['1.a.3', 'Invalid character(s) found in minor number "a"'],
  ['1.2.3.4', 'Invalid character(s) found in patch number "3.4"'],
  ['01.2.3', 'Major number must not contain leading zeroes "01"'],
  ['1.02.3', 'Minor number must not contain leading zeroes "02"'],
  ['1..3', 'strconv.ParseUint: parsing "": invalid syntax'],
  ['18446744073709551616.0.0', OUT_OF_RANGE],
  ['1.2.3-', 'PreRelease is empty'],
  ['1.2.3-a_b', 'Invalid character(s) found in PreRelease "a_b"'],
  ['1.2.3-01', 'Numeric PreRelease version must not contain leading zeroes "01"'],
  ['1.2.3-18446744073709551616', OUT_OF_RANGE],
  ['1.2.3+', 'BuildMeta is empty'],
  ['1.2.3+a_b', 'Invalid character(s) found in BuildMeta "a_b"'],
  ['1.2.3+18446744073709551616', OUT_OF_RANGE],
])('the version %j is refused: %s', (text, error) => {
  expect(k14s.parseVersion(text)).toEqual({ ok: false, error })
})

test.each([
  ['1.2.3-', 'Prerelease is empty'],
  ['1.2.3-a_b', 'Invalid character(s) found in prerelease "a_b"'],
  ['1.2.3+', 'Build meta data is empty'],
  ['1.2.3+a_b', 'Invalid character(s) found in build meta data "a_b"'],
])('blang itself refuses %j in its own words', (text, error) => {
  expect(blang.parseVersion(text)).toEqual({ ok: false, error })
})

test('blang itself reads build metadata of any size, and carvel-dev names the kind of number that is too large', () => {
  expect(blang.parseVersion('1.2.3+18446744073709551616').ok).toBe(true)
  expect(carvelhead.parseVersion('1.2.3-18446744073709551616')).toEqual({
    ok: false,
    error: `Invalid numeric PreRelease "18446744073709551616": ${OUT_OF_RANGE}`,
  })
})

test.each([
  ['1.0.0', '2.0.0'],
  ['1.2.0', '1.10.0'],
  ['1.0.2', '1.0.10'],
  ['1.0.0-rc.1', '1.0.0'],
  ['1.0.0-rc', '1.0.0-rc.1'],
  ['1.0.0-rc.2', '1.0.0-rc.10'],
  ['1.0.0-1', '1.0.0-x'],
  ['1.0.0-1', '1.0.0--a'],
  ['1.0.0-alpha', '1.0.0-beta'],
])('%s is lower than %s for every library', (low, high) => {
  for (const dialect of [blang, k14s, carvelhead])
    expect([orderOf(low, high, dialect), orderOf(high, low, dialect), orderOf(low, low, dialect)]).toEqual([-1, 1, 0])
})

test.each([
  ['1.0.0-1', '1.0.0-rc'],
  ['1.0.0-rc10', '1.0.0-rc2'],
  ['1.0.0-aaa', '1.0.0-beta'],
])('before 2026 %s is lower than %s: a number is below every word, and words go by their letters', (low, high) => {
  for (const dialect of [blang, k14s]) expect([orderOf(low, high, dialect), orderOf(high, low, dialect)]).toEqual([-1, 1])
})

test('build metadata counts for kapp-controller alone', () => {
  expect(orderOf('1.0.0+1', '1.0.0+2', blang)).toBe(0)
  for (const dialect of [k14s, carvelhead]) {
    expect(orderOf('1.0.0+1', '1.0.0+2', dialect)).toBe(-1)
    expect(orderOf('1.0.0', '1.0.0+1', dialect)).toBe(-1)
    expect(orderOf('1.0.1+1', '1.0.0+2', dialect)).toBe(1)
  }
})

test.each([
  ['a number is above rc', '1.0.0-rc', '1.0.0-1'],
  ['a number is above a word with a dash and a mark', '1.0.0-x-beta', '1.0.0-1'],
  ['a word with a mark is below one without', '1.0.0-beta', '1.0.0-aaa'],
  ['words go by their numbers', '1.0.0-rc2', '1.0.0-rc10'],
  ['a word is below the same word with more', '1.0.0-rc', '1.0.0-rc1'],
  ['words go by their numbers, whatever zeros these have', '1.0.0-rc1b', '1.0.0-rc02a'],
  ['words with equal numbers go by what follows', '1.0.0-rc01a', '1.0.0-rc1b'],
  ['a word that begins with a number is below one that begins with a letter', '1.0.0-1x', '1.0.0-x1'],
  ['numbers go by their values', '1.0.0-9', '1.0.0-10'],
  ['a word without a mark is above a number', '1.0.0-9', '1.0.0-x'],
  ['a word with a mark and no dash is above a number', '1.0.0-9', '1.0.0-beta'],
  ['a release candidate in capitals is below a number', '1.0.0-RC', '1.0.0-1'],
  ['words without numbers go by their letters', '1.0.0-aaa', '1.0.0-bbb'],
  ['the first part that differs decides', '1.0.0-rc.2.9', '1.0.0-rc.10.1'],
])('in 2026 %s', (_rule, low, high) => {
  expect([orderOf(low, high, carvelhead), orderOf(high, low, carvelhead)]).toEqual([-1, 1])
})

test.each([
  ['v1.0.0', 'v1.0.1', true],
  ['v1.0.1', 'v1.0.0', false],
  ['v1.0.0', 'v1.0.0', false],
  ['v1.0.0+1', 'v1.0.0+1', false],
  ['v1.0.0+a', 'v1.0.0+a', false],
  ['v1.0.0+a.1', 'v1.0.0+a.1', false],
  ['v1.0.0+01', 'v1.0.0+1', false],
  ['v1.0.0+1', 'v1.0.0+2', true],
  ['v1.0.0+10', 'v1.0.0+9', false],
  ['v1.0.0+-2', 'v1.0.0+-1', true],
  ['v1.0.0', 'v1.0.0+1', true],
  ['v1.0.0+1', 'v1.0.0', false],
  ['v1.0.0+a', 'v1.0.0+b', true],
  ['v1.0.0+b', 'v1.0.0+a', true],
  ['v1.0.0+2', 'v1.0.0+a', true],
  ['v1.0.0+9223372036854775808', 'v1.0.0+1', true],
  ['main', 'v1.0.0', true],
  ['main', 'main', false],
  ['v1.0.0', 'main', true],
])('Glasskube with %s installed and %s wanted: upgrade %s', (installed, desired, expected) => {
  expect(isUpgradable(installed, desired)).toBe(expected)
})

test.each([
  ['v1.0.0+1', 'v1.0.0+2', -1],
  ['v1.0.0+2', 'v1.0.0+1', 1],
  ['v1.0.0+1', 'v1.0.0+1', 0],
  ['v1.0.0+9', 'v1.0.1', -1],
])('Glasskube compares %s with %s: %i', (a, b, order) => {
  const { m331 } = DIALECTS
  expect(compareGlasskube(parsedVersion(a, m331), parsedVersion(b, m331))).toBe(order)
})
