import { expect, test } from 'vitest'
import { findPlainKey, isKey, MAX_KEY, readFurtherLines, readKey, readPlain } from './fast-plain.ts'
import { REFUSAL, TextCursor } from './text-cursor.ts'

/** Returns the answer about a text behind `margin`; `refused` if the text is left to the full parser. */
function answered<Answer>(text: string, answer: (at: TextCursor) => Answer, margin = ''): Answer | 'refused' {
  const at = new TextCursor(margin + text)
  at.moveTo(margin.length)
  try {
    return answer(at)
  } catch (error) {
    if (error === REFUSAL) return 'refused'
    throw error
  }
}

test.each([
  'a: 1',
  'a:\n',
  'a:\r\n',
  'a:',
  'app.kubernetes.io/name-x_y: 1',
  'a b: c',
  'a:b: c',
  'a#b: c',
  '1: x',
  'ä: x',
  '-a: 1',
  '?a: 1',
  ':a: 1',
  '.a: 1',
  '..a: 1',
  '-: 1',
  '"a b": 1',
  "'a b': 1",
  '"": 1',
  '"a":',
  '"a: b": 1',
])('a key begins at %j', (text) => {
  expect(answered(text, isKey)).toBe(true)
})

test.each([
  '',
  '\n',
  'a',
  'a\nb: 1',
  'a:b',
  'a : 1',
  'a #b: 1',
  '- a: 1',
  '? a: 1',
  ': a: 1',
  '---: 1',
  '...: 1',
  '"a" : 1',
  '"a"b: 1',
  '"a"": 1',
  '"a\\"b": 1',
  '"a\nb": 1',
  '"a: 1',
  "'a''b': 1",
  "'a: 1",
  ...[...',[]{}#&*!|>%@`'].map((indicator) => `${indicator}a: 1`),
])('no key begins at %j', (text) => {
  expect(answered(text, isKey)).toBe(false)
})

test('three dashes or dots begin a key where they do not begin a line', () => {
  expect([answered('---: 1', isKey, '- '), answered('...: 1', isKey, '- '), answered('--a: 1', isKey)]).toEqual([true, true, true])
})

test.each([
  ['a: 1', 'plain', 'a', 'a', ' 1'],
  ['a b:\n', 'plain', 'a b', 'a b', '\n'],
  ['"a b": 1', 'double', 'a b', '"a b"', ' 1'],
  ["'a b': 1", 'single', 'a b', "'a b'", ' 1'],
])('the key of %j is read, and its colon', (text, style, name, source, rest) => {
  const at = new TextCursor(text)
  const key = readKey(at)
  expect([key.style, key.text, text.slice(key.start, key.end), text.slice(at.offset)]).toEqual([style, name, source, rest])
})

test('where no key begins, the cursor stays, and a key that must be there is refused', () => {
  const at = new TextCursor('a b')
  expect([findPlainKey(at), at.offset]).toEqual([undefined, 0])
  expect(answered('a b', readKey)).toBe('refused')
})

test('a key may have a thousand characters, and its quotes count', () => {
  const textOf = (key: string) => {
    const found = answered(`${key}: 1`, findPlainKey)
    return found === 'refused' ? found : found?.text.length
  }
  expect(MAX_KEY).toBe(1000)
  expect([textOf('k'.repeat(1000)), textOf('k'.repeat(1001))]).toEqual([1000, 'refused'])
  expect([textOf(`"${'k'.repeat(998)}"`), textOf(`"${'k'.repeat(999)}"`)]).toEqual([998, 'refused'])
})

test.each(['<<: *x', '"<<": *x', 'a\tb: 1', 'a\u0007: 1', 'a\ufeff: 1', 'a\u2028: 1', '"a\tb": 1'])(
  'the key of %j is left to the full parser',
  (text) => {
    expect(answered(text, findPlainKey)).toBe('refused')
  },
)

