import { expect, test } from 'vitest'
import { answerTo, conditionAnswer } from '../testing/answer.ts'

// Answers of cel-go 0.26.1 and, for conditions, of cel-go 0.28.0 in the environment of kpt.
test.each([
  ['[1, 2]', '[1, 2]'],
  ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
  ["[1, 'a', 'b', 2]", "1:5: expected type 'int' but found 'string'"],
  ["[target.name, 'a']", "1:15: expected type 'dyn' but found 'string'"],
  ["[[1], ['a']]", "1:7: expected type 'list(int)' but found 'list(string)'"],
  ["[[1, 'a'], [2, 'b']]", "1:6: expected type 'int' but found 'string'\n1:16: expected type 'int' but found 'string'"],
  ['[]', '[]'],
])('elements of a list have one type: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["{'a': 1, 'b': 2}", "{'a': 1, 'b': 2}"],
  ["{'a': 1, 'b': 'x'}", "1:15: expected type 'int' but found 'string'"],
  ["{'a': 1, 2: 'x'}", "1:10: expected type 'string' but found 'int'\n1:13: expected type 'int' but found 'string'"],
  [
    "{'a': 1, 2: 'x', true: null}",
    "1:10: expected type 'string' but found 'int'\n1:13: expected type 'int' but found 'string'\n1:18: expected type 'string' but found 'bool'\n1:24: expected type 'int' but found 'null'",
  ],
])('keys and values of a map have one type each: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["size([1, 'a'])", "1:10: expected type 'int' but found 'string'"],
  ["[1].map(x, [x, 'a'])", "1:16: expected type 'int' but found 'string'"],
  ["{'a': [1, 'b']}.a", "1:11: expected type 'int' but found 'string'"],
  ["true ? [1] : [1, 'a']", "1:18: expected type 'int' but found 'string'"],
  ["[1, 'a'].exists(x, x == 1)", "1:5: expected type 'int' but found 'string'"],
])('a mix is found wherever it is: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'%s %d'.format(['a', 1]) == 'a 1'", 'true'],
  ['[?optional.of(1), 2] == [1, 2]', 'true'],
  ["[?optional.of(1), 'a'].size() == 2", "1:19: expected type 'int' but found 'string'"],
  ["{?'a': optional.of(1), 'b': 2}.size() == 2", 'true'],
  ["{?'a': optional.of(1), 'b': 'x'}.size() == 2", "1:29: expected type 'int' but found 'string'"],
])('the values of a format may be of any types, and an optional element has the type of its value: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})
