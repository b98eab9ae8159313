import { expect, test } from 'vitest'
import { type PairedEntry, pairMembers } from './pair-entries.ts'

const entry = (meaning: number, name: number): PairedEntry => ({ meaning, name })

test('an entry that stays is paired with itself, not with a later one of its name', () => {
  const before = [entry(1, 1), entry(2, 2)]
  const after = [entry(3, 3), entry(1, 1), entry(4, 1), entry(5, 5)]
  expect(pairMembers(before, after)).toEqual([
    [0, 1],
    [1, 2],
  ])
})
