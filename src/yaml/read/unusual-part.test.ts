import { expect, test } from 'vitest'
import { unusualPart } from './unusual-part.ts'

const ROWS = Array.from({ length: 40_000 }, (_, index) => `  key-${index}: some text of a large object\n`).join('')

test.each([
  { reason: 'an anchor', text: '  x: &a b\n', message: 'an anchor (&) in a text', column: 5 },
  { reason: 'a tag', text: '  x: !!str b\n', message: 'a tag (!) in a text', column: 5 },
  { reason: 'a merge key', text: '  x:\n    <<: {a: b}\n', message: 'a merge key (<<) in a text', column: 4 },
  { reason: 'a long key', text: '  ? key\n  : b\n', message: "a key behind '? ' in a text", column: 2 },
  { reason: 'a tab', text: '  x:\tb\n', message: 'a tab in a text', column: 2 },
  { reason: 'a repeated key', text: '  key-7: b\n', message: 'a repeated key in a text', column: 2 },
  { reason: 'a repeated key between brackets', text: '  x: {a: 1, a: 2}\n', message: 'a repeated key in a text', column: 2 },
  { reason: 'a fault behind a repeated key', text: '  key-7: b\n  y: b: c\n', message: 'a fault, or a layout', column: 2 },
  { reason: 'a fault beside an & that begins no anchor', text: '  x: a & b: c\n', message: 'a fault, or a layout', column: 2 },
  { reason: 'a fault behind an anchor', text: '  x: &a b\n  y: b: c\n', message: 'a fault, or a layout', column: 2 },
])('a text that is too large for the full parser names the line for which it needs that: $reason', ({ text, message, column }) => {
  const large = `data:\n${ROWS}${text}`
  const part = unusualPart(large)
  expect(part.message).toContain(message)
  const start = large.lastIndexOf('\n', part.offset - 1) + 1
  expect(part.offset - start).toBeGreaterThanOrEqual(column)
  expect(start).toBeGreaterThanOrEqual(ROWS.length)
})
