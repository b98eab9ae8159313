import { expect, test } from 'vitest'
import { formatDouble, parseDouble, parseInteger } from './numbers.ts'
import { escapeLiteralBraces, estimateRegexSize } from './regex-size.ts'
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp } from './time.ts'

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
])('a double from "$text"', ({ text, value }) => {
  expect(parseDouble(text)).toBe(value)
})

test('an integer is a sign and digits', () => {
  expect(['+007', '-0', '1_0', '', '+', '0x1'].map(parseInteger)).toEqual([7n, 0n, undefined, undefined, undefined, undefined])
})

test.each([
  { text: '1h30m', seconds: '5400s' },
  { text: '-1.5s', seconds: '-1.5s' },
  { text: '1ns', seconds: '0.000000001s' },
  { text: '+0', seconds: '0s' },
  { text: '1µs', seconds: '0.000001s' },
  { text: '0.9223372036854775807h', seconds: '3320.413933267s' },
  { text: '2562047h47m16.854775807s', seconds: '9223372036.854776s' },
  { text: '2562047h47m16.854775808s', seconds: undefined },
  { text: '1d', seconds: undefined },
  { text: '1.5', seconds: undefined },
  { text: '.s', seconds: undefined },
])('a duration from "$text"', ({ text, seconds }) => {
  const duration = parseDuration(text)
  expect(duration === undefined ? undefined : formatDuration(duration)).toBe(seconds)
})

test.each([
  { text: '2020-02-29T23:59:59.120Z', printed: '2020-02-29T23:59:59.12Z' },
  { text: '2020-01-02T3:04:05,5+02:00', printed: '2020-01-02T03:04:05.5+02:00' },
  { text: '2020-01-02T03:04:05.1234567891Z', printed: '2020-01-02T03:04:05.123456789Z' },
  { text: '1969-12-31T23:59:59.5Z', printed: '1969-12-31T23:59:59.5Z' },
  { text: '0001-01-01T00:00:00-00:30', printed: '0001-01-01T00:00:00-00:30' },
  { text: '2020-01-02T03:04:05+24:60', printed: '2020-01-02T03:04:05+25:00' },
  { text: '2019-02-29T00:00:00Z', printed: undefined },
  { text: '2020-01-02T24:00:00Z', printed: undefined },
  { text: '2020-01-02t03:04:05z', printed: undefined },
  { text: '2020-01-02T03:04:05', printed: undefined },
])('a timestamp from "$text"', ({ text, printed }) => {
  const timestamp = parseTimestamp(text)
  expect(timestamp === undefined ? undefined : formatTimestamp(timestamp)).toBe(printed)
})

test.each([
  { reason: 'characters', pattern: 'abc', least: 3, most: 8 },
  { reason: 'repetitions multiply', pattern: '((a{10}){10}){5}', least: 500, most: 700 },
  { reason: 'a class is one', pattern: '[a-z0-9]{5}', least: 5, most: 15 },
  { reason: 'quoted text is no repetition', pattern: '\\Qa{100}\\E', least: 1, most: 10 },
  { reason: 'a count that RE2 refuses is left to it', pattern: 'a{1001}', least: 1, most: 10 },
])('the size of a pattern: $reason', ({ pattern, least, most }) => {
  const size = estimateRegexSize(pattern)
  expect(size).toBeGreaterThanOrEqual(least)
  expect(size).toBeLessThanOrEqual(most)
})

test('braces that count nothing are escaped, others stay', () => {
  expect(escapeLiteralBraces('{?a{2}[{]\\{\\Q{\\E{,2}')).toBe('\\{?a{2}[{]\\{\\Q{\\E\\{,2}')
})
