import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'

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
