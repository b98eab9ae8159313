import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'

// Answers of cel-go 0.26.1.
test.each([
  ["bool('1')", 'true'],
  ["bool('t')", 'true'],
  ["bool('T')", 'true'],
  ["bool('TRUE')", 'true'],
  ["bool('True')", 'true'],
  ["bool('true')", 'true'],
  ["bool('tRUE')", "type conversion error from 'string' to 'bool'"],
  ["bool('0')", 'false'],
  ["bool('f')", 'false'],
  ["bool('F')", 'false'],
  ["bool('FALSE')", 'false'],
  ["bool('False')", 'false'],
  ["bool('false')", 'false'],
  ["bool('')", "type conversion error from 'string' to 'bool'"],
  ['bool(true)', 'true'],
  ['bool(dyn(1))', 'no such overload: bool(int)'],
])("a bool of a text is one of Go's words: %s", (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["bytes('é')", 'bytes 195 169'],
  ["bytes(b'a')", 'bytes 97'],
  ['bytes(dyn(1))', 'no such overload: bytes(int)'],
])('bytes of a text are UTF-8: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['double(1.5)', 'double 1.5'],
  ['double(1)', 'double 1'],
  ['double(1u)', 'double 1'],
  ["double('1e3')", 'double 1000'],
  ["double(' 1')", "type conversion error from 'string' to 'double'"],
  ['double(dyn(true))', 'no such overload: double(bool)'],
])('a double: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['int(1.9)', '1'],
  ['int(-1.9)', '-1'],
  ['int(9223372036854774784.0)', '9223372036854774784'],
  ['int(9223372036854775807.0)', 'integer overflow'],
  ['int(-9223372036854775808.0)', 'integer overflow'],
  ['int(9223372036854775807u)', '9223372036854775807'],
  ['int(9223372036854775808u)', 'integer overflow'],
  ["int('9223372036854775807')", '9223372036854775807'],
  ["int('9223372036854775808')", "type conversion error from 'string' to 'int'"],
  ["int('-9223372036854775808')", '-9223372036854775808'],
  ["int('-9223372036854775809')", "type conversion error from 'string' to 'int'"],
  ["int('+5')", '5'],
  ["int('-0000000000000000000000000000005')", '-5'],
  ["int('1_0')", "type conversion error from 'string' to 'int'"],
  ["int('')", "type conversion error from 'string' to 'int'"],
  ['int(timestamp(5))', '5'],
  ["int(duration('5ns'))", '5'],
  ['int(dyn(true))', 'no such overload: int(bool)'],
])('an int is the whole part, within 64 bits: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['uint(1.9)', '1u'],
  ['uint(-0.5)', 'unsigned integer overflow'],
  ['uint(18446744073709549568.0)', '18446744073709549568u'],
  ['uint(18446744073709551615.0)', 'unsigned integer overflow'],
  ['uint(0)', '0u'],
  ['uint(-1)', 'unsigned integer overflow'],
  ['uint(5u)', '5u'],
  ["uint('0')", '0u'],
  ["uint('18446744073709551615')", '18446744073709551615u'],
  ["uint('18446744073709551616')", "type conversion error from 'string' to 'uint'"],
  ["uint('+1')", "type conversion error from 'string' to 'uint'"],
  ["uint('-0')", "type conversion error from 'string' to 'uint'"],
  ["uint(dyn(duration('1s')))", 'no such overload: uint(google.protobuf.Duration)'],
])('a uint is no sign and 64 bits: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["string('a')", "'a'"],
  ['string(1e6)', "'1e+06'"],
  ['string(-5)', "'-5'"],
  ['string(5u)', "'5'"],
  ['string(true)', "'true'"],
  ["string(b'\\xc3\\xa9')", "'é'"],
  ["string(b'\\xef\\xbb\\xbfa')", "'﻿a'"],
  ["string(b'\\xff')", 'invalid UTF-8 in bytes, cannot convert to string'],
  ['string(timestamp(0))', "'1970-01-01T00:00:00Z'"],
  ["string(duration('90s'))", "'90s'"],
  ['string(dyn(null))', 'no such overload: string(null_type)'],
  ['string(dyn([1]))', 'no such overload: string(list)'],
])('a text: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["duration(dyn(duration('1s')))", '1000000000ns'],
  ["duration('1s')", '1000000000ns'],
  ["duration('x')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
  ['duration(1)', "type conversion error from 'int' to 'google.protobuf.Duration'"],
  ['duration(dyn(1.5))', 'no such overload: duration(double)'],
])('a length is a text, and no number: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['timestamp(dyn(timestamp(5)))', '1970-01-01T00:00:05Z'],
  ['timestamp(1)', '1970-01-01T00:00:01Z'],
  ["timestamp('1970-01-01T01:00:00+01:00')", '1970-01-01T01:00:00+01:00'],
  ["timestamp('x')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ['timestamp(dyn(1.5))', 'no such overload: timestamp(double)'],
])('a moment is a text, or the seconds since 1970: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ['type(true)', 'bool'],
  ['type(1)', 'int'],
  ['type(1u)', 'uint'],
  ['type(1.5)', 'double'],
  ["type('a')", 'string'],
  ["type(b'')", 'bytes'],
  ['type(null)', 'null_type'],
  ['type([])', 'list'],
  ['type({})', 'map'],
  ['type(timestamp(0))', 'google.protobuf.Timestamp'],
  ["type(duration('1s'))", 'google.protobuf.Duration'],
  ['type(type(1))', 'type'],
  ['dyn(5)', '5'],
])('the type of a value: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})
