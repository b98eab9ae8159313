import { expect, test } from 'vitest'
import { ByPair } from './by-pair.ts'

const [A, B, C] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]

test('the value of a pair is found once, also if the value is false', () => {
  const known = new ByPair<object, boolean>()
  let asked = 0
  const find = () => {
    asked++
    return false
  }
  expect([known.of(A, B, find), known.of(A, B, find), asked]).toEqual([false, false, 1])
})

test('a pair is known by both of its things and their order, and a second pair of a thing leaves the first as it is', () => {
  const known = new ByPair<object, string>()
  expect(known.get(A, B)).toBeUndefined()
  expect(known.set(A, B, 'ab')).toBe('ab')
  expect(known.set(A, C, 'ac')).toBe('ac')
  expect([known.get(A, B), known.get(A, C), known.get(B, A), known.get(C, B)]).toEqual(['ab', 'ac', undefined, undefined])
  expect(known.of(B, A, () => 'ba')).toBe('ba')
  known.set(A, B, 'other')
  expect([known.get(A, B), known.get(B, A)]).toEqual(['other', 'ba'])
})
