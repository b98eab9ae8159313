import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'

// Answers of cel-go 0.26.1.
test.each([
  ['1 / 0 == 1 || true', 'true'],
  ['true || 1 / 0 == 1', 'true'],
  ['false && 1 / 0 == 1', 'false'],
  ['1 / 0 == 1 && false', 'false'],
  ['dyn(1) || true', 'true'],
  ['dyn(1) && false', 'false'],
  ['false || false || 1 / 0 == 1 || true', 'true'],
])('a term that decides makes up for one that fails: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['1 / 0 == 1 || target.nope', 'division by zero'],
  ['target.nope && 1 % 0 == 1', 'no such key: nope'],
  ['dyn(1) || false', 'no such overload'],
  ['false || dyn(1)', 'no such overload'],
  ["true && dyn('a')", 'no such overload'],
])('without one the first failure stands: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['true && true', 'true'],
  ['true && false', 'false'],
  ['false || true', 'true'],
  ['false || false', 'false'],
])('terms without failure: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['true ? 1 : 2', '1'],
  ['false ? 1 : 2', '2'],
  ['false ? 1 / 0 : 2', '2'],
  ['1 / 0 == 1 ? 1 : 2', 'division by zero'],
  ['dyn(1) ? 1 : 2', 'no such overload'],
])('a condition chooses, and must be a bool: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})
