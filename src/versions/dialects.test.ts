import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DIALECTS, type Dialect } from './dialects.ts'
import { answerOf as check, parsedVersion } from './testing/answer-of.ts'

const dialects: readonly (readonly [string, Dialect])[] = Object.entries(DIALECTS)
const number = fc.constantFrom('0', '1', '2', '10', '18446744073709551615')
const texts = fc
  .tuple(number, number, number, fc.constantFrom('', '-0', '-alpha.1', '-rc.1', '-x'), fc.constantFrom('', '+1', '+b.2'))
  .map(([major, minor, patch, pre, build]) => `${major}.${minor}.${patch}${pre}${build}`)

describe.each(dialects)('%s', (_name, dialect) => {
  test('orders versions totally', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 3, maxLength: 3 }), (three) => {
        const [a, b, c] = three.map((text) => parsedVersion(text, dialect)).sort(dialect.compare)
        return a !== undefined && b !== undefined && c !== undefined && dialect.compare(a, c) <= 0 && dialect.compare(b, a) >= 0
      }),
    )
    expect(dialect.compare(parsedVersion('1.10.0', dialect), parsedVersion('1.9.0', dialect))).toBe(1)
  })

  test('a version is in >= of itself, and not in < of itself', () => {
    fc.assert(fc.property(texts, (text) => check(`>=${text}`, text, dialect) === true && check(`<${text}`, text, dialect) === false))
    expect(check('>=1.0.0', '1.0.0', dialect)).toBe(true)
  })
})

test.each([
  { reason: '3.3.1 has no limit', constraint: '1.0.0'.padEnd(513), dialect: DIALECTS.m331, answer: true },
  {
    reason: 'a constraint of spaces is fast, though a regular expression could be slow',
    constraint: `1${' '.repeat(400)}!`,
    dialect: DIALECTS.m331,
    answer: `improper constraint: 1${' '.repeat(400)}!`,
  },
])('$reason', ({ constraint, dialect, answer }) => {
  expect(check(constraint, '1.0.0', dialect)).toBe(answer)
})

test('the example of each package manager is a range that admits 1.0.0 and not 2.0.0', () => {
  for (const dialect of Object.values(DIALECTS))
    expect(['1.0.0', '2.0.0'].map((version) => check(dialect.example, version, dialect))).toEqual([true, false])
})

test('what is longer than 4,096 characters is refused unread', () => {
  const long = '1.0.0 - '.repeat(25_000)
  const error = 'it has 200000 characters, and at most 4096 are read'
  for (const dialect of Object.values(DIALECTS)) {
    expect(dialect.parseConstraint(long)).toEqual({ ok: false, error })
    expect(dialect.parseVersion(`1.0.0-${'a'.repeat(4091)}`).ok).toBe(false)
  }
  expect(DIALECTS.m331.parseVersion(`1.0.0-${'a'.repeat(4090)}`).ok).toBe(true)
})

test.each(['m350', 'm331'] as const)('%s: a version of two numbers stands for all its patches, so that >1.2 excludes 1.2.5', (name) => {
  const { [name]: dialect } = DIALECTS
  expect(check('>1.2', '1.2.5', dialect)).not.toBe(true)
  expect(check('>1.2', '1.3.0', dialect)).toBe(true)
  expect(check('>=1.2', '1.2.0', dialect)).toBe(true)
})
