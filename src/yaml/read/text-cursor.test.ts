import { expect, test } from 'vitest'
import { isBlank, isBlockScalar, REFUSAL, TextCursor } from './text-cursor.ts'

function cursorAt(text: string, offset = 0): TextCursor {
  const at = new TextCursor(text)
  at.moveTo(offset)
  return at
}

/** Returns what is left of a text after a move of the cursor; `refused` if the text is left to the full parser. */
function left(text: string, offset: number, move: (at: TextCursor) => void): string {
  const at = cursorAt(text, offset)
  try {
    move(at)
    return text.slice(at.offset)
  } catch (error) {
    if (error === REFUSAL) return 'refused'
    throw error
  }
}

test('the character and code at the cursor, those ahead, and none at the end', () => {
  const at = cursorAt('ab', 1)
  expect([at.char(), at.code(), at.code(-1), at.code(1)]).toEqual(['b', 98, 97, -1])
  expect([cursorAt('ab', 2).char(), cursorAt('ab', 2).code(), cursorAt('').code()]).toEqual(['', -1, -1])
})

test.each([
  ['', true],
  ['\na', true],
  ['# c', true],
  ['\r\n', true],
  ['\r', false],
  ['\ra', false],
  [' ', false],
  ['a', false],
])('a line ends at %j: %s', (text, expected) => {
  expect(cursorAt(text).isLineEnd()).toBe(expected)
})

test.each([
  ['- a', true],
  ['-\n', true],
  ['-\r\n', true],
  ['-', true],
  ['-a', false],
  ['--', false],
  ['a -', false],
])('an item begins at %j: %s', (text, expected) => {
  expect(cursorAt(text).isDash()).toBe(expected)
})

test('a dash is skipped with the spaces behind it, and a comment right behind the dash is refused', () => {
  expect([cursorAt('-   a').skipDash(), cursorAt('-').skipDash(), cursorAt('- - a').skipDash()]).toEqual([4, 1, 2])
  expect(left('-   a', 0, (at) => at.skipDash())).toBe('a')
  expect(left('-# c', 0, (at) => at.skipDash())).toBe('refused')
  expect(left('- # c', 0, (at) => at.skipDash())).toBe('# c')
})

test.each([
  ['blanks', 'a  \nb', 1, 'b'],
  ['a comment behind a blank', 'a # c\nb', 1, 'b'],
  ['a comment right behind the value', 'a# c\nb', 1, 'refused'],
  ['a comment at the start of the text', '# c\nb', 0, 'b'],
  ['a carriage return', 'a\r\nb', 1, 'b'],
  ['the end of the text', 'a', 1, ''],
  ['blanks at the end of the text', 'a  ', 1, ''],
  ['a comment at the end of the text', 'a # c', 1, ''],
  ['another value', 'a b\nc', 1, 'refused'],
])('a line that ends in %s', (_, text, offset, expected) => {
  expect(left(text, offset, (at) => at.endLine())).toBe(expected)
})

test('the next content is behind blank lines and comments, with its column, and -1 at the end', () => {
  const text = '\n  # c\r\n\r\n   a'
  expect([cursorAt(text).nextContent(), left(text, 0, (at) => at.nextContent())]).toEqual([3, 'a'])
  expect([cursorAt('a\n b', 0).nextContent(), cursorAt('a\n b', 2).nextContent(), cursorAt('a\n b', 3).nextContent()]).toEqual([0, 1, 1])
  expect([cursorAt('  ').nextContent(), cursorAt('# c').nextContent(), cursorAt('').nextContent()]).toEqual([-1, -1, -1])
  expect(left('a b', 0, (at) => at.nextContent())).toBe('a b')
})

