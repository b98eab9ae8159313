import { expect, test } from 'vitest'
import { conditionAnswer } from '../testing/answer.ts'

// Answers of cel-go 0.28.0 in the environment of kpt.
test.each([
  ['optional.ofNonZeroValue(0).hasValue()', 'false'],
  ['optional.ofNonZeroValue(1).hasValue()', 'true'],
  ['optional.ofNonZeroValue(0u).hasValue()', 'false'],
  ['optional.ofNonZeroValue(1u).hasValue()', 'true'],
  ['optional.ofNonZeroValue(0.0).hasValue()', 'false'],
  ['optional.ofNonZeroValue(0.5).hasValue()', 'true'],
  ["optional.ofNonZeroValue('').hasValue()", 'false'],
  ["optional.ofNonZeroValue('a').hasValue()", 'true'],
  ["optional.ofNonZeroValue(b'').hasValue()", 'false'],
  ["optional.ofNonZeroValue(b'a').hasValue()", 'true'],
  ['optional.ofNonZeroValue(false).hasValue()', 'false'],
  ['optional.ofNonZeroValue(true).hasValue()', 'true'],
  ['optional.ofNonZeroValue(null).hasValue()', 'false'],
  ['optional.ofNonZeroValue([]).hasValue()', 'false'],
  ['optional.ofNonZeroValue([0]).hasValue()', 'true'],
  ['optional.ofNonZeroValue({}).hasValue()', 'false'],
  ["optional.ofNonZeroValue({'a': 0}).hasValue()", 'true'],
  ["optional.ofNonZeroValue(duration('0s')).hasValue()", 'false'],
  ["optional.ofNonZeroValue(duration('1s')).hasValue()", 'true'],
  ['optional.ofNonZeroValue(timestamp(0)).hasValue()', 'true'],
  ["optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')).hasValue()", 'false'],
  ['optional.ofNonZeroValue(int).hasValue()', 'true'],
])('a zero value is none: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ['optional.of(1).value() == 1', 'true'],
  ['optional.of(1).hasValue()', 'true'],
  ['optional.of(null).hasValue()', 'true'],
  ['optional.none().hasValue()', 'false'],
  ['optional.none().value() == 1', 'optional.none() dereference'],
])('a value is there or not: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ['optional.unwrap([optional.of(1), optional.none(), optional.of(2)]) == [1, 2]', 'true'],
  ['[optional.none(), optional.of(2)].unwrapOpt() == [2]', 'true'],
  ['[1, 2].first().value() == 1', 'true'],
  ['[1, 2].last().value() == 2', 'true'],
  ['[].first().hasValue()', 'false'],
  ['[].last().hasValue()', 'false'],
])('lists of optional values lose those that are missing: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ["dyn('a').value() == 1", 'no such overload: value(string)'],
  ['dyn(1).hasValue()', 'no such overload: hasValue(int)'],
  ['dyn(1).first().hasValue()', 'no such overload: first(int)'],
  ['dyn(1).last().hasValue()', 'no such overload: last(int)'],
  ['dyn([1]).unwrapOpt() == [1]', 'no such overload: unwrapOpt(list)'],
  ['dyn(1).unwrapOpt() == [1]', 'no such overload: unwrapOpt(int)'],
  ['optional.unwrap(dyn(1)) == [1]', 'no such overload: optional.unwrap(int)'],
])('other values are no optional values and no lists: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ['[?optional.of(1), ?optional.none(), 3] == [1, 3]', 'true'],
  ["{?'a': optional.of(1), ?'b': optional.none(), 'c': 3} == {'a': 1, 'c': 3}", 'true'],
  ["{'c': 3, ?'a': optional.none()} == {'c': 3}", 'true'],
])('optional elements and entries are left out: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

test.each([
  ["['a', 'a'].transformMapEntry(i, v, {v: i}) == {'a': 0}", 'insert failed: key a already exists'],
  ["['a', 'b'].transformMapEntry(i, v, dyn(1)) == {'a': 0}", 'no such overload: cel.@mapInsert(map, int)'],
  ['[1, 2].transformMapEntry(i, v, {v: 1, i: 2}).size() == 3', 'insert failed: key 1 already exists'],
  ['[1, 5].transformMapEntry(i, v, {v: 1, i: 2}).size() == 4', 'insert failed: key 1 already exists'],
  ['[1u, 1u].transformMapEntry(i, v, {v: i}).size() == 1', 'insert failed: key 1 already exists'],
  ['[1e6, 1e6].transformMapEntry(i, v, {v: i}).size() == 1', 'insert failed: key 1e+06 already exists'],
  ["['a', 'b'].transformMapEntry(i, v, {v: i}) == {'a': 0, 'b': 1}", 'true'],
])('a key is inserted once: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})

// cel-go's own environment has these words; with the check of mixed types, which kpt's has, it crashes.
test.each([
  ['[?dyn(1)] == [1]', 'cannot initialize optional list element from non-optional value'],
  ["{?'a': dyn(1)} == {'a': 1}", "cannot initialize optional entry 'a' from non-optional value"],
  ['{?5: dyn(1)} == {5: 1}', "cannot initialize optional entry '5' from non-optional value"],
  ['{?5u: dyn(1)} == {5u: 1}', "cannot initialize optional entry '5' from non-optional value"],
  ['{?1e6: dyn(1)} == {1e6: 1}', "cannot initialize optional entry '1e+06' from non-optional value"],
])('an optional part must be optional: %s', (expression, message) => {
  expect(conditionAnswer(expression)).toBe(message)
})
