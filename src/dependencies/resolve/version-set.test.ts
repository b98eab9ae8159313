import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  difference,
  firstPreferred,
  firstVersions,
  fitsLowBits,
  hasVersion,
  isSingle,
  isSubset,
  lowBits,
  numbersIn,
  versionSet,
} from './version-set.ts'

const numbers = fc.uniqueArray(fc.nat(200), { maxLength: 30 })

test('a set of bits is the set of its numbers', () => {
  fc.assert(
    fc.property(numbers, numbers, (some, others) => {
      const [a, b] = [versionSet(some), versionSet(others)]
      expect(numbersIn(a)).toEqual([...some].sort((x, y) => x - y))
      expect(numbersIn(difference(a, b))).toEqual(numbersIn(a).filter((number) => !others.includes(number)))
      expect(isSubset(a, b)).toBe(some.every((number) => others.includes(number)))
      expect(isSingle(a)).toBe(some.length === 1)
      expect(some.every((number) => hasVersion(a, number))).toBe(true)
      if (some.length > 0) expect(firstPreferred(a)).toBe(Math.min(...some))
    }),
  )
  expect(numbersIn(firstVersions(3))).toEqual([0, 1, 2])
})

test('the low bits are the first 30 versions of a set', () => {
  fc.assert(
    fc.property(numbers, (some) => {
      expect(BigInt(lowBits(versionSet(some)))).toBe(versionSet(some.filter((number) => number < 30)))
    }),
  )
  expect([lowBits(0b101n), lowBits(1n << 29n), lowBits(1n << 30n)]).toEqual([5, 2 ** 29, 0])
  expect([0, 29, 30, 31].map(fitsLowBits)).toEqual([true, true, true, false])
})