test.each([
  ['deeper lines', 'a:\n  b: 1\n   c\nd: 2', 0, 'd: 2'],
  ['blank lines and comments, whatever their depth', 'a:\n  b: 1\n\n# c\n  d: 1\ne: 1', 0, 'e: 1'],
  ['a list in the column of the key', 'a:\n- b\n- c: 1\n  d: 1\ne: 1', 0, 'e: 1'],
  ['a list that is deeper', 'a:\n  - b\nc: 1', 0, 'c: 1'],
  ['nothing, if a key in the same column follows', 'a:\nb: 1', 0, 'b: 1'],
  ['nothing of the lines that are less deep', 'a:\n b', 2, ' b'],
  ['nothing of a list that is less deep than the key', 'a:\n- b', 2, '- b'],
  ['a value on the line of the key', 'a: x # c\nb: 1', 0, 'b: 1'],
  ['a value on the line of the key, without a list below', 'a: x\n- b', 0, '- b'],
  ['a literal block', 'a: |\n  b\n\n  c\nd: 1', 0, 'd: 1'],
  ['a folded block', 'a: >-\n  b\nd: 1', 0, 'd: 1'],
  ['the lines below an anchor', 'a: &x\n  b: 1\nc: 1', 0, 'c: 1'],
  ['the lines below a tag and blanks', 'a: !t  \n  b: 1\nc: 1', 0, 'c: 1'],
  ['the lines below an anchor with carriage returns', 'a: &x\r\n  b: 1\r\nc: 1', 0, 'c: 1'],
  ['a list below an anchor', 'a: &x\n- b\nc: 1', 0, 'c: 1'],
  ['all lines up to the end', 'a:\n  b: 1\n', 0, ''],
  ['a key without lines at the end', 'a:', 0, ''],
  ['deeper lines below a value on the line of the key', 'a: x\n  b: 1\nc: 1', 0, 'refused'],
  ['deeper lines below an anchored value', 'a: &x b\n  c: 1\n', 0, 'refused'],
  ['deeper lines below brackets', 'a: [\n  1]\n', 0, 'refused'],
  ['deeper lines, but no more than the column, below a value', 'a: x\n b', 1, 'b'],
])('the value of a key is skipped: %s', (_, text, column, expected) => {
  expect(left(text, 2, (at) => at.skipBelow(column))).toBe(expected)
})

test.each([
  ['further lines of a text', 'a: x\n  y\nb: 1', 'b: 1'],
  ['brackets over several lines', 'a: [1,\n  2]\nb: 1', 'b: 1'],
  ['a list in the column of the key', 'a:\n- b\n- c\nd: 1', 'd: 1'],
  ['a comment behind the key, and a list', 'a: # c\n- b\nd: 1', 'd: 1'],
  ['no list below a value on the line of the key', 'a: x\n- b', '- b'],
])('a value of a text that was read before is skipped: %s', (_, text, expected) => {
  expect(left(text, 2, (at) => at.skipValue(0))).toBe(expected)
})

test('the lines of an item end at the next dash in its column', () => {
  expect(left('- a: 1\n  b: 2\n\n- c', 1, (at) => at.skipDeeper(0))).toBe('- c')
  expect(left('  - a\n   - b\n  - c', 3, (at) => at.skipDeeper(2))).toBe('  - c')
  expect(left('- a\nb: 1', 1, (at) => at.skipDeeper(0))).toBe('b: 1')
})

test('after skipped lines the cursor is at the start of a line, from which columns count', () => {
  const at = cursorAt('a:\n    b: 1\n  c: 1', 2)
  at.skipValue(2)
  expect([at.isLineStart(), at.nextContent(), at.isLineStart()]).toEqual([true, 2, false])
})

test('a move to an offset returns its column', () => {
  const at = new TextCursor('ab\n  cd')
  expect([at.moveTo(0), at.moveTo(1), at.moveTo(2), at.moveTo(3), at.moveTo(6)]).toEqual([0, 1, 2, 0, 3])
  at.continueAt(3)
  expect([at.offset, at.isLineStart(), at.nextContent()]).toEqual([3, true, 2])
})

test('a plain scalar is the text from the cursor to an offset, and a pattern matches at the cursor alone', () => {
  const at = cursorAt('ab cd', 3)
  expect([at.endOf(/[a-z]+/y), at.endOf(/b/y)]).toEqual([5, -1])
  expect(at.plainTo(5)).toEqual({ type: 'scalar', style: 'plain', text: 'cd', start: 3, end: 5 })
  expect(at.offset).toBe(5)
})

test('blanks and the first characters of block scalars', () => {
  expect([...' \n\ra\t#'].map((char) => isBlank(char.charCodeAt(0)))).toEqual([true, true, true, false, false, false])
  expect(isBlank(-1)).toBe(true)
  expect([...'|>a'].map((char) => isBlockScalar(char.charCodeAt(0)))).toEqual([true, true, false])
})
