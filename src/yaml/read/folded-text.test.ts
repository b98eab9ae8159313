import { expect, test } from 'vitest'
import { foldLines, LongText } from './folded-text.ts'

test('a line break is folded to a space, and one with blank lines to as many line feeds (YAML 1.2.2, 6.5)', () => {
  expect([0, 1, 2].map(foldLines)).toEqual([' ', '\n', '\n\n'])
})

test.each([0, 1, 9_999, 10_000, 10_001, 20_001])('a text of %i parts has them all in their order', (count) => {
  const parts = Array.from({ length: count }, (_, index) => `${index} `)
  const text = new LongText()
  for (const part of parts) text.add(part)
  expect(text.text()).toBe(parts.join(''))
})
