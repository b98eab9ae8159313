import { expect, test } from 'vitest'
import { firstThat, lastThat } from './binary-search.ts'

test.each([0, 1, 2, 3, 4, 5, 6, 7])('the first of seven from %i on, and the last up to there', (bound) => {
  expect(firstThat(7, (index) => index >= bound)).toBe(bound)
  expect(lastThat(7, (index) => index <= bound)).toBe(Math.min(bound, 6))
})

test('of none there is no first, and the last is 0', () => {
  expect([firstThat(0, () => true), lastThat(0, () => true), lastThat(3, () => false)]).toEqual([0, 0, 0])
})
