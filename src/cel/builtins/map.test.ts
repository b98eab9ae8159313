import { expect, test } from 'vitest'
import { compile } from '../program.ts'
import { answerTo } from '../testing/answer.ts'

// Answers of cel-go 0.26.1.
test.each([
  { reason: 'a uint finds itself before the int that equals it', expression: "{dyn(1): 'i', dyn(1u): 'u'}[dyn(1u)]", value: 'u' },
  { reason: 'an int finds itself before the uint that equals it', expression: "{dyn(1u): 'u', dyn(1): 'i'}[dyn(1)]", value: 'i' },
  { reason: 'an int finds the uint that equals it', expression: "{1u: 'u'}[dyn(1)]", value: 'u' },
  { reason: 'a whole double finds an int first', expression: "{dyn(1u): 'u', dyn(1): 'i'}[dyn(1.0)]", value: 'i' },
  { reason: 'a double is found by doubles only', expression: "1 in dyn({1.0: 'd'})", value: false },
  { reason: 'NaN is not found', expression: '0.0 / 0.0 in {0.0 / 0.0: 1}', value: false },
  { reason: 'a value may be null', expression: '{1u: null}[dyn(1)] == null', value: true },
  { reason: 'equal uints are one key', expression: 'size({1u: 1, 1u: 2})', value: 1n },
  { reason: 'equal times are one key', expression: 'size({timestamp(0): 1, timestamp(0): 2})', value: 1n },
  { reason: 'a duration is found by its length', expression: "duration('60s') in {duration('1m'): 1}", value: true },
  { reason: 'other uints are other keys', expression: 'size({1u: 1, 2u: 2})', value: 2n },
  { reason: 'other times are other keys', expression: 'size({timestamp(0): 1, timestamp(1): 2})', value: 2n },
  { reason: 'equal durations are one key', expression: "size({duration('60s'): 1, duration('1m'): 2})", value: 1n },
  { reason: 'other durations are other keys', expression: "size({duration('60s'): 1, duration('2m'): 2})", value: 2n },
  { reason: 'a repeated key has the later value', expression: '{1u: 1, 1u: 2}[1u]', value: 2n },
  { reason: 'a time without an offset is found', expression: 'timestamp(0) in {timestamp(0): 1}', value: true },
  {
    reason: 'a time with an offset equals no other key',
    expression: "timestamp('1970-01-01T01:00:00+01:00') in {timestamp('1970-01-01T01:00:00+01:00'): 1}",
    value: false,
  },
  {
    reason: 'a time with an offset is not found at the same time without one',
    expression: "timestamp('1970-01-01T01:00:00+01:00') in {timestamp(0): 1}",
    value: false,
  },
  { reason: 'a double finds itself', expression: '1.5 in {1.5: 1}', value: true },
  { reason: 'a double that is no whole number finds no int', expression: 'dyn(1.5) in dyn({1: 1, 2: 2})', value: false },
  { reason: 'a list is no key of another map', expression: '[1] in {[1]: 2}', value: false },
  { reason: 'a type is a key', expression: 'int in {type(1): 1}', value: true },
])('$reason', ({ expression, value }) => {
  expect(compile(expression, []).value(new Map())).toEqual(value)
})

test('bytes are no key of a map', () => {
  expect(answerTo("size({b'a': 1})")).toBe('internal error: runtime error: hash of unhashable type types.Bytes')
  expect(answerTo("b'a' in dyn({'a': 1})")).toBe('false')
})
