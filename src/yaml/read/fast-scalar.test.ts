import { expect, test } from 'vitest'
import { explicitBlock, readBlockScalar, readQuoted } from './fast-scalar.ts'
import type { ScalarNode } from './node.ts'
import { REFUSAL, TextCursor } from './text-cursor.ts'

/**
 * Returns the text of a scalar, the part of the source that it takes, and what follows the cursor; `refused` if it is left to the parser.
 */
function read(text: string, readOne: (at: TextCursor) => ScalarNode) {
  const at = new TextCursor(text)
  try {
    const { text: value, start, end } = readOne(at)
    return [value, text.slice(start, end), text.slice(at.offset)]
  } catch (error) {
    if (error === REFUSAL) return 'refused'
    throw error
  }
}

test.each([
  ['"" x', ['', '""', ' x']],
  ['"a b" # c', ['a b', '"a b"', ' # c']],
  ['"a\\"b"', ['a"b', '"a\\"b"', '']],
  ['"ä"', ['ä', '"ä"', '']],
  ['"a\\\\" "', ['a\\', '"a\\\\"', ' "']],
  ["'a''b' x", ["a'b", "'a''b'", ' x']],
  ["'a' 'b'", ['a', "'a'", " 'b'"]],
  ["''''", ["'", "''''", '']],
  ["'ä'", ['ä', "'ä'", '']],
  ["'a\\b'", ['a\\b', "'a\\b'", '']],
  ['"a\tb"', ['a\tb', '"a\tb"', '']],
  ['"a', 'refused'],
  ['"a\\"', 'refused'],
  ["'a", 'refused'],
  ["'a''", 'refused'],
  ['"a\\q"', 'refused'],
  ['"a\u0007"', 'refused'],
  ['"a\ufeff"', 'refused'],
  ['"a\u0085"', 'refused'],
  ['"a\n  b"', 'refused'],
])('the quoted scalar %j is read', (text, expected) => {
  expect(read(text, (at) => readQuoted(at))).toEqual(expected)
})

test('further lines in quotes must be deeper than the column', () => {
  expect(read('"a\n  b" c', (at) => readQuoted(at, 1))).toEqual(['a b', '"a\n  b"', ' c'])
  expect(read("'a\n  b' c", (at) => readQuoted(at, 1))).toEqual(['a b', "'a\n  b'", ' c'])
  expect(read('"a\n b"', (at) => readQuoted(at, 1))).toBe('refused')
  expect(read('"a\n\t b"', (at) => readQuoted(at, 0))).toBe('refused')
})

test.each<[string, string, number, unknown]>([
  ['lines', '|\n  a\n  b\nc', 0, ['a\nb\n', '|\n  a\n  b', 'c']],
  ['lines with CRLF', '|\r\n  a\r\n  b\r\nc', 0, ['a\nb\n', '|\r\n  a\r\n  b', 'c']],
  ['deeper lines', '|\n  a\n    b\nc', 0, ['a\n  b\n', '|\n  a\n    b', 'c']],
  ['blank lines between', '|\n  a\n\n \n  b\n', 0, ['a\n\n\nb\n', '|\n  a\n\n \n  b', '']],
  ['blank lines before', '|\n\n  a\n', 0, ['\na\n', '|\n\n  a', '']],
  ['blank lines behind, which go', '|\n  a\n\n\nb', 0, ['a\n', '|\n  a', 'b']],
  ['blank lines behind, which stay with +', '|+\n  a\n\n\nb', 0, ['a\n\n\n', '|+\n  a\n\n', 'b']],
  ['no line break with -', '|-\n  a\n\nb', 0, ['a', '|-\n  a', 'b']],
  ['no line break at the end of the text', '|\n  a', 0, ['a', '|\n  a', '']],
  ['no line break at the end of the text with +', '|+\n  a', 0, ['a', '|+\n  a', '']],
  ['an indentation', '|1\n   a\nb', 0, ['  a\n', '|1\n   a', 'b']],
  ['an indentation and +', '|+1\n  a\n\nb', 0, [' a\n\n', '|+1\n  a\n', 'b']],
  ['an indentation, before - too', '|1-\n  a\nb', 0, [' a', '|1-\n  a', 'b']],
  ['an indentation below a deeper key', '|2\n     a\nb', 2, [' a\n', '|2\n     a', 'b']],
  ['a comment behind the header', '| # c\n  a\n', 0, ['a\n', '| # c\n  a', '']],
  ['blanks behind the header', '| \t\n  a\n', 0, ['a\n', '| \t\n  a', '']],
  ['nothing', '|\nb', 0, ['', '|', 'b']],
  ['nothing, with -', '|-\nb', 0, ['', '|-', 'b']],
  ['a comment behind it that is less deep', '|\n    a\n  # c\nb', 0, ['a\n', '|\n    a', '  # c\nb']],
  ['a comment in it', '|\n  a\n  # c\nb', 0, ['a\n# c\n', '|\n  a\n  # c', 'b']],
  ['folded lines', '>\n  a\n  b\nc', 0, ['a b\n', '>\n  a\n  b', 'c']],
  ['folded lines with blank lines', '>\n  a\n\n\n  b\nc', 0, ['a\n\nb\n', '>\n  a\n\n\n  b', 'c']],
  ['folded lines with deeper ones', '>\n  a\n   b\n  c\n  d\n', 0, ['a\n b\nc d\n', '>\n  a\n   b\n  c\n  d', '']],
  ['folded lines with a tab', '>\n  a\n  \tb\n  c\n', 0, ['a\n\tb\nc\n', '>\n  a\n  \tb\n  c', '']],
  ['folded lines, the first deeper', '>1\n   a\n b\n', 0, ['  a\nb\n', '>1\n   a\n b', '']],
  ['two indentations', '|1+1\n  a\n', 0, 'refused'],
  ['a word behind the header', '| a\n', 0, 'refused'],
  ['a comment right behind the header', '|#c\n  a\n', 0, 'refused'],
  ['a line that is less deep than the first', '|\n    a\n  b\nc', 0, 'refused'],
  ['a wider blank line before the first', '|\n    \n  a\n', 0, 'refused'],
  ['only wide blank lines', '|\n   \nb', 0, 'refused'],
  ['only blank lines with +', '|+\n\nb', 0, 'refused'],
  ['only blank lines', '|\n\nb', 0, 'refused'],
  ['blanks at the end of the text', '|\n  a\n ', 0, 'refused'],
  ['a control character', '|\n  a\u0007\n', 0, 'refused'],
])('a block scalar with %s', (_, text, parent, expected) => {
  expect(read(text, (at) => readBlockScalar(at, parent))).toEqual(expected)
})

test.each([
  ['|2\n    a\n', '  a\n'],
  ['|-2\n    a\n', '  a'],
  ['>1\n  a\n', ' a\n'],
  ['|\n  a\n', undefined],
  ['|-\n  a\n', undefined],
  ['"2"\n', undefined],
  ['|2+2\n  a\n', undefined],
])('of %j, an explicit block scalar is %j', (text, expected) => {
  expect(explicitBlock(`k: ${text}`, 3, 0)?.text).toBe(expected)
})
