import { expect, test } from 'vitest'
import { answerTo, conditionAnswer } from '../testing/answer.ts'

// Answers of cel-go 0.26.1 and, for conditions, of cel-go 0.28.0 in the environment of kpt.
test.each([
  ['[1, 0].exists(x, 1 / x == 1)', 'true'],
  ['[2, 0].all(x, 1 / x == 1)', 'false'],
  ['[0, 1].exists(x, 1 / x == 1)', 'true'],
  ['[0, 1].all(x, 1 / x == 1)', 'division by zero'],
  ['[0, 2].all(x, 1 / x == 1)', 'false'],
  ['[1, 0].exists_one(x, 1 / x == 1)', 'division by zero'],
])('a loop ends where its answer is certain: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['[0, 1].map(x, x == 0 ? 1 / x : target.nope)', 'division by zero'],
  ['[1, 0].filter(x, x == 0 ? 1 / x == 1 : target.nope)', 'division by zero'],
  ['[0, 1].map(x, x == 0 ? 1 / x == 1 : target.nope, x)', 'no such key: nope'],
  ['[1, 2].map(x, x > 0, 1 / 0)', 'division by zero'],
])('of several failures one is reported: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['[1].filter(x, dyn(x))', 'no such overload'],
  ['[1].all(x, dyn(x))', 'no such overload'],
  ["[1].exists(x, dyn('a'))", 'no such overload'],
  ['[1].map(x, dyn(x), x)', 'no such overload'],
])('a test is a bool: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['[1].map(x, [2].map(x, x))', '[[2]]'],
  ['[1, 2].map(x, [10, 20].map(y, x + y))', '[[11, 21], [12, 22]]'],
  ['[[1], [2]].map(x, x.map(x, x + 1))', '[[2], [3]]'],
  ['[1].map(target, target + 1)', '[2]'],
  ["{'b': 1, 'a': 2}.map(k, k).size()", '2'],
  ['target.labels.map(k, target.labels[k])', "['prod']"],
])('a loop sees its own variables and those around it: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['dyn(1).map(x, x)', "got 'types.Int', expected iterable type"],
  ['target.nope.all(x, x)', 'no such key: nope'],
  ['[1 / 0].all(x, true)', 'division by zero'],
])('a range may fail: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["['a', 'b'].all(i, v, (i == 0 && v == 'a') || (i == 1 && v == 'b'))", 'true'],
  ["{'a': 1}.exists(k, v, k == 'a' && v == 1)", 'true'],
  ["{'a': null}.all(k, v, v == null)", 'true'],
  ['[[1, 2], [3]].all(i, v, v.all(j, w, w == i * 2 + j + 1))', 'true'],
  ['dyn(1).all(i, v, true)', 'unsupported comprehension range type: types.Int'],
])('the first of two variables is an index or a key, the second a value: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ['[1, 2].transformMap(i, v, 1 / i) == {}', 'division by zero'],
  ["['a', 'b'].transformMapEntry(i, v, {v: 1 / i}) == {}", 'division by zero'],
  ["[1, 2].transformMapEntry(i, v, {'k': v}) == {}", 'insert failed: key k already exists'],
  ['[1, 2].transformMap(i, v, dyn(v), v) == {}', 'no such overload'],
  ['[0, 1].transformMapEntry(i, v, v == 1, {v: 1 / v}) == {1: 1}', 'true'],
])('a map that a loop makes has each key once, and stops at a failure: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})
