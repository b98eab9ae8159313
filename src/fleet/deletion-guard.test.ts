import { expect, test } from 'vitest'
import { isMostOf, refuseDeletions } from './deletion-guard.ts'

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `v${index + 1}`)
}

const byDefault = { allowEmpty: false }

test.each([
  { reason: 'nothing goes', existing: 0, matches: 0, removed: 0, options: byDefault, refused: undefined },
  { reason: 'five of five go, something matches', existing: 5, matches: 1, removed: 5, options: byDefault, refused: undefined },
  { reason: 'six go of few', existing: 25, matches: 1, removed: 6, options: byDefault, refused: 'more than 5 of 25' },
  { reason: 'a fifth goes of many', existing: 100, matches: 1, removed: 20, options: byDefault, refused: undefined },
  { reason: 'more than a fifth goes of many', existing: 100, matches: 1, removed: 21, options: byDefault, refused: 'more than 20 of 100' },
  { reason: 'the fifth is rounded up', existing: 31, matches: 1, removed: 7, options: byDefault, refused: undefined },
  { reason: 'nothing matches', existing: 1, matches: 0, removed: 1, options: byDefault, refused: 'nothing matches' },
  { reason: 'nothing matches, which is allowed', existing: 5, matches: 0, removed: 5, options: { allowEmpty: true }, refused: undefined },
  {
    reason: 'allowEmpty does not lift the limit',
    existing: 6,
    matches: 0,
    removed: 6,
    options: { allowEmpty: true },
    refused: 'more than 5 of 6',
  },
  { reason: 'a number replaces the limit', existing: 9, matches: 1, removed: 1, options: limit({ count: 0 }), refused: 'more than 0 of 9' },
  { reason: 'a number lets more through', existing: 9, matches: 1, removed: 9, options: limit({ count: 9 }), refused: undefined },
  { reason: 'a percentage, rounded up', existing: 7, matches: 1, removed: 3, options: limit({ percent: 30 }), refused: undefined },
  { reason: 'over a percentage', existing: 7, matches: 1, removed: 4, options: limit({ percent: 30 }), refused: 'more than 3 of 7' },
])('$reason', ({ existing, matches, removed, options, refused }) => {
  const message = refuseDeletions({ existing, matches, removed: names(removed), whyNone: [] }, options)
  if (refused === undefined) expect(message).toBeUndefined()
  else expect(message).toContain(refused)
})

function limit(maxDeletions: { count: number } | { percent: number }) {
  return { allowEmpty: false, maxDeletions }
}

test('the first thousand that would go are named, the others counted', () => {
  expect(refuseDeletions({ existing: 1010, matches: 0, removed: names(1010), whyNone: [] }, byDefault)).toContain(
    'v999, v1000 and 10 more)',
  )
})

test('half of the variants is not most of them, one more is', () => {
  expect(isMostOf(8, 4, byDefault)).toBe(false)
  expect(isMostOf(8, 5, byDefault)).toBe(true)
  expect(isMostOf(8, 5, { allowEmpty: true })).toBe(false)
})

test('a loss of most counts from four variants on, and not where an option says that it is meant', () => {
  expect(isMostOf(4, 3, byDefault)).toBe(true)
  expect(isMostOf(3, 3, byDefault)).toBe(false)
  expect(isMostOf(4, 3, limit({ count: 3 }))).toBe(false)
})
