import { expect, test } from 'vitest'
import { DIALECTS } from './dialects.ts'
import { answerOf, orderOf } from './testing/answer-of.ts'

const { blang, k14s, carvelhead } = DIALECTS
const OUT_OF_RANGE = 'strconv.ParseUint: parsing "18446744073709551616": value out of range'

test.each([
  ['1.2.3', '1.2.3', ['1.2.4']],
  ['=1.2.3', '1.2.3', ['1.2.4']],
  ['==1.2.3', '1.2.3', ['1.2.4']],
  ['!=1.2.3', '1.2.4', ['1.2.3']],
  ['!1.2.3', '1.2.4', ['1.2.3']],
  ['>1.2.3', '1.2.4', ['1.2.3', '1.2.2']],
  ['>=1.2.3', '1.2.3 1.2.4', ['1.2.2']],
  ['<1.2.3', '1.2.2', ['1.2.3', '1.2.4']],
  ['<=1.2.3', '1.2.3 1.2.2', ['1.2.4']],
  ['>=1.0.0 <2.0.0', '1.0.0 1.9.9', ['0.9.9', '2.0.0']],
  ['>= 1.0.0', '1.0.0', ['0.9.9']],
  ['1.0.0 || 2.0.0', '1.0.0 2.0.0', ['1.5.0']],
  ['1.2.x', '1.2.0 1.2.9', ['1.1.9', '1.3.0']],
  ['1.x', '1.0.0 1.9.9', ['0.9.9', '2.0.0']],
  ['=1.x', '1.9.9', ['2.0.0']],
  ['==1.x.x', '1.0.9', ['1.1.0', '2.0.0']],
  ['>1.x', '2.0.0', ['1.9.9']],
  ['>=1.x', '1.0.0 2.0.0', ['0.9.9']],
  ['<1.x', '0.9.9', ['1.0.0']],
  ['<=1.x', '1.9.9 0.9.9', ['2.0.0']],
])('%s admits %s and none of %j', (range, admitted, refused) => {
  for (const dialect of [blang, k14s, carvelhead]) {
    expect(admitted.split(' ').map((version) => answerOf(range, version, dialect))).toEqual(admitted.split(' ').map(() => true))
    expect(refused.map((version) => answerOf(range, version, dialect))).toEqual(refused.map(() => false))
  }
})

test.each(['!=1.x', '!1.x'])('%s admits nothing: the library joins below 1.0.0 and from 2.0.0 with "and"', (range) => {
  for (const version of ['0.9.9', '1.5.0', '2.0.0']) expect(answerOf(range, version, k14s)).toBe(false)
})

test('a wildcard of 2026 ends below the prereleases of the next version', () => {
  expect([answerOf('1.x', '2.0.0-alpha.1', k14s), answerOf('1.x', '2.0.0-alpha.1', carvelhead)]).toEqual([true, false])
})

test('an x outside of major.minor.patch is a wildcard only before 2026', () => {
  expect(answerOf('1.0.0-x', '1.0.0-x', carvelhead)).toBe(true)
  expect(answerOf('1.0.0-x', '1.0.0-x', k14s)).not.toBe(true)
})

test.each([
  ['|| 1.0.0', "First element in range is '||'"],
  ['1.0.0 ||', "Last element in range is '||'"],
  ['', "Last element in range is '||'"],
  ['>=x', 'Could not get version from string: ">=x"'],
  ['>=', 'Could not get version from string: ">="'],
  ['1.0', 'No Major.Minor.Patch elements found'],
])('the range %j is refused: %s', (range, error) => {
  const refused = answerOf(range, '1.0.0', k14s)
  expect(String(refused)).toContain(error)
})

test('a range with an empty group panics unless an earlier group holds', () => {
  const parsed = k14s.parseConstraint('2.0.0 || || 1.0.0')
  expect(parsed.ok && parsed.value.panics).toBe(true)
  expect(answerOf('2.0.0 || || 1.0.0', '2.0.0', k14s)).toBe(true)
  const whole = k14s.parseConstraint('>=1.0.0 || 2.0.0')
  expect(whole.ok && [whole.value.panics, whole.value.literals.map(({ text }) => text)]).toEqual([false, ['1.0.0', '2.0.0']])
})

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
  ['1.0.0-alpha', '1.0.0-beta'],
])('%s is lower than %s for every library', (low, high) => {
  for (const dialect of [blang, k14s, carvelhead])
    expect([orderOf(low, high, dialect), orderOf(high, low, dialect), orderOf(low, low, dialect)]).toEqual([-1, 1, 0])
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
])('in 2026 %s', (_rule, low, high) => {
  expect([orderOf(low, high, carvelhead), orderOf(high, low, carvelhead)]).toEqual([-1, 1])
})
