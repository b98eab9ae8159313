import { expect, test } from 'vitest'
import { DIALECTS } from './dialects.ts'
import { answerOf } from './testing/answer-of.ts'

const { m150, m331, m331validate, m350 } = DIALECTS

test.each([
  ['1.2.3', '1.2.3', ['1.2.4', '1.2.2', '2.2.3']],
  ['=1.2.3', '1.2.3', ['1.2.4']],
  ['=1.2', '1.2.9', ['1.3.0', '1.1.9']],
  ['!=1.2.3', '1.2.4', ['1.2.3']],
  ['!=1.2', '1.3.0 2.2.0', ['1.2.0', '1.2.9']],
  ['!=1', '2.0.0 0.1.0', ['1.0.0', '1.9.0']],
  ['!=*', '0.0.5 1.0.0', ['0.0.0']],
  ['>1.2.3', '1.2.4 2.0.0', ['1.2.3', '1.2.2']],
  ['>1.2', '1.3.0 2.0.0', ['1.2.0', '1.2.9', '0.3.0']],
  ['>1', '2.0.0', ['1.0.0', '1.9.9', '0.9.0']],
  ['>*', '0.0.1 1.0.0', ['0.0.0']],
  ['<1.2.3', '1.2.2', ['1.2.3', '1.2.4']],
  ['>=1.2.3', '1.2.3 1.2.4', ['1.2.2']],
  ['=>1.2.3', '1.2.3 1.2.4', ['1.2.2']],
  ['<=1.2.3', '1.2.3 1.2.2', ['1.2.4']],
  ['=<1.2.3', '1.2.3', ['1.2.4']],
  ['<=1.2', '1.2.9 1.1.0 0.9.0', ['1.3.0', '2.0.0']],
  ['<=1', '1.9.9 0.9.0', ['2.0.0']],
  ['~1.2.3', '1.2.3 1.2.9', ['1.2.2', '1.3.0', '2.2.3']],
  ['~>1.2.3', '1.2.9', ['1.3.0']],
  ['~1.2', '1.2.0 1.2.9', ['1.3.0', '2.2.0']],
  ['~1', '1.0.0 1.9.0', ['0.9.0', '2.0.0']],
  ['~0.2.0', '0.2.9', ['0.3.0', '1.2.0']],
  ['~1.0.0', '1.0.9', ['1.1.0']],
  ['~0.0.1', '0.0.9', ['0.1.0']],
  ['~0.0.0', '0.0.0 3.4.5', []],
  ['~0.0', '0.0.9', ['0.1.0']],
  ['~0', '0.9.0', ['1.0.0']],
  ['^1.2.3', '1.2.3 1.9.0', ['1.2.2', '2.0.0']],
  ['^0.2.3', '0.2.3 0.2.9', ['0.2.2', '0.3.0', '1.0.0']],
  ['^0.0.3', '0.0.3', ['0.0.2', '0.0.4', '0.1.0']],
  ['^0.0', '0.0.9', ['0.1.0']],
  ['^0', '0.9.0', ['1.0.0']],
  ['1.2.x', '1.2.0 1.2.9', ['1.3.0']],
  ['1.X', '1.9.0', ['2.0.0']],
  ['1.*', '1.9.0', ['2.0.0']],
  ['*', '0.0.0 3.4.5', []],
  ['1.0 - 2.0.0', '1.0.0 1.5.0 2.0.0', ['0.9.0', '2.0.1']],
  ['>=1.0, <2.0', '1.0.0 1.9.9', ['0.9.0', '2.0.0']],
  ['>=1.0 <2.0', '1.0.0', ['2.0.0']],
  ['1.0.0 || 3.0.0', '1.0.0 3.0.0', ['2.0.0']],
])('%s admits %s and none of %j', (constraint, admitted, refused) => {
  expect(admitted.split(' ').map((version) => answerOf(constraint, version, m350))).toEqual(admitted.split(' ').map(() => true))
  expect(refused.map((version) => answerOf(constraint, version, m350))).toEqual(refused.map(() => false))
})

test.each([
  ['=1.2', '1.2.0', ['1.2.1', '1.3.0']],
  ['1.2.x', '1.2.0 1.2.9', ['1.3.0']],
  ['!=1.2.3', '1.2.4', ['1.2.3']],
  ['!=1.2.x', '1.3.0 2.2.0', ['1.2.0', '1.2.9']],
  ['!=x', '1.0.0', ['0.0.0', '0.0.5']],
  ['!=1', '2.0.0', ['1.0.0', '1.9.0']],
  ['>1.2', '1.2.1 1.3.0', ['1.2.0', '1.1.0']],
  ['>1', '1.0.1', ['1.0.0']],
  ['<1', '0.9.0 1.9.0', ['2.0.0']],
  ['<1.2.x', '1.2.9', ['1.3.0', '2.0.0']],
  ['<=1.x', '1.9.0', ['2.0.0']],
  ['<=2.1.x', '1.0.0 2.1.9', ['1.5.0', '2.2.0']],
  ['=<2.1.x', '1.0.0 2.1.9', ['1.5.0', '2.2.0']],
  ['~1.2', '1.2.9', ['1.3.0']],
  ['^0.2.3', '0.2.3 0.9.0', ['0.2.2', '1.0.0']],
  ['^0.0.3', '0.9.0', ['0.0.2']],
  ['>=1.0,<2.0', '1.9.9', ['2.0.0']],
  ['1.0 - 2.0', '2.0.0', ['2.0.1']],
])('before v2.3 of Crossplane %s admits %s and none of %j', (constraint, admitted, refused) => {
  expect(admitted.split(' ').map((version) => answerOf(constraint, version, m150))).toEqual(admitted.split(' ').map(() => true))
  expect(refused.map((version) => answerOf(constraint, version, m150))).toEqual(refused.map(() => false))
})

