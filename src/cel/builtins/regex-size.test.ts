import { expect, test } from 'vitest'
import { compileRe2, escapeLiteralBraces, estimateRegexSize } from './regex-size.ts'

test.each([
  { reason: 'characters', pattern: 'abc', least: 3, most: 8 },
  { reason: 'repetitions multiply', pattern: '((a{10}){10}){5}', least: 500, most: 700 },
  { reason: 'a class is one', pattern: '[a-z0-9]{5}', least: 5, most: 15 },
  { reason: 'quoted text is no repetition', pattern: '\\Qa{100}\\E', least: 1, most: 10 },
  { reason: 'a count that RE2 refuses is left to it', pattern: 'a{1001}', least: 1, most: 10 },
])('the size of a pattern: $reason', ({ pattern, least, most }) => {
  const size = estimateRegexSize(pattern)
  expect(size).toBeGreaterThanOrEqual(least)
  expect(size).toBeLessThanOrEqual(most)
})

test('braces that count nothing are escaped, others stay', () => {
  expect(escapeLiteralBraces('{?a{2}[{]\\{\\Q{\\E{,2}')).toBe('\\{?a{2}[{]\\{\\Q{\\E\\{,2}')
})

test.each([
  { reason: 'an open repetition counts one more than its least', pattern: 'a{50,}', least: 45, most: 70 },
  { reason: 'of a range the most counts', pattern: 'a{2,50}', least: 45, most: 70 },
  { reason: 'what a group holds is repeated', pattern: '(?:abc){50}', least: 150, most: 330 },
  { reason: 'a bracket in a class opens no group', pattern: '[(]{50}', least: 45, most: 70 },
  { reason: 'a long class costs', pattern: `[${'a'.repeat(1600)}]`, least: 100, most: 110 },
  { reason: 'a parenthesis that nothing opened repeats nothing', pattern: 'a{100}){100}', least: 100, most: 500 },
  { reason: 'groups that nothing closes count', pattern: '(((abc', least: 6, most: 20 },
  { reason: 'an escaped parenthesis is a character', pattern: '\\(\\(\\(', least: 3, most: 8 },
])('about how large a pattern is: $reason', ({ pattern, least, most }) => {
  const size = estimateRegexSize(pattern)
  expect(size).toBeGreaterThanOrEqual(least)
  expect(size).toBeLessThanOrEqual(most)
})

test('a brace that may be missing is compiled as RE2 does, and another fault keeps its message', () => {
  const refuse = (message: string): never => {
    throw new Error(message)
  }
  expect(compileRe2('^a{?$', refuse).test('a{')).toBe(true)
  expect(() => compileRe2('a{?**', refuse)).toThrow('invalid nested repetition operator: `?*`')
  expect(() => compileRe2('[', refuse)).toThrow('missing closing ]: `[`')
})
