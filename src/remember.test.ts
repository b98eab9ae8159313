import { expect, test } from 'vitest'
import { once } from './remember.ts'

test('a value is made at the first call, and once, also if it is undefined', () => {
  const calls: number[] = []
  const value = once(() => {
    calls.push(1)
    return undefined
  })
  expect(calls).toEqual([])
  expect([value(), value()]).toEqual([undefined, undefined])
  expect(calls).toEqual([1])
})
