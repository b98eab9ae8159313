import { expect, test } from 'vitest'
import { shortChange } from '../short-value.ts'
import { amountOf, compareQuantities } from './quantity.ts'

test.each([
  ['500m', '0.5'],
  ['1.5e3', '1500'],
  ['2E2', '200'],
  ['1k', '1000'],
  ['1Ki', '1024'],
  ['-1', '-1'],
  ['+.5', '0.5'],
  ['5.', '5'],
  [' 7 ', '7'],
  ['1M', '1000000'],
  ['1Mi', '1048576'],
  ['1Gi', '1073741824'],
  ['1G', '1000000000'],
  ['1Ti', '1099511627776'],
  ['1T', '1000000000000'],
  ['16.1G', '16100000000'],
  ['1Ei', '1152921504606846976'],
  ['9223372036854775807', '9223372036854775807'],
  ['5x', '0'],
  ['many', '0'],
  ['.', '0'],
])('the quantity %s is %s', (text, amount) => {
  const [whole = '', fraction = ''] = amount.split('.')
  expect(amountOf(text)).toBe(BigInt(`${whole}${fraction.padEnd(9, '0')}`))
})

test('a part of a nano counts as a whole one, as in the API server', () => {
  expect([amountOf('1.1n'), amountOf('-1e-20'), amountOf('0.1e-99999999999')]).toEqual([2n, -1n, 1n])
})

test('an amount that is too long for any cluster takes no time', () => {
  expect(amountOf('1e999999999') > amountOf('1E')).toBe(true)
  expect(amountOf('9'.repeat(1_000_000)) > amountOf('1E')).toBe(true)
  expect(amountOf(`${'9'.repeat(1_000_000)}!`)).toBe(0n)
})

test('quantities are compared by their amount', () => {
  expect(compareQuantities('1Gi', '1G')).toBeGreaterThan(0)
  expect(compareQuantities('1000m', '1')).toBe(0)
  expect(compareQuantities('16.1G', '16100M')).toBe(0)
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
