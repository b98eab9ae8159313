import { expect, test } from 'vitest'
import { RunBudget } from '../budget.ts'
import { conditionAnswer } from '../testing/answer.ts'
import { LIST_FUNCTIONS } from './list-functions.ts'

// Answers of cel-go 0.28.0 in the environment of kpt.
test.each([
  ['[1, 2, 3].slice(0, 2) == [1, 2]', 'true'],
  ['[1, 2, 3].slice(1, 1) == []', 'true'],
  ['[1, 2, 3].slice(3, 3) == []', 'true'],
  ['[1, 2, 3].slice(-1, 1) == []', 'cannot slice(-1, 1), negative indexes not supported'],
  ['[1, 2, 3].slice(0, -1) == []', 'cannot slice(0, -1), negative indexes not supported'],
  ['[1, 2, 3].slice(2, 1) == []', 'cannot slice(2, 1), start index must be less than or equal to end index'],
  ['[1, 2, 3].slice(0, 4) == []', 'cannot slice(0, 4), list is length 3'],
])('a slice has a start and an end within the list: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ['[[dyn(1), dyn([2])], [dyn(3)]].flatten() == [dyn(1), dyn([2]), dyn(3)]', 'true'],
  ['[dyn(1), dyn([dyn(2), dyn([dyn(3), dyn([4])])])].flatten(2) == [dyn(1), dyn(2), dyn(3), dyn([4])]', 'true'],
  ['[[1], [2]].flatten(0) == [[1], [2]]', 'true'],
  ['[dyn(1), dyn([2])].flatten(-1) == []', 'level must be non-negative'],
])('lists in lists become one, as deep as asked: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([["[dyn(1), dyn(1u), dyn(1.0), dyn(2), dyn('a'), dyn('a')].distinct() == [dyn(1), dyn(2), dyn('a')]", 'true']])(
  'equal elements are one: %s',
  (expression, answer) => {
    expect(conditionAnswer(expression)).toBe(answer)
  },
)

test.each([
  ['[3, 1, 2].sort() == [1, 2, 3]', 'true'],
  ["['b', 'a'].sort() == ['a', 'b']", 'true'],
  ['[2.5, 1.5].sort() == [1.5, 2.5]', 'true'],
  ['[true, false].sort() == [false, true]', 'true'],
  ["[b'b', b'a'].sort() == [b'a', b'b']", 'true'],
  ['[2u, 1u].sort() == [1u, 2u]', 'true'],
  ['[timestamp(2), timestamp(1)].sort() == [timestamp(1), timestamp(2)]', 'true'],
  ["[duration('2s'), duration('1s')].sort() == [duration('1s'), duration('2s')]", 'true'],
  ['[].sort() == []', 'true'],
  ["[dyn(1), dyn('a')].sort() == []", 'list elements must have the same type'],
  ['[dyn(1), dyn(2u)].sort() == []', 'list elements must have the same type'],
  ['dyn([[1], [2]]).sort() == []', 'list elements must be comparable'],
  ['dyn([{}, {}]).sort() == []', 'list elements must be comparable'],
  ['dyn([null]).sort() == []', 'list elements must be comparable'],
])('elements of one kind are sorted, and the others are refused: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ["['ccc', 'a', 'bb'].sortBy(x, size(x)) == ['a', 'bb', 'ccc']", 'true'],
  ["['b', 'a', 'c', 'd'].sortBy(x, 1) == ['b', 'a', 'c', 'd']", 'true'],
  ['[3, 1, 2, 4].sortBy(x, x % 2) == [2, 4, 3, 1]', 'true'],
])('sortBy keeps the order of equal keys: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([['[1, 2, 3].reverse() == [3, 2, 1]', 'true']])('a list is turned around: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ['lists.range(3) == [0, 1, 2]', 'true'],
  ['lists.range(0) == []', 'true'],
  ['lists.range(-1) == []', 'true'],
  ['lists.range(-9223372036854775807) == []', 'true'],
  ['lists.range(9223372036854775807) == []', 'evaluation limit exceeded: 8000000 units of work'],
])('a range begins with zero, and one of a negative size is empty: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test('a range that is too long takes no more of a run than one evaluation may', () => {
  const run = new RunBudget()
  expect(() => LIST_FUNCTIONS.get('lists.range')?.(2n ** 62n)).toThrow('evaluation limit exceeded')
  run.charge(0)
  expect(run.isSpent).toBe(false)
})

test.each([
  ['sets.contains([1, 2, 3], [2, 3])', 'true'],
  ['sets.contains([1], [1, 2])', 'false'],
  ['sets.contains([1], [])', 'true'],
  ['sets.contains([dyn(1)], [1u])', 'true'],
  ['sets.equivalent([1, 2], [2, 1, 1])', 'true'],
  ['sets.equivalent([1, 2], [1])', 'false'],
  ['sets.equivalent([1], [1, 2])', 'false'],
  ['sets.intersects([1, 2], [2, 3])', 'true'],
  ['sets.intersects([1], [2])', 'false'],
  ['sets.intersects([], [])', 'false'],
])('sets hold values, not places: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})
