import { expect, test } from 'vitest'
import { countCodePoints, formatExcerpt, positionInExpression } from './expression-position.ts'

test.each([
  { reason: 'the caret stands under the place', expression: 'target.nope', line: 1, column: 7, expected: 'target.nope\n      ^' },
  { reason: 'only the line of the place is shown', expression: 'a +\n b', line: 2, column: 2, expected: ' b\n ^' },
  { reason: 'a character outside the BMP is one column', expression: "'😀' + x", line: 1, column: 7, expected: "'😀' + x\n      ^" },
  { reason: 'tabs keep the caret in line', expression: '\ta', line: 1, column: 2, expected: '\ta\n\t^' },
  { reason: 'the place may be behind the end', expression: 'a +', line: 1, column: 5, expected: 'a +\n    ^' },
  { reason: 'an empty expression has a place too', expression: '', line: 1, column: 1, expected: '\n^' },
])('$reason', ({ expression, line, column, expected }) => {
  expect(formatExcerpt(expression, line, column)).toBe(expected)
})

test.each([
  { reason: 'the first character is at 1:1', expression: 'a', offset: 0, line: 1, column: 1 },
  { reason: 'columns count from the start of the line', expression: 'a +\n b', offset: 5, line: 2, column: 2 },
  { reason: 'a line feed belongs to the line that it ends', expression: 'a\nb', offset: 1, line: 1, column: 2 },
  { reason: 'the character behind a line feed begins a line', expression: 'a\n\nb', offset: 3, line: 3, column: 1 },
  { reason: 'a carriage return ends no line', expression: 'a\rb', offset: 2, line: 1, column: 3 },
  { reason: 'a character outside the BMP is one column', expression: "'😀' + x", offset: 7, line: 1, column: 7 },
  { reason: 'characters of the lines above are not counted', expression: "'😀'\n+ x", offset: 7, line: 2, column: 3 },
])('the place of an offset: $reason', ({ expression, offset, line, column }) => {
  expect(positionInExpression(expression, offset)).toEqual({ line, column })
})

test.each([
  ['no characters', '', 0],
  ['characters of the BMP', 'aä€', 3],
  ['a pair between letters', 'a😀b', 3],
  ['two pairs', '😀😀', 2],
  ['the first and the last pair', '\ud800\udc00\udbff\udfff', 2],
  ['halves alone', '\ud83d', 1],
  ['halves in the wrong order', '\ude00\ud83d', 2],
  ['a pair behind a half', '\ud83d\ud83d\ude00', 2],
  ['a half behind a pair', '\ud83d\ude00\ude00', 2],
  ['characters beside the range of the first half', '\ud7ff\udc00', 2],
  ['characters beside the range of the second half', '\ud800\ue000', 2],
])('code points: %s', (_, text, count) => {
  expect(countCodePoints(text)).toBe(count)
})
