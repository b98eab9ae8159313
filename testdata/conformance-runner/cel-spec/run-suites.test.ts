import { expect, test } from 'vitest'
import { EXCEPTIONS } from './exceptions.ts'
import { runCelSpec } from './run-suites.ts'

const { lines, cases, failed } = runCelSpec()

test('the tests of cel-spec have the values, types and errors that they want, but for the exceptions', () => {
  expect(cases).toBeGreaterThan(2_000)
  expect(failed, lines.join('\n')).toBe(false)
})

test.each(EXCEPTIONS)('$reason: an exception of some test', ({ reason }) => {
  expect(lines.some((line) => line.endsWith(`: ${reason}`))).toBe(true)
})

test('what the standard library alone needs is asked', () => {
  const suites = ['basic', 'conversions', 'fp_math', 'integer_math', 'lists', 'logic', 'macros', 'string']
  for (const suite of suites) expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^cel-spec/${suite}: (\\d+) of \\1 equal$`)))
})
