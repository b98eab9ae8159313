import { expect, test } from 'vitest'
import { doubleToInt, doubleToUint, formatDouble, parseDouble, parseInteger, parseWholeNumber } from './numbers.ts'

// Formats of Go 1.26, which cel-go uses.
test.each([
  { value: 100000, text: '100000' },
  { value: 1e6, text: '1e+06' },
  { value: 123456789, text: '1.23456789e+08' },
  { value: 0.0001, text: '0.0001' },
  { value: 0.00001, text: '1e-05' },
  { value: 1e100, text: '1e+100' },
  { value: -0, text: '-0' },
  { value: 0, text: '0' },
  { value: -2.5e-7, text: '-2.5e-07' },
  { value: Number.NEGATIVE_INFINITY, text: '-Inf' },
  { value: Number.POSITIVE_INFINITY, text: '+Inf' },
  { value: Number.NaN, text: 'NaN' },
])('a double: $text', ({ value, text }) => {
  expect(formatDouble(value)).toBe(text)
})

test.each([
  { text: '1_0.5', value: 10.5 },
  { text: '1e_5', value: undefined },
  { text: '_1', value: undefined },
  { text: '0x1.8p1', value: 3 },
  { text: '0x_1p4', value: 16 },
  { text: '0x10', value: undefined },
  { text: '0x1p-1080', value: 0 },
  { text: '1e400', value: undefined },
  { text: '-inf', value: Number.NEGATIVE_INFINITY },
  { text: 'nAn', value: Number.NaN },
  { text: '+nan', value: undefined },
  { text: ' 1', value: undefined },
  { text: '.', value: undefined },
  { text: '5.', value: 5 },
  { text: '1_', value: undefined },
  { text: '1__0', value: undefined },
  { text: '0x1_0p0', value: 16 },
  { text: '0x1p_1', value: undefined },
  { text: '0x.8p1', value: 1 },
  { text: '-0x1p-2', value: -0.25 },
  { text: '0xp1', value: undefined },
  { text: '0x0p9999', value: 0 },
  { text: '0x1p1023', value: 2 ** 1023 },
  { text: '0x1p1024', value: undefined },
  { text: '0x1p-1074', value: 5e-324 },
  { text: '+Infinity', value: Number.POSITIVE_INFINITY },
  { text: '-1e-3', value: -0.001 },
])('a double from "$text"', ({ text, value }) => {
  expect(parseDouble(text)).toBe(value)
})

test('an integer is a sign and digits', () => {
  expect(['+007', '-0', '1_0', '', '+', '0x1'].map(parseInteger)).toEqual([7n, 0n, undefined, undefined, undefined, undefined])
})

test.each([
  ['+007', 7],
  ['-3', -3],
  ['x', 'strconv.Atoi: parsing "x": invalid syntax'],
  ['', 'strconv.Atoi: parsing "": invalid syntax'],
  ['9223372036854775808', 'strconv.Atoi: parsing "9223372036854775808": value out of range'],
])('a whole number from "%s"', (text, value) => {
  if (typeof value === 'number') expect(parseWholeNumber(text)).toBe(value)
  else expect(() => parseWholeNumber(text)).toThrow(value)
})

test('a double becomes an int inside of the limits alone, and the smallest int is outside', () => {
  expect(doubleToInt(-1.9)).toBe(-1n)
  expect(doubleToInt(2 ** 63 - 1024)).toBe(9223372036854774784n)
  for (const value of [2 ** 63, -(2 ** 63), Number.NaN]) expect(() => doubleToInt(value)).toThrow('integer overflow')
})

test('a double becomes a uint from zero on', () => {
  expect(doubleToUint(0).value).toBe(0n)
  expect(doubleToUint(1.9).value).toBe(1n)
  for (const value of [-0.5, 2 ** 64, Number.NaN]) expect(() => doubleToUint(value)).toThrow('unsigned integer overflow')
})
