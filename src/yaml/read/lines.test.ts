import { expect, test } from 'vitest'
import {
  blockEnd,
  columnOf,
  countLines,
  countPoints,
  hasOddBreak,
  isFirstOnLine,
  lineBelow,
  lineBreakAt,
  lineEnd,
  lineStart,
  ownCommentStart,
  positionAt,
} from './lines.ts'

const TEXT = 'ab\n\ncd\r\nef'

test('each offset has the start, the end and the column of its line, and the start of the line below', () => {
  const at = (offset: number) => [lineStart(TEXT, offset), lineEnd(TEXT, offset), columnOf(TEXT, offset), lineBelow(TEXT, offset)]
  expect(at(0)).toEqual([0, 2, 0, 3])
  expect(at(1)).toEqual([0, 2, 1, 3])
  expect(at(2)).toEqual([0, 2, 2, 3])
  expect(at(3)).toEqual([3, 3, 0, 4])
  expect(at(4)).toEqual([4, 6, 0, 8])
  expect(at(5)).toEqual([4, 6, 1, 8])
  expect(at(8)).toEqual([8, 10, 0, 10])
  expect(at(10)).toEqual([8, 10, 2, 10])
})

test('the end of a line at its line feed is not before the offset', () => {
  expect([lineEnd('\r\na', 0), lineEnd('\r\na', 1), lineEnd('a\r\n', 2), lineStart('', 0), lineEnd('', 0)]).toEqual([0, 1, 2, 0, 0])
})

test.each([
  ['a\nb', false],
  ['a\r\nb', false],
  ['a\rb', true],
  ['a\r', true],
  ['a\r\n\rb', true],
  ['a\x85b', true],
  ['a\u2028b', true],
  ['a\u2029b', true],
])('some reader ends a line of %j at something else than a line feed: %s', (text, expected) => {
  expect(hasOddBreak(text)).toBe(expected)
})

test.each<[string, number, string]>([
  ['a\nb\r\n', 0, '\n'],
  ['a\nb\r\n', 2, '\r\n'],
  ['a\r\nb', 3, '\r\n'],
  ['a\nb', 2, '\n'],
  ['a', 0, '\n'],
])('the line break of %j at %i is %j, in the last line that before it', (text, offset, expected) => {
  expect(lineBreakAt(text, offset)).toBe(expected)
})

test.each([
  ['a', 0, true],
  ['  a', 2, true],
  ['x\n  a', 4, true],
  ['- a', 2, false],
  ['\ta', 1, false],
])('%j has only spaces before %i on its line: %s', (text, offset, expected) => {
  expect(isFirstOnLine(text, offset)).toBe(expected)
})

test.each([
  ['the end of its line', 'a: 1 # c\nb: 2\n', 4, 0, 'a: 1 # c'],
  ['a deeper comment below', 'a:\n  b: 1\n  # c\nd: 2\n', 9, 0, 'a:\n  b: 1\n  # c'],
  ['no comment in the column', 'a: 1\n# c\nb: 2\n', 4, 0, 'a: 1'],
  ['a deeper comment behind blank lines', 'a:\n  b: 1\n\n \t\n  # c\n\nd: 2\n', 9, 0, 'a:\n  b: 1\n\n \t\n  # c'],
  ['no deeper comment behind one in the column', 'a:\n  b: 1\n# c\n  # d\n', 9, 0, 'a:\n  b: 1'],
  ['a deeper comment with CRLF', 'a:\r\n  b: 1\r\n  # c\r\nd: 2', 10, 0, 'a:\r\n  b: 1\r\n  # c'],
  ['the end of a text', 'a: 1', 4, 0, 'a: 1'],
  ['a comment at the end of a text', 'a:\n  b: 1\n    # c', 9, 2, 'a:\n  b: 1\n    # c'],
])('a block value ends at %s', (_, text, offset, column, expected) => {
  expect(text.slice(0, blockEnd(text, offset, column))).toBe(expected)
})

test.each([
  ['its own line without a comment', 'a: 1\nb: 2\n', 'b: 2\n'],
  ['the comment above it', 'a: 1\n# c\nb: 2\n', '# c\nb: 2\n'],
  ['the first of its comments', 'a: 1\n# c\n# d\nb: 2\n', '# c\n# d\nb: 2\n'],
  ['the comment below a blank line', 'a: 1\n# c\n\n# d\nb: 2\n', '# d\nb: 2\n'],
  ['no comment in another column', 'a:\n  x: 1\n  # c\nb: 2\n', 'b: 2\n'],
  ['no comment behind a value', 'x: # c\nb: 2\n', 'b: 2\n'],
  ['the start of the text', '# c\nb: 2\n', '# c\nb: 2\n'],
])('the comments of a line begin at %s', (_, text, expected) => {
  expect(text.slice(ownCommentStart(text, text.indexOf('b: 2')))).toBe(expected)
})

test('the comments of an indented line are in its column', () => {
  const text = 'a:\n# no\n  # own\n  b: 2\n'
  expect(text.slice(ownCommentStart(text, text.indexOf('b: 2')))).toBe('  # own\n  b: 2\n')
})

test('a position counts lines and code points from 1', () => {
  expect([0, 1, 3, 4].map((offset) => positionAt('a😀\nb', offset))).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 1, column: 3 },
    { line: 2, column: 1 },
  ])
})

test('a surrogate pair is one code point, half of one another', () => {
  expect([
    countPoints('a😀b', 0, 4),
    countPoints('a😀b', 2, 4),
    countPoints('\ude00\ude00', 0, 2),
    countPoints('\ud83d\ud83d', 0, 2),
  ]).toEqual([3, 2, 2, 2])
  expect([
    countPoints('\ud7ff\udc00', 0, 2),
    countPoints('\ud800\udc00', 0, 2),
    countPoints('\udbff\udfff', 0, 2),
    countPoints('\udbff\ue000', 0, 2),
  ]).toEqual([2, 1, 1, 2])
})

test('line feeds are counted before an offset', () => {
  expect([countLines('a\nb\n'), countLines('a\nb\n', 1), countLines('a\nb\n', 2), countLines(''), countLines('\n', 0)]).toEqual([
    2, 0, 1, 0, 0,
  ])
})
