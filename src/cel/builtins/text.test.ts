import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'

// Answers of cel-go 0.26.1.
test.each([
  ["'abc'.contains('')", 'true'],
  ["'abc'.contains('bc')", 'true'],
  ["'abc'.contains('cb')", 'false'],
  ["'abc'.startsWith('ab')", 'true'],
  ["'abc'.startsWith('bc')", 'false'],
  ["'abc'.endsWith('bc')", 'true'],
  ["'abc'.endsWith('ab')", 'false'],
])('a part of a text: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'abc'.contains(dyn(1))", 'no such overload'],
  ["dyn(1).contains('a')", 'no such overload'],
  ["dyn(1).matches('a')", 'no such overload'],
  ['dyn(1).matches(target.name)', 'no such overload: matches'],
  ["dyn('abc').matches(dyn(1))", 'no such overload'],
  ["dyn('abc').matches(target.labels)", 'no such overload'],
])('a test of texts takes texts: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'abc'.matches('b')", 'true'],
  ["'abc'.matches('^b')", 'false'],
  ["'abc'.matches('(?i)B')", 'true'],
  ["matches('abc', 'c$')", 'true'],
])('a pattern matches anywhere: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})
