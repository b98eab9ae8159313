import { expect, test } from 'vitest'
import { byteLength, outOfRange, parseInt64, parseUint64, quoteGo } from './go-text.ts'

test.each([
  ['7', 7n],
  ['+7', 7n],
  ['-007', -7n],
  ['9223372036854775807', 9223372036854775807n],
  ['9223372036854775808', undefined],
  ['-9223372036854775808', -9223372036854775808n],
  ['-9223372036854775809', undefined],
  ['10000000000000000000', undefined],
  ['7a', undefined],
  ['a7', undefined],
  ['--7', undefined],
  ['', undefined],
])('Atoi reads %j as %s', (text, number) => {
  expect(parseInt64(text)).toBe(number)
})

test.each([
  ['0', 0n],
  ['007', 7n],
  ['18446744073709551615', 18446744073709551615n],
  ['18446744073709551616', undefined],
  ['+7', undefined],
  ['-7', undefined],
  ['7a', undefined],
  [' 7', undefined],
  ['\u0667', undefined],
  ['', undefined],
])('ParseUint reads %j as %s', (text, number) => {
  expect(parseUint64(text)).toBe(number)
})

test.each([
  ['a plain text, with letters, marks, signs and blanks', 'aä€ 1.2-x^😀', '"aä€ 1.2-x^😀"'],
  ['quotes and backslashes', 'a"b\\c', '"a\\"b\\\\c"'],
  ['the controls that Go names', '\u0007\b\t\n\v\f\r', '"\\a\\b\\t\\n\\v\\f\\r"'],
  ['other controls, in two digits', '\u0000\u001f\u007f', '"\\x00\\x1f\\x7f"'],
  ['what has no glyph, in four digits', '\u0080\u00a0\u200b\uffff', '"\\u0080\\u00a0\\u200b\\uffff"'],
  ['what has no glyph beyond four digits, in eight', '\u{1ffff}\u{e0001}', '"\\U0001ffff\\U000e0001"'],
])('Go quotes %s', (_, text, quoted) => {
  expect(quoteGo(text)).toBe(quoted)
})

test('a number that is too large is named in the words of Go', () => {
  expect(outOfRange('99')).toBe('strconv.ParseUint: parsing "99": value out of range')
})

test('a length counts the bytes of UTF-8', () => {
  expect(['', 'ab', 'ä', '€', '😀'].map(byteLength)).toEqual([0, 2, 2, 3, 4])
})
