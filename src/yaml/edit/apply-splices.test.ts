import { expect, test } from 'vitest'
import { readYaml } from '../read/yaml-reader.ts'
import { applyAtEnd, applySplices, closeBlock, closingBeside, type Splice } from './apply-splices.ts'

const insert = (at: number, text: string): Splice => ({ start: at, end: at, text })
const cut = (start: number, end: number): Splice => ({ start, end, text: '' })

test.each<[string, string, readonly Splice[], string]>([
  ['none', 'abcd', [], 'abcd'],
  ['one in the place of a stretch', 'abcd', [{ start: 1, end: 3, text: 'X' }], 'aXd'],
  ['several, in any order', 'abcd', [cut(3, 4), insert(0, '<'), { start: 1, end: 2, text: 'X' }], '<aXc'],
  ['insertions at one place, in the order in which they came', 'abcd', [insert(2, '1'), insert(2, '2')], 'ab12cd'],
  ['an insertion where a removal begins, before it', 'abcd', [cut(1, 3), insert(1, 'X')], 'aXd'],
  ['an insertion where a removal ends, behind it', 'abcd', [insert(3, 'X'), cut(1, 3)], 'aXd'],
  ['an insertion inside a removal, before it', 'abcd', [cut(0, 3), insert(2, 'X')], 'Xd'],
  ['an insertion inside removed lines, at the end of the line before', 'a\nb\nc\n', [cut(2, 4), insert(3, '!')], 'a!\nc\n'],
  ['the same with CRLF', 'a\r\nb\r\nc\r\n', [cut(3, 6), insert(4, '!')], 'a!\r\nc\r\n'],
  ['an insertion behind a removal and a replacement', 'abcdef', [cut(0, 2), { start: 2, end: 4, text: 'X' }, insert(5, '!')], 'Xe!f'],
])('splices of a text: %s', (_, text, splices, expected) => {
  expect(applySplices(text, splices)).toBe(expected)
})

test('of a part of a text, only the part is returned', () => {
  expect(applySplices('abcdef', [{ start: 2, end: 3, text: 'X' }], { start: 1, end: 5 })).toBe('bXde')
  expect(applySplices('abcdef', [], { start: 1, end: 5 })).toBe('bcde')
})

test.each([
  ['a literal block', 'a: |\n  b', 'a: |-\n  b'],
  ['a folded block with an indentation', 'a: >2\n   b', 'a: >2-\n   b'],
  ['a block that strips already', 'a: |-\n  b', 'a: |-\n  b'],
  ['a block that keeps line breaks', 'a: |+\n  b', 'a: |-\n  b'],
  ['a block at the end of a list', 'a:\n- b\n- |\n  c', 'a:\n- b\n- |-\n  c'],
  ['a block deep at the end', 'a:\n  b:\n    c: |\n      d', 'a:\n  b:\n    c: |-\n      d'],
  ['a block that is not at the end', 'a: |\n  b\nc: d', 'a: |\n  b\nc: d'],
  ['a block with its line break', 'a: |\n  b\n', 'a: |\n  b\n'],
  ['a block without lines', 'a: |', 'a: |'],
  ['a block with blanks alone', 'a: |\n ', 'a: |\n '],
  ['a block with blanks alone that keeps line breaks', 'a: |+\n ', 'a: |-\n '],
  ['no block', 'a: b', 'a: b'],
  ['blanks at the end, which would become a line', 'a: |+\n  b\n\n ', 'a: |+\n  b\n'],
  ['a text that is no YAML', 'a: [', 'a: ['],
  ['the alias of an anchor above the text', 'a: *x', 'a: *x'],
])('a text to which a line break will be added keeps its values: %s', (_, text, expected) => {
  expect(closeBlock(text)).toBe(expected)
})

test.each<[string, string, readonly Splice[], string]>([
  ['nothing changes at the end', 'a: 1\nb: |\n  c', [{ start: 3, end: 4, text: '2' }], 'a: 2\nb: |\n  c'],
  ['a text behind the block closes the block', 'b: |\n  c', [insert(8, '\nd: 1')], 'b: |-\n  c\nd: 1'],
  ['a block that the removal of what follows leaves at the end keeps its line break', 'b: |\n  c\nd: 1', [cut(8, 13)], 'b: |\n  c\n'],
  ['the same with CRLF', 'b: |\r\n  c\r\nd: 1', [cut(9, 15)], 'b: |\r\n  c\r\n'],
  ['a plain value at the end gets no line break', 'b: c\nd: 1', [cut(4, 9)], 'b: c'],
  ['a text that ends with a line break', 'b: |\n  c\n', [insert(8, '\nd: 1')], 'b: |\n  c\nd: 1\n'],
])('at the end of a text: %s', (_, text, splices, expected) => {
  expect(applyAtEnd(text, readYaml(text), splices)).toBe(expected)
})

test.each<[string, readonly Splice[], readonly Splice[]]>([
  ['no other', [], [{ start: 8, end: 9, text: '|-' }]],
  ['one before it', [cut(3, 4)], [{ start: 8, end: 9, text: '|-' }]],
  ['one that ends where the header begins', [cut(5, 8)], [{ start: 8, end: 9, text: '|-' }]],
  ['one that begins where the header ends', [cut(9, 13)], [{ start: 8, end: 9, text: '|-' }]],
  ['one of the whole field', [cut(3, 4), cut(5, 13)], []],
])('the block at the end is closed beside other splices: %s', (_, splices, expected) => {
  const text = 'a: 1\nb: |\n  c'
  expect(closingBeside(text, readYaml(text), splices)).toEqual(expected)
})
