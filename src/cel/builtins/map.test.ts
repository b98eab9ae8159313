import { expect, test } from 'vitest'
import { compile } from '../program.ts'

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
  { reason: 'a list is no key of another map', expression: '[1] in {[1]: 2}', value: false },
  { reason: 'a type is a key', expression: 'int in {type(1): 1}', value: true },
])('$reason', ({ expression, value }) => {
  expect(compile(expression, []).value(new Map())).toEqual(value)
})
