import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'

// Answers of cel-go 0.26.1.
test.each([
  ["false && 'a'.matches('[')", 'error parsing regexp: missing closing ]: `[`'],
  ["'a'.matches('a\\\\')", 'error parsing regexp: trailing backslash at end of expression: ``'],
  ["'a'.matches('a{1001}')", 'error parsing regexp: invalid repeat count: `{1001}`'],
  ["'a'.matches('a**')", 'error parsing regexp: invalid nested repetition operator: `**`'],
])('a pattern without variables is refused before any value is known: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'a'.matches(target.name + '[')", 'error parsing regexp: missing closing ]: `[`'],
  ["false && 'a'.matches(target.name + '[')", 'false'],
  ["'edge'.matches(target.name)", 'true'],
  ["'xedgy'.matches(target.name)", 'false'],
])('a pattern of variables is refused where it is needed: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'a{'.matches('a{?')", 'true'],
  ["'{'.matches('{')", 'true'],
  ["'a'.matches('^a{1000}$')", 'false'],
])('a brace that counts nothing is a brace: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})
