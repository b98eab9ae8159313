import { expect, test } from 'vitest'
import { shortChange } from '../short-value.ts'
import { amountOf, compareQuantities } from './quantity.ts'

test.each([
  ['500m', 0.5],
  ['1.5e3', 1500],
  ['2E2', 200],
  ['1k', 1000],
  ['1Ki', 1024],
  ['-1', -1],
  ['+.5', 0.5],
  [' 7 ', 7],
  ['1M', 1e6],
  ['1Mi', 1048576],
  ['1Gi', 1073741824],
  ['1G', 1e9],
  ['1Ti', 1099511627776],
  ['1T', 1e12],
  ['5x', 0],
  ['many', 0],
])('the quantity %s is %d', (text, amount) => {
  expect(amountOf(text)).toBe(amount)
})

test('quantities are compared by their amount', () => {
  expect(compareQuantities('1Gi', '1G')).toBeGreaterThan(0)
  expect(compareQuantities('1000m', '1')).toBe(0)
  expect(compareQuantities('999Mi', '1Gi')).toBeLessThan(0)
})

test.each([
  [undefined, 'none'],
  ['', "''"],
  ['text', 'text'],
  [true, 'true'],
  [{ a: [1] }, '{"a":[1]}'],
])('the value %j is shown as %s', (value, text) => {
  expect(shortChange(value, 'other')).toBe(`${text} → other`)
})

test('a long value is cut, and two long values around their first difference', () => {
  expect(shortChange('a'.repeat(80), undefined)).toBe(`${'a'.repeat(80)} → none`)
  expect(shortChange('a'.repeat(200), undefined)).toMatch(/^a{1,80}… → none$/)
  const [before, after] = shortChange(`${'a'.repeat(200)}1`, `${'a'.repeat(200)}2`).split(' → ')
  expect([before?.includes('1'), after?.includes('2')]).toEqual([true, true])
  expect(shortChange(1, undefined)).toBe('1 → none')
})
