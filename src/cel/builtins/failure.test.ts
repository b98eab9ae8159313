import { expect, test } from 'vitest'
import { LimitExceeded, openBudget } from '../budget.ts'
import { type CelValue, Duration, Timestamp, typeValue } from '../value.ts'
import { EvaluationFailure, noOperation, noOverload, noSignature } from './failure.ts'

test('a failure has its message and what is missing', () => {
  openBudget()
  expect(new EvaluationFailure('m').lack).toBeUndefined()
  const { message, lack } = new EvaluationFailure('no such key: a', { variable: 'a' })
  expect([message, lack]).toEqual(['no such key: a', { variable: 'a' }])
  expect(noOverload().message).toBe('no such overload')
})

// cel-go asks a receiver for its own methods first, whose message names nothing.
test.each<[string, CelValue, string]>([
  ['a text', 'a', 'no such overload'],
  ['a timestamp', new Timestamp(0n, 0), 'no such overload'],
  ['a duration', new Duration(0n), 'no such overload'],
  ['an int', 1n, 'no such overload: size'],
  ['a type', typeValue('int'), 'no such overload: size'],
])('%s without the operation', (_, operand, message) => {
  openBudget()
  expect(noOperation('size', operand).message).toBe(message)
})

test('a function of several arguments is named with their kinds', () => {
  openBudget()
  expect(noSignature('f', ['a', 1n, null]).message).toBe('no such overload: f(string, int, null_type)')
  expect(noSignature('f', []).message).toBe('no such overload: f()')
})

test('failures cost work, so that an expression cannot make them without end', () => {
  openBudget()
  const many = () => {
    for (let count = 0; count < 1_000_000; count++) noOverload()
  }
  expect(many).toThrow(LimitExceeded)
})
