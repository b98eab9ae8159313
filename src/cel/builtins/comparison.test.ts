import { describe, expect, test } from 'vitest'
import { compile } from '../program.ts'

function resultOf(expression: string): unknown {
  return compile(expression, []).value(new Map())
}

// The rules of cel-spec, Ordering and Equality.
describe.each([
  { reason: 'bytes that another value begins with are below it', low: "b'a'", high: "b'ab'" },
  { reason: 'also if the other value goes on with a zero', low: "b'a'", high: "b'a\\x00'" },
  { reason: 'no bytes are below a zero', low: "b''", high: "b'\\x00'" },
  { reason: 'the first byte that differs decides, not the length', low: "b'ab'", high: "b'b'" },
  { reason: 'bytes have no sign', low: "b'\\x7f'", high: "b'\\x80'" },
  { reason: 'a text that another begins with is below it', low: "'a'", high: "'aa'" },
  { reason: 'no text is below any text', low: "''", high: "' '" },
  { reason: 'the first character that differs decides, not the length', low: "'ab'", high: "'b'" },
  { reason: 'texts are compared by code point, not by UTF-16 unit', low: "'\\ufb01'", high: "'\\U0001F600'" },
  { reason: 'two characters above the first plane are compared, too', low: "'\\U0001F600'", high: "'\\U0001F601'" },
  { reason: 'false is below true', low: 'false', high: 'true' },
  { reason: 'negative numbers are below zero', low: '-1', high: '0' },
  { reason: 'an int and a double are compared by value', low: 'dyn(1)', high: 'dyn(1.5)' },
  { reason: 'an int is below an uint that no int reaches', low: 'dyn(9223372036854775807)', high: 'dyn(9223372036854775808u)' },
  {
    reason: 'nanoseconds of timestamps count',
    low: "timestamp('2020-01-01T00:00:00Z')",
    high: "timestamp('2020-01-01T00:00:00.000000001Z')",
  },
  { reason: 'nanoseconds of durations count', low: "duration('0s')", high: "duration('1ns')" },
  { reason: 'a negative duration is below none', low: "duration('-1s')", high: "duration('0s')" },
])('$reason', ({ low, high }) => {
  test(`${low} is below ${high}, from both sides`, () => {
    expect(operators(low, high)).toEqual(['<', '<=', '!='])
    expect(operators(high, low)).toEqual(['>', '>=', '!='])
  })
})

test.each([
  { reason: 'equal bytes', left: "b'a\\x00'", right: "b'a\\x00'" },
  { reason: 'equal texts', left: "'a'", right: "'a'" },
  { reason: 'numbers of one value', left: 'dyn(1)', right: 'dyn(1u)' },
  { reason: 'an int and the double that the int is rounded to', left: 'dyn(9007199254740993)', right: 'dyn(9007199254740992.0)' },
  { reason: 'one moment in two time zones', left: "timestamp('2020-01-01T01:00:00+01:00')", right: "timestamp('2020-01-01T00:00:00Z')" },
  { reason: 'one length in two units', left: "duration('1m')", right: "duration('60s')" },
])('neither is below the other: $reason', ({ left, right }) => {
  expect(operators(left, right)).toEqual(['<=', '>=', '=='])
  expect(operators(right, left)).toEqual(['<=', '>=', '=='])
})

/** Returns the operators that hold between two expressions. */
function operators(left: string, right: string): readonly string[] {
  return ['<', '<=', '>', '>=', '==', '!='].filter((operator) => resultOf(`${left} ${operator} ${right}`) === true)
}

test.each([
  { reason: 'NaN has no order', expression: '0.0 / 0.0 < 1.0', message: 'NaN values cannot be ordered' },
  { reason: 'not even beside itself', expression: '0.0 / 0.0 >= 0.0 / 0.0', message: 'NaN values cannot be ordered' },
  { reason: 'a text and a number have no order', expression: "dyn('1') < dyn(2)", message: 'no such overload' },
  { reason: 'nor have a moment and a length', expression: "dyn(timestamp(0)) < dyn(duration('1s'))", message: 'no such overload' },
  { reason: 'lists have no order', expression: 'dyn([1]) < dyn([2])', message: 'no such overload' },
])('$reason', ({ expression, message }) => {
  expect(() => resultOf(expression)).toThrow(message)
})

test.each([
  { reason: 'NaN equals nothing', expression: '0.0 / 0.0 == 0.0 / 0.0', equal: false },
  { reason: 'values of two types differ', expression: "dyn('1') == dyn(1)", equal: false },
  { reason: 'bytes differ from the text that they spell', expression: "dyn(b'a') == dyn('a')", equal: false },
  { reason: 'a list differs from a longer one', expression: '[1] == [1, 2]', equal: false },
  { reason: 'a list differs from one in another order', expression: '[1, 2] == [2, 1]', equal: false },
  { reason: 'elements are compared by value', expression: 'dyn([1]) == dyn([1.0])', equal: true },
  { reason: 'the order of keys does not count', expression: "{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", equal: true },
  { reason: 'a map differs from one with another key', expression: "{'a': null} == {'b': null}", equal: false },
  { reason: 'a map differs from one with another value', expression: "{'a': 1} == {'a': 2}", equal: false },
])('$reason', ({ expression, equal }) => {
  expect(resultOf(expression)).toBe(equal)
})
