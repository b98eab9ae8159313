import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp } from './time.ts'

// Answers of cel-go 0.26.1.
test.each([
  ["timestamp('0001-01-01T00:00:00Z')", '0001-01-01T00:00:00Z'],
  ["timestamp('0001-01-01T00:00:00+00:01')", 'timestamp overflow'],
  ['timestamp(-62135596800)', '0001-01-01T00:00:00Z'],
  ['timestamp(-62135596801)', 'timestamp overflow'],
  ['timestamp(253402300799)', '9999-12-31T23:59:59Z'],
  ['timestamp(253402300800)', 'timestamp overflow'],
  ["timestamp('9999-12-31T23:59:59.5Z') + duration('499ms')", '9999-12-31T23:59:59.999Z'],
  ["timestamp('9999-12-31T23:59:59.5Z') + duration('500ms')", 'timestamp overflow'],
])('a moment is in the years 1 to 9999: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["string(timestamp('2020-01-01T00:00:00+02:00') + duration('1h'))", "'2020-01-01T01:00:00+02:00'"],
  ["string(duration('1h') + timestamp('2020-01-01T00:00:00+02:00'))", "'2020-01-01T01:00:00+02:00'"],
  ["string(timestamp('2020-01-01T00:00:00+02:00') - duration('1h'))", "'2019-12-31T23:00:00+02:00'"],
])('a moment keeps its offset when a length is added or taken away: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["timestamp('2020-01-01T00:00:01Z') - timestamp('2020-01-01T00:00:00Z')", '1000000000ns'],
  ["timestamp('9999-01-01T00:00:00Z') - timestamp('0001-01-01T00:00:00Z')", 'integer overflow'],
  ["duration('1h') + duration('90m')", '9000000000000ns'],
  ["duration('1h') - duration('90m')", '-1800000000000ns'],
  ["duration('2562047h') + duration('1h')", 'integer overflow'],
  ["timestamp(0) - duration('-2562047h47m16.854775808s')", 'integer overflow'],
])('lengths add up within 64 bits: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["dyn(duration('1h')) + 1", 'no such overload'],
  ["dyn(duration('1h')) - timestamp(0)", 'no such overload'],
  ["dyn(duration('1h')) - 1", 'no such overload'],
  ['dyn(timestamp(0)) + timestamp(0)', 'no such overload'],
  ['dyn(timestamp(0)) - 1', 'no such overload'],
])('a time takes no number, and no moment is added to a moment: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["timestamp('2020-03-01T17:18:19.123456789Z').getFullYear()", '2020'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getMonth()", '2'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getDate()", '1'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getDayOfMonth()", '0'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getDayOfWeek()", '0'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getDayOfYear()", '60'],
  ["timestamp('2020-12-31T23:59:59Z').getDayOfYear()", '365'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getHours()", '17'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getMinutes()", '18'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getSeconds()", '19'],
  ["timestamp('2020-03-01T17:18:19.123456789Z').getMilliseconds()", '123'],
])('fields of a moment count from zero, but the day of a date: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["timestamp('1969-12-31T23:59:59.5Z').getMilliseconds()", '500'],
  ["timestamp('1969-12-31T23:59:59.5Z').getSeconds()", '59'],
  ["timestamp('1969-12-31T23:59:59Z').getSeconds()", '59'],
  ["int(timestamp('1969-12-31T23:59:59.5Z'))", '-1'],
  ["int(timestamp('1969-12-31T23:59:59Z'))", '-1'],
])('before 1970 a part of a second belongs to the second before it: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["timestamp('2020-12-31T23:30:00Z').getFullYear('+01:00')", '2021'],
  ["timestamp('2020-12-31T23:30:00Z').getDayOfYear('+01:00')", '0'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('-03:30')", '20'],
  ["timestamp('2020-01-01T00:00:00Z').getMinutes('-03:20')", '40'],
  ["timestamp('2020-01-01T00:00:00Z').getMinutes('03:20')", '20'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('')", '0'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('UTC')", '0'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('Local')", '0'],
  ["timestamp('2020-07-01T00:00:00Z').getHours('Europe/Berlin')", '2'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('Europe/Berlin')", '1'],
  ["timestamp('2020-01-01T00:00:00Z').getMinutes('Asia/Kathmandu')", '45'],
  ["timestamp('2020-01-01T00:00:00Z').getFullYear('America/New_York')", '2019'],
  ["timestamp('2020-01-31T12:00:00Z').getDate('Pacific/Kiritimati')", '1'],
  ["timestamp('2020-01-31T12:00:00Z').getMonth('Pacific/Kiritimati')", '1'],
  ["timestamp('2020-01-01T00:00:59Z').getSeconds('America/New_York')", '59'],
  ["timestamp('0001-01-01T00:00:00Z').getFullYear('America/New_York')", '0'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('europe/berlin')", 'unknown time zone europe/berlin'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('Nowhere/Town')", 'unknown time zone Nowhere/Town'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('Europe/../Europe/Berlin')", 'time: invalid location name'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('/UTC')", 'time: invalid location name'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('a:30')", 'strconv.Atoi: parsing "a": invalid syntax'],
  ["timestamp('2020-01-01T00:00:00Z').getHours('1:x')", 'strconv.Atoi: parsing "x": invalid syntax'],
  [
    "timestamp('2020-01-01T00:00:00Z').getHours('99999999999999999999:0')",
    'strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
])('a zone is an offset or a name: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["duration('3h5m7s8ms').getHours()", '3'],
  ["duration('3h5m7s8ms').getMinutes()", '185'],
  ["duration('3h5m7s8ms').getSeconds()", '11107'],
  ["duration('3h5m7s8ms').getMilliseconds()", '11107008'],
  ["duration('-90m').getHours()", '-1'],
  ["duration('-1500us').getMilliseconds()", '-1'],
])('a length is counted in whole units: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["dyn(duration('3h')).getFullYear()", 'no such overload: getFullYear(google.protobuf.Duration)'],
  ["dyn(duration('3h')).getHours('UTC')", 'no such overload: getHours(google.protobuf.Duration, string)'],
  ['dyn(1).getHours()', 'no such overload: getHours(int)'],
  ['dyn(timestamp(0)).getHours(dyn(1))', 'no such overload: getHours(google.protobuf.Timestamp, int)'],
])('other values and other zones have no fields: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["string(duration('100ns'))", "'0.0000001s'"],
  ["string(duration('999ns'))", "'0.000000999s'"],
  ["string(duration('1us'))", "'0.000001s'"],
  ["string(duration('-1ns'))", "'-0.000000001s'"],
  ["string(duration('1000000h'))", "'3600000000s'"],
  ["string(duration('0s'))", "'0s'"],
])('a short length is written without an exponent: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["duration('1h2m3s4ms5us6ns')", '3723004005006ns'],
  ["duration('1µs')", '1000ns'],
  ["duration('1μs')", '1000ns'],
  ["duration('1.5h2.25m')", '5535000000000ns'],
  ["duration('.5s')", '500000000ns'],
  ["duration('1h1h')", '7200000000000ns'],
  ["duration('+1s')", '1000000000ns'],
  ["duration('--1s')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
  ["duration('-2562047h47m16.854775808s')", '-9223372036854775808ns'],
  ["duration('-2562047h47m16.854775809s')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
  ["duration('0.99999999999999999999s')", '1000000000ns'],
  ["duration('')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
  ["duration('0')", '0ns'],
  ["duration('00')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
])('a length is a sum of numbers with units: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["timestamp('2020-01-01T23:59:59Z')", '2020-01-01T23:59:59Z'],
  ["timestamp('2020-12-31T00:00:00Z')", '2020-12-31T00:00:00Z'],
  ["timestamp('2020-01-01T24:00:00Z')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ["timestamp('2020-01-01T00:60:00Z')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ["timestamp('2020-01-01T00:00:60Z')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ["timestamp('2020-00-01T00:00:00Z')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ["timestamp('2020-13-01T00:00:00Z')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ["timestamp('2020-01-00T00:00:00Z')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ["timestamp('2020-04-31T00:00:00Z')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ["timestamp('2020-01-01T00:00:00+25:00')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  ["timestamp('2020-01-01T00:00:00+24:61')", "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
])('a date exists, and a clock has 24 hours of 60 minutes of 60 seconds: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

test.each([
  ["string(timestamp('2020-01-02T03:04:05-00:30'))", "'2020-01-02T03:04:05-00:30'"],
  ["string(timestamp('2020-01-02T03:04:05+05:45'))", "'2020-01-02T03:04:05+05:45'"],
  ["string(timestamp('2020-11-12T13:14:15.000000001Z'))", "'2020-11-12T13:14:15.000000001Z'"],
  ["string(timestamp('0099-01-01T00:00:00Z'))", "'0099-01-01T00:00:00Z'"],
  ["string(timestamp('1969-12-31T23:59:59.25Z'))", "'1969-12-31T23:59:59.25Z'"],
])('a moment is written in its own offset, with as many digits as it needs: %s', (expression, answer) => {
  expect(answerTo(expression)).toBe(answer)
})

// Formats of Go 1.26, which cel-go uses.
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
