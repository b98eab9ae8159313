import { expect, test } from 'vitest'
import { answerTo, conditionAnswer } from '../testing/answer.ts'

// Answers of cel-go 0.26.1 and, for conditions, of cel-go 0.28.0 in the environment of kpt.
test.each([
  ['[1, 2][1]', '2'],
  ['[1, 2][2]', 'index out of bounds: 2'],
  ['[1, 2][-1]', 'index out of bounds: -1'],
  ['dyn([1, 2])[1u]', '2'],
  ['dyn([1, 2])[1.0]', '2'],
  ['dyn([1, 2])[1.5]', 'unsupported index value 1.5 in list'],
  ['dyn([1, 2])[1e300]', 'unsupported index value 1e+300 in list'],
  ['dyn([1, 2])[9223372036854775808u]', 'unsupported index value 9223372036854775808 in list'],
  ['dyn([1, 2])[9223372036854775807u]', 'index out of bounds: 9223372036854775807'],
  ["dyn([1, 2])['a']", "unsupported index type 'string' in list"],
  ['dyn([1, 2])[true]', "unsupported index type 'bool' in list"],
  ['dyn([1, 2]).a', "unsupported index type 'string' in list"],
])('an element of a list has a whole number: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['dyn({1: 2})[null]', 'invalid qualifier type: types.Null'],
  ["dyn({1: 2})[b'a']", 'invalid qualifier type: types.Bytes'],
  ['dyn({1: 2})[[1]]', 'invalid qualifier type: *types.baseList'],
  ['dyn({1: 2})[{}]', 'invalid qualifier type: *types.baseMap'],
  ['dyn({1: 2})[timestamp(0)]', 'invalid qualifier type: types.Timestamp'],
  ["dyn({1: 2})[duration('1s')]", 'invalid qualifier type: types.Duration'],
  ['dyn({1: 2})[type(1)]', 'invalid qualifier type: *types.Type'],
])('not every value is a key: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["{'a': 1}['a']", '1'],
  ["{'a': 1}['b']", 'no such key: b'],
  ['{1: 1}[2]', 'no such key: 2'],
  ['{1u: 1}[2u]', 'no such key: 2'],
  ['{true: 1}[false]', 'no such key: false'],
  ['dyn({1.5: 1})[2.5]', 'no such key: 2.5'],
  ['dyn({1: 1})[1e6]', 'no such key: 1e+06'],
  ["dyn('abc')[0]", 'no such key: 0'],
  ["dyn('abc').a", 'no such key: a'],
  ['dyn(1).a', 'no such key: a'],
  ['target.nope', 'no such key: nope'],
])('a missing key is named: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["has({'a': null}.a)", 'true'],
  ["has({'a': 1}.b)", 'false'],
  ["has(dyn('x').a)", 'false'],
  ['has(dyn([1]).a)', "unsupported index type 'string' in list"],
])('has asks a map, and nothing else has fields: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['2 in [1, 2]', 'true'],
  ['3 in [1, 2]', 'false'],
  ["'a' in {'a': null}", 'true'],
  ["'b' in {'a': null}", 'false'],
  ['1 in dyn(1)', 'no such overload'],
  ["1 in dyn('1')", 'no such overload'],
])('a value is in a list or a map: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["size('a😀')", '2'],
  ["size(b'a\\xff')", '2'],
  ['size([1, 2])', '2'],
  ["size({'a': 1})", '1'],
  ['size(dyn(1))', 'no such overload: size'],
  ['size(dyn(timestamp(0)))', 'no such overload'],
  ['size(dyn(null))', 'no such overload: size'],
])('a size counts code points, bytes, elements and keys: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["{'a': 1}.map(k, k)", "['a']"],
  ['[1, 2].map(x, x)', '[1, 2]'],
  ['dyn(1).map(x, x)', "got 'types.Int', expected iterable type"],
  ['dyn(1u).map(x, x)', "got 'types.Uint', expected iterable type"],
  ['dyn(1.5).map(x, x)', "got 'types.Double', expected iterable type"],
  ['dyn(true).map(x, x)', "got 'types.Bool', expected iterable type"],
  ['dyn(null).map(x, x)', "got 'types.Null', expected iterable type"],
  ["dyn('a').map(x, x)", "got 'types.String', expected iterable type"],
  ["dyn(b'a').map(x, x)", "got 'types.Bytes', expected iterable type"],
  ['dyn(timestamp(0)).map(x, x)', "got 'types.Timestamp', expected iterable type"],
  ["dyn(duration('1s')).map(x, x)", "got 'types.Duration', expected iterable type"],
  ['dyn(type(1)).map(x, x)', "got '*types.Type', expected iterable type"],
])('a loop goes through lists and maps alone: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["{'a': 1}.?a.value() == 1", 'true'],
  ["{'a': 1}.?b.hasValue()", 'false'],
  ["{'a': {'b': 2}}.?a.b.value() == 2", 'true'],
  ["{'a': {'b': 2}}.?a.c.hasValue()", 'false'],
  ["{'a': {'b': 2}}.?x.c.hasValue()", 'false'],
  ['[1][?0].value() == 1', 'true'],
  ['[1][?1].hasValue()', 'false'],
  ['[1][?-1].hasValue()', 'false'],
  ['dyn(1).?a.hasValue()', 'false'],
  ['dyn([1]).?a.hasValue()', "unsupported index type 'string' in list"],
  ["dyn({1: 2})[?b'a'].hasValue()", 'invalid qualifier type: types.Bytes'],
  ["has(optional.of({'a': 1}).a)", 'true'],
  ["has(optional.of({'a': 1}).b)", 'false'],
  ['has(optional.none().b)', 'false'],
  ['dyn(1).all(i, v, true)', 'unsupported comprehension range type: types.Int'],
  ['dyn(optional.of(1)).map(x, x) == []', "got '*types.Optional', expected iterable type"],
  ["{'a': 1}[optional.of('a')] == 1", "1:9: found no matching overload for '_[_]' applied to '(map(string, int), optional_type(string))'"],
])('an optional member is missing or there: %s', (expression, answer) => {
  expect(conditionAnswer(expression)).toBe(answer)
})
