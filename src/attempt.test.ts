import { expect, test } from 'vitest'
import { attempt, quietly } from './attempt.ts'

const fail = () => {
  throw new RangeError('r')
}

test('an action gives its value, or undefined for an expected error', () => {
  expect(attempt(() => 1, TypeError)).toBe(1)
  expect(attempt(fail, TypeError, RangeError)).toBeUndefined()
})

test('another error is thrown', () => {
  expect(() => attempt(fail, TypeError)).toThrow(RangeError)
  expect(() => attempt(fail)).toThrow(RangeError)
})

test('every error of a quiet action is undefined', () => {
  expect([quietly(() => 1), quietly(fail)]).toEqual([1, undefined])
})
