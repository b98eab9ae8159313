import { expect, test } from 'vitest'
import { formatExcerpt } from './expression-position.ts'

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
