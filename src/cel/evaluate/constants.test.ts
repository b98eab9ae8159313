import { expect, test } from 'vitest'
import { answerTo, conditionAnswer } from '../testing/answer.ts'

// Answers of cel-go 0.26.1 and, for conditions, of cel-go 0.28.0 in the environment of kpt.
test.each([
  ["true ? 1 : int('x')", "type conversion error from 'string' to 'int'"],
  ["false && 'a'.matches('[')", 'error parsing regexp: missing closing ]: `[`'],
  ["true || bool('x')", "type conversion error from 'string' to 'bool'"],
  ["true ? 'a' : string(duration('x'))", "type conversion error from 'string' to 'google.protobuf.Duration'"],
  ['true ? 1 : int(string(1.5))', "type conversion error from 'string' to 'int'"],
  ["[int('x')].size()", "type conversion error from 'string' to 'int'"],
  ["{int('x'): 1}.size()", "type conversion error from 'string' to 'int'"],
  ['true ? 1 : dyn([1])[null]', 'invalid qualifier type: types.Null'],
  ['true ? 1 : dyn([1])[timestamp(0)]', 'invalid qualifier type: types.Timestamp'],
])('a constant part without a value fails even where it is not reached: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['true ? 1 : 1 / 0', '1'],
  ["true ? 1 : int(string(1) + 'x')", '1'],
  ['true || [1][5] == 1', 'true'],
  ["true ? 'a' : target.nope", "'a'"],
  ['true ? 1 : int(target.name)', '1'],
])('an operator is no constant: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['1 / 0 in []', 'false'],
  ['target.nope in []', 'false'],
  ['target.nope in [1]', 'no such key: nope'],
])('nothing is in an empty list: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['[int, int] == [int, type(2)]', 'true'],
  ['type(1) == int', 'true'],
  ['.int == int', 'true'],
])('the names of types: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([["true || 'a'.matches(dyn(1))", 'true']])('a pattern that is no text is no pattern: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["true || int('x') == 1", 'true'],
  ["false || int('x') == 1", "type conversion error from 'string' to 'int'"],
  ["true || 'a'.matches('[')", 'true'],
  ['1 / 0 in []', 'division by zero'],
  ['optional_type == type(optional.none())', 'true'],
  ['[?optional.none(), 1].size() == 1', 'true'],
])('a condition of kpt fails where its part is reached alone: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})
