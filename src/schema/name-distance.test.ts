import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceWithin, leastDistanceFrom } from './nearest-name.ts'

test.each([
  { reason: 'nothing to do', a: 'same', b: 'same', distance: 0 },
  { reason: 'all inserted', a: '', b: 'abc', distance: 3 },
  { reason: 'one replaced, two inserted', a: 'kitten', b: 'sittings', distance: 4 },
  { reason: 'a swap of neighbours costs one', a: 'ca', b: 'ac', distance: 1 },
])('distance: $reason', ({ a, b, distance }) => {
  expect(distanceWithin(a, b, 9)).toBe(distance)
})

test('a distance is the same both ways, and at most the longer length', () => {
  const word = fc.string({ maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(distanceWithin(a, b, 9)).toBe(distanceWithin(b, a, 9))
      expect(distanceWithin(a, b, 9)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      expect(distanceWithin(a, b, 9) === 0).toBe(a === b)
    }),
  )
})

test('a limit changes nothing but that what is above the limit is not returned', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(word, word, fc.nat(9), (a, b, most) => {
      const distance = distanceWithin(a, b, 9) ?? 0
      expect(distanceWithin(a, b, most)).toBe(distance <= most ? distance : undefined)
      expect(leastDistanceFrom(a)(b)).toBeLessThanOrEqual(distance)
    }),
  )
})
