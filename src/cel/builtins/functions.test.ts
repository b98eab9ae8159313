import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'

// Answers of cel-go 0.26.1.
test.each([
  ['string(dyn(1) + 1)', "'2'"],
  ["int(dyn('7'))", '7'],
  ['int(dyn(7.9))', '7'],
  ['bool(target.name)', "type conversion error from 'string' to 'bool'"],
  ['duration(target.name)', "type conversion error from 'string' to 'google.protobuf.Duration'"],
  ['timestamp(target.labels)', 'no such overload: timestamp(map)'],
])('a conversion that the types choose refuses a value of another type: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['1 != 2', 'true'],
  ['1 != 1', 'false'],
  ["'a' == 'a'", 'true'],
])('different values are not equal: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['.size([1])', '1'],
  ['.string(5)', "'5'"],
])('a function has one name, with or without a dot before it: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})
