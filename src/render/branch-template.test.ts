import { expect, test } from 'vitest'
import { branchOf, unknownPlaceholders, unsafeValues } from './branch-template.ts'

const VALUES = { namespace: 'fleet', set: 'tills', ring: 'canary', repository: 'store-ham-01' }

test('a branch has the values of its package', () => {
  expect(branchOf('drafts/{set}/{ring}', VALUES)).toBe('drafts/tills/canary')
  expect(branchOf('{namespace}-{repository}-{repository}', VALUES)).toBe('fleet-store-ham-01-store-ham-01')
  expect(branchOf('drafts', VALUES)).toBe('drafts')
})

test('a value that looks like a placeholder or a pattern stays as it is', () => {
  expect(branchOf('{ring}', { ...VALUES, ring: '$&' })).toBe('$&')
})

test('placeholders without a value are found', () => {
  expect(unknownPlaceholders('drafts/{sett}/{}/{set}')).toEqual(['sett', ''])
})

test.each(['', '..', 'a..b', '.a', 'a.', '-a', 'a.lock', 'a/b', 'a b', '{set}', 'a~1', 'a:b', 'a\nb', 'ä'])('%j is refused', (ring) => {
  expect(unsafeValues('drafts/{ring}', { ...VALUES, ring })).toEqual([['ring', ring]])
  expect(unsafeValues('drafts/{set}', { ...VALUES, ring })).toEqual([])
})

test.each(['a', 'eu-west_1.b', 'A9'])('%j is a part of a branch', (ring) => {
  expect(unsafeValues('drafts/{ring}', { ...VALUES, ring })).toEqual([])
})