test('in 1.5 only a comma joins comparators, and a prerelease may begin with 0', () => {
  expect(answerOf('>=1.0.0 <2.0.0', '1.0.0', m150)).toBe('improper constraint: >=1.0.0 <2.0.0')
  expect(answerOf('>=1.0.0-0', '1.1.0-01', m150)).toBe(true)
  expect(['x-0', '1.x-0'].map((text) => answerOf(text, '1.1.0-rc.1', m150))).toEqual([false, true])
  expect(answerOf('x-0', '1.1.0-rc.1', m350)).toBe(true)
})

test('a prerelease is admitted in 3.5 by a group of which one comparator has a prerelease', () => {
  expect(answerOf('>=1.0.0', '1.1.0-rc.1', m350)).toBe(false)
  expect(answerOf('>=1.0.0-0', '1.1.0-rc.1', m350)).toBe(true)
  expect(answerOf('>=1.0.0-0, <2.0.0', '1.1.0-rc.1', m350)).toBe(true)
  expect(answerOf('>=1.0.0-0 <1.0.0 || <2.0.0', '1.1.0-rc.1', m350)).toBe(false)
  expect(answerOf('~1.1-0', '1.1.0-rc.1', m350)).toBe(true)
})

test('a prerelease is admitted in 3.3.1 only if every comparator has one, but for != in Check', () => {
  expect(answerOf('>=1.0.0-0, <2.0.0', '1.1.0-rc.1', m331)).toBe(false)
  expect(answerOf('>=1.0.0-0, <2.0.0-0', '1.1.0-rc.1', m331)).toBe(true)
  expect(answerOf('!=1.0.0', '1.1.0-rc.1', m331)).toBe(true)
  expect(answerOf('!=1.0', '1.1.0-rc.1', m331)).toBe(false)
  expect(answerOf('!=1.0.0', '1.1.0-rc.1', m331validate)).toBe(false)
  expect(answerOf('!=1.1-rc.1', '1.1.0-rc.1', m331)).toBe(false)
  expect(answerOf('!=1.1-rc.1', '1.1.0-rc.2', m331)).toBe(true)
})

test('a prerelease of an excluded minor version is excluded only by its own name', () => {
  expect(answerOf('!=1.1-rc', '1.1.0', m350)).toBe(true)
  expect(answerOf('!=1.1-rc', '1.1.0-rc', m350)).toBe(false)
  expect(answerOf('>=1.0.0-0, !=1.1', '1.1.0-rc', m350)).toBe(true)
})

test('a constraint may have the most bytes and groups that 3.5 reads', () => {
  expect(answerOf('1.0.0'.padEnd(512), '1.0.0', m350)).toBe(true)
  expect(answerOf(Array(32).fill('1.0.0').join('||'), '1.0.0', m350)).toBe(true)
})

test.each([
  ['>>1', m350, 'improper constraint: ">>1"'],
  ['1.0\u0007"', m350, 'improper constraint: "1.0\\a\\""'],
  ['1.0\u200b', m350, 'improper constraint: "1.0\\u200b"'],
  ['1.0\u{e0001}', m350, 'improper constraint: "1.0\\U000e0001"'],
  ['1.0\u0001', m350, 'improper constraint: "1.0\\x01"'],
  ['', m350, 'improper constraint: ""'],
  ['18446744073709551616.0.0', m350, 'constraint parser error'],
  ['18446744073709551616.0.0', m331, 'constraint Parser Error'],
  ['1.0.0'.padEnd(513), m350, 'constraint string is too long (max 512 bytes)'],
  [Array(33).fill('1.0.0').join('||'), m350, 'too many constraint groups (max 32)'],
])('the constraint %j is refused: %s', (text, dialect, error) => {
  expect(dialect.parseConstraint(text)).toEqual({ ok: false, error })
})

test('a constraint names its versions in order, with zeros for missing parts', () => {
  const parsed = m350.parseConstraint('>=1.2, <2 || *')
  expect(parsed.ok && parsed.value.literals.map(({ text }) => text)).toEqual(['1.2.0', '2.0.0', '0.0.0'])
  expect(parsed.ok && parsed.value.panics).toBe(false)
})
