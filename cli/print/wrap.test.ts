import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapLines } from './wrap.ts'

test.each([
  { reason: 'a short line stays', text: '  a b', columns: 30, expected: '  a b' },
  {
    reason: 'a long one is broken at blanks, further lines below its beginning',
    text: '    one two three four five six seven\nshort',
    columns: 26,
    expected: '    one two three four\n      five six seven\nshort',
  },
  { reason: 'a long word stays whole', text: `a ${'b'.repeat(40)} c`, columns: 20, expected: `a\n  ${'b'.repeat(40)}\n  c` },
  {
    reason: 'a style takes no room',
    text: '\u001B[31mred\u001B[0m 34567890123456789',
    columns: 21,
    expected: '\u001B[31mred\u001B[0m 34567890123456789',
  },
  {
    reason: 'where the indent leaves too little room nothing is broken',
    text: `${' '.repeat(30)}a b c d e f g h i`,
    columns: 40,
    expected: `${' '.repeat(30)}a b c d e f g h i`,
  },
])('$reason', ({ text, columns, expected }) => {
  expect(wrapLines(text, columns)).toBe(expected)
})

test('no word is lost, and no line is too long but for its one word', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,30}$/)),
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 30, max: 80 }),
      (words, indent, columns) => {
        const wrapped = wrapLines(`${' '.repeat(indent)}${words.join(' ')}`, columns)
        expect(wrapped.trim().split(/\s+/)).toEqual(words.join(' ').split(/\s+/))
        for (const line of wrapped.split('\n')) expect(line.length <= columns || !line.trim().includes(' ')).toBe(true)
      },
    ),
  )
})
