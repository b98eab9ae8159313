import { expect, test } from 'vitest'
import { DIALECTS } from './dialects.ts'
import { answerOf } from './testing/answer-of.ts'

const { blang, k14s, carvelhead } = DIALECTS

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
  ['> 1.0.0', '1.0.1', ['1.0.0']],
  ['>=\t1.0.0', '1.0.1', ['0.9.9']],
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

// splitAndTrim joins a version to `<`, `>` or `=` before a space, and drops a word of one byte.
test('a `!` before a space is dropped: the version alone is admitted', () => {
  for (const dialect of [blang, k14s, carvelhead])
    expect(['1.0.0', '2.0.0'].map((version) => answerOf('! 1.0.0', version, dialect))).toEqual([true, false])
})

test.each(['!=1.x', '!1.x'])('%s admits nothing: the library joins below 1.0.0 and from 2.0.0 with "and"', (range) => {
  for (const version of ['0.9.9', '1.5.0', '2.0.0']) expect(answerOf(range, version, k14s)).toBe(false)
})

test('the versions of a wildcard are its lowest one and the next', () => {
  const versionsOf = (range: string) => {
    const parsed = k14s.parseConstraint(range)
    return parsed.ok && parsed.value.literals.map(({ text }) => text)
  }
  expect(['1.x', '!=1.2.x', '!1.x', '>1.x', '>=1.2.x'].map(versionsOf)).toEqual([
    ['1.0.0', '2.0.0'],
    ['1.2.0', '1.3.0'],
    ['1.0.0', '2.0.0'],
    ['2.0.0'],
    ['1.2.0'],
  ])
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
  expect(['2.0.0', '1.0.0'].map((version) => answerOf('2.0.0 || || 1.0.0', version, k14s))).toEqual([true, 'panics'])
  const whole = k14s.parseConstraint('>=1.0.0 || 2.0.0')
  expect(whole.ok && [whole.value.panics, whole.value.literals.map(({ text }) => text)]).toEqual([false, ['1.0.0', '2.0.0']])
})

test.each([
  ['a word of one byte is dropped', '1.0.0 7 \u007f', true],
  ['but none of two', '1.0.0 \u0080', 'Could not get version from string: "\\u0080"'],
  ['spaces at both ends are dropped', '  1.0.0  ', true],
  ['spaces behind an operator belong to it', '>=   1.0.0   <   2.0.0', true],
])('of the words of a range, %s', (_, range, answer) => {
  expect(answerOf(range, '1.0.0', k14s)).toBe(answer)
})

test.each([
  ['=<1.0.0', 'Could not parse Range "=<1.0.0": Could not parse comparator "=<" in "=<1.0.0"'],
  ['>=1.0', 'Could not parse Range ">=1.0": Could not parse version "1.0" in ">=1.0": No Major.Minor.Patch elements found'],
  ['>=  1.0', 'Could not parse Range ">=1.0": Could not parse version "1.0" in ">=1.0": No Major.Minor.Patch elements found'],
  ['~1.0.0', 'Could not parse Range "~1.0.0": Could not parse comparator "~" in "~1.0.0"'],
])('the error of the range %j names the word and its part: %s', (range, error) => {
  expect(answerOf(range, '1.0.0', k14s)).toBe(error)
})

test.each([
  ['an x that stands for the major number', 'x.1.0', '0.1.0'],
  ['the number before the x must have a next one', '9223372036854775807.x', '9223372036854775807.0.0'],
])('a wildcard needs a number before it: %s', (_, range, version) => {
  expect(answerOf(range, version, k14s)).not.toBe(true)
})

test('before a wildcard, an unknown operator is dropped, and the version is the lowest of the wildcard', () => {
  expect(['1.0.0', '1.5.0'].map((version) => answerOf('^1.x', version, k14s))).toEqual([true, false])
})

test('a number one below the largest has a next one', () => {
  expect(answerOf('9223372036854775806.x', '9223372036854775806.5.0', k14s)).toBe(true)
  expect(answerOf('9223372036854775806.x', '9223372036854775807.0.0', k14s)).toBe(false)
})