test.each([
  ['a', 'a', ''],
  ['a b\n', 'a b', '\n'],
  ['a b  \nc', 'a b', '  \nc'],
  ['a b # c', 'a b', ' # c'],
  ['a#b', 'a#b', ''],
  ['a\r\nb', 'a', '\r\nb'],
  ['a \r\n', 'a', ' \r\n'],
  ['http://x:80/y', 'http://x:80/y', ''],
  ['http://x:80/y\n', 'http://x:80/y', '\n'],
  ['a:b\n', 'a:b', '\n'],
  ['-1', '-1', ''],
  ['-a', '-a', ''],
  ['?a', '?a', ''],
  [':a', ':a', ''],
  ['.5', '.5', ''],
  ['ä ö', 'ä ö', ''],
  ["it's", "it's", ''],
  ['a, [b] {c} & * !', 'a, [b] {c} & * !', ''],
  [`${'word '.repeat(150)}end\nb`, `${'word '.repeat(150)}end`, '\nb'],
])('the plain scalar at %j is read up to the end of the line or a comment', (text, expected, rest) => {
  const at = new TextCursor(text)
  expect([readPlain(at).text, text.slice(at.offset)]).toEqual([expected, rest])
})

test.each([
  '',
  '\n',
  'a: b',
  'a:',
  'a:\n',
  'a: # c',
  'a :\r\n',
  '- a',
  '-',
  '? a',
  ': a',
  '--- a',
  '...',
  'a\tb',
  'a\u0007b',
  ...[...',[]{}#&*!|>\'"%@`'].map((indicator) => `${indicator}a`),
])('%j is no plain scalar, or left to the full parser', (text) => {
  expect(answered(text, readPlain)).toBe('refused')
})

test('three dashes or dots are a plain scalar where they do not begin a line', () => {
  const textOf = (text: string) => {
    const found = answered(text, readPlain, 'a: ')
    return found === 'refused' ? found : found.text
  }
  expect([textOf('---'), textOf('...'), textOf('- x')]).toEqual(['---', '...', 'refused'])
})

/** Returns the folded text of the plain scalar that begins a text, below a key in a column, and what follows the scalar. */
function folded(text: string, column: number): readonly string[] | 'refused' {
  return answered(text, (at) => {
    const first = readPlain(at)
    at.endLine()
    at.nextContent()
    const scalar = readFurtherLines(at, first, column)
    return [scalar.text, text.slice(scalar.start, scalar.end), text.slice(at.offset)]
  })
}

test.each<[string, string, number, readonly string[] | 'refused']>([
  ['a line', 'a\n  b\nc: 1', 0, ['a b', 'a\n  b', 'c: 1']],
  ['several lines with blanks at their ends', 'a  \n  b  \n   c\n', 0, ['a b c', 'a  \n  b  \n   c', '']],
  ['lines with carriage returns', 'a\r\n  b\r\nc: 1', 0, ['a b', 'a\r\n  b', 'c: 1']],
  ['a blank line, which is a line break', 'a\n\n  b\n', 0, ['a\nb', 'a\n\n  b', '']],
  ['two blank lines, which are two', 'a\n\n \n  b\n', 0, ['a\n\nb', 'a\n\n \n  b', '']],
  ['lines deeper than the column alone', 'a\n   b\n  c: 1', 2, ['a b', 'a\n   b', 'c: 1']],
  ['a comment behind the last line', 'a\n  b # c\nd: 1', 0, ['a b', 'a\n  b', 'd: 1']],
  ['a line like an item, which is text', 'a\n  - b\n', 0, ['a - b', 'a\n  - b', '']],
  ['a line behind a comment', 'a # c\n  b\n', 0, 'refused'],
  ['a line behind a comment of its own line', 'a\n  # c\n  b\n', 0, 'refused'],
  ['a line with a key', 'a\n  b: 1\n', 0, 'refused'],
  ['a line that ends in a colon', 'a\n  b:\n', 0, 'refused'],
  ['a line with a tab', 'a\n  b\tc\n', 0, 'refused'],
])('a plain scalar goes on with %s', (_, text, column, expected) => {
  expect(folded(text, column)).toEqual(expected)
})
