import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'
import { endOfString, faultOfString } from './string-literal.ts'

// Answers of cel-go 0.26.1.
test.each([
  ["bytes('\\a\\b\\f\\n\\r\\t\\v')", 'bytes 7 8 12 10 13 9 11'],
  [`'\\\\\\'\\"\\?\\\`'`, `'\\'"?\`'`],
  ["'\\x41\\X42'", "'AB'"],
  ["'\\101\\377'", "'Aÿ'"],
  ["'\\u00e9\\U0001F600'", "'é😀'"],
  [`"it's"`, "'it's'"],
  [`'say "x"'`, `'say "x"'`],
])('an escape is one character: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["r'\\n'", "'\\n'"],
  ['R"\\x"', "'\\x'"],
  ["r'''a\\'''", "'a\\'"],
])('raw texts keep their backslashes: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'''a'b''c'''", "'a'b''c'"],
  ['"""a"b""c"""', `'a"b""c'`],
  ["bytes('''a\nb''')", 'bytes 97 10 98'],
  ["bytes('''a\r\nb\rc''')", 'bytes 97 10 98 10 99'],
  ["''''''", "''"],
])('long texts hold quotes and line breaks: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["b'\\xff\\377é'", 'bytes 255 255 195 169'],
  ["b'\\n\\a\\''", 'bytes 10 7 39'],
  ["B'a'", 'bytes 97'],
  ["br'\\n'", 'bytes 92 110'],
  ['bR"a"', 'bytes 97'],
  ["b'''a\nb'''", 'bytes 97 10 98'],
])('bytes of escapes are single bytes, and characters are UTF-8: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'\\U00110000'", '1:1: invalid unicode code point'],
  ["'\\udfff'", '1:1: invalid unicode code point'],
  ["'\\ud800'", '1:1: invalid unicode code point'],
  ["'\\ue000'", "''"],
  ["'\\U0010ffff'", "'􏿿'"],
  ["b'\\u0041'", '1:1: unable to unescape string'],
  ["b'\\U00000041'", '1:1: unable to unescape string'],
])('escapes without a character are refused: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["'a", "the text that begins with ' is not closed"],
  ['"a', 'the text that begins with " is not closed'],
  ["'a\\n\\x41", "the text that begins with ' is not closed"],
  ["'a\n\\q'", "the text that begins with ' is not closed"],
  ["'a\r\\q'", "the text that begins with ' is not closed"],
  ["'a\\qb'", '\\q is no escape in a text, a backslash is written \\\\'],
  ["'a\\x4'", '\\x is no escape in a text, a backslash is written \\\\'],
])('the fault of %j is named', (text, fault) => {
  expect(faultOfString(` ${text}`, 1)).toBe(fault)
})

test('the end of a literal is behind its closing quotes, and a literal of one line ends on it', () => {
  const end = (text: string, raw = false) => endOfString(text, { start: 0, raw })
  expect([end("'a'b"), end("'''a'b'''c"), end("''a"), end("'\\''a"), end("'\\'a", true)]).toEqual([3, 9, 2, 4, 3])
  expect([end("'a"), end("'a\nb'"), end("'a\rb'"), end("'''a\nb'''"), end("'\\q'"), end("'\\q'", true)]).toEqual([
    undefined,
    undefined,
    undefined,
    9,
    undefined,
    4,
  ])
})
