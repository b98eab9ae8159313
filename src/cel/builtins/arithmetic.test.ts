import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'

// Answers of cel-go 0.26.1.
test.each([
  ['9223372036854775806 + 1', '9223372036854775807'],
  ['9223372036854775807 + 1', 'integer overflow'],
  ['-9223372036854775808 - 1', 'integer overflow'],
  ['9223372036854775807 * 2', 'integer overflow'],
  ['-9223372036854775808 / -1', 'integer overflow'],
  ['-9223372036854775808 % -1', 'integer overflow'],
  ['-(-9223372036854775808)', 'integer overflow'],
])('an int has 64 bits: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['-7 / 2', '-3'],
  ['-7 % 2', '-1'],
  ['7 % -2', '1'],
  ['5 - 7', '-2'],
  ['6 * 7', '42'],
])('an int is cut towards zero, and the rest has the sign of the left: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['7u - 8u', 'unsigned integer overflow'],
  ['18446744073709551615u + 1u', 'unsigned integer overflow'],
  ['18446744073709551615u * 2u', 'unsigned integer overflow'],
  ['7u / 2u', '3u'],
  ['7u % 4u', '3u'],
  ['3u * 2u', '6u'],
  ['3u + 2u', '5u'],
])('a uint is not below zero: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['1 / 0', 'division by zero'],
  ['1 % 0', 'modulus by zero'],
  ['1u / 0u', 'division by zero'],
  ['1u % 0u', 'modulus by zero'],
  ['1.0 / 0.0', 'double Infinity'],
])('only a double is divided by zero: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['1.5 + 0.25', 'double 1.75'],
  ['1.5 - 0.25', 'double 1.25'],
  ['1.5 * 2.0', 'double 3'],
  ['1.5 / 0.5', 'double 3'],
])('doubles: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'a' + 'b'", "'ab'"],
  ["b'a' + b'b'", 'bytes 97 98'],
  ['[1] + [2]', '[1, 2]'],
  ['[1] + []', '[1]'],
  ['[] + [2]', '[2]'],
])('texts, bytes and lists are joined in their order: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['-dyn(1.5)', 'double -1.5'],
  ['-dyn(5)', '-5'],
  ["-dyn(duration('1s'))", '-1000000000ns'],
  ["-dyn(duration('-2562047h47m16.854775808s'))", 'integer overflow'],
  ['-dyn(true)', 'no such overload'],
  ["-dyn('a')", 'no such overload'],
  ['-dyn(timestamp(0))', 'no such overload'],
  ['-dyn([1])', 'no such overload: -_'],
  ['-dyn(1u)', 'no such overload: -_'],
  ['-dyn(null)', 'no such overload: -_'],
])('a sign turns numbers and lengths: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['!true', 'false'],
  ['!false', 'true'],
  ['!dyn(1)', 'no such overload'],
])('only a bool is negated: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['dyn(1) + 1u', 'no such overload'],
  ['dyn(1u) + 1', 'no such overload'],
  ['dyn(1.0) + 1', 'no such overload'],
  ["dyn('a') + 1", 'no such overload'],
  ["dyn(b'a') + 'a'", 'no such overload'],
  ['dyn([1]) + 1', 'no such overload'],
  ["dyn(1) + dyn('a')", 'no such overload'],
  ['dyn(1u) - dyn(1)', 'no such overload'],
  ['dyn(1.5) * dyn(1)', 'no such overload'],
])('values of two types do not mix: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['dyn(null) + null', 'no such overload: _+_'],
  ['dyn(true) + dyn(true)', 'no such overload: _+_'],
  ["dyn('a') - dyn('a')", 'no such overload'],
  ['dyn({}) + dyn({})', 'no such overload: _+_'],
  ['dyn(1.5) % dyn(1.0)', 'no such overload: _%_'],
  ['dyn([1]) * dyn(1)', 'no such overload: _*_'],
])('values without the operation are named after it, or not at all: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})
