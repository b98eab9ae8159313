import { expect, test } from 'vitest'
import { keptInOrder, type PairedEntry, pairMembers } from './pair-entries.ts'

const entry = (meaning: number, name: number): PairedEntry => ({ meaning, name })

test('an entry that stays is paired with itself, not with a later one of its name', () => {
  const before = [entry(1, 1), entry(2, 2)]
  const after = [entry(3, 3), entry(1, 1), entry(4, 1), entry(5, 5)]
  expect(pairMembers(before, after)).toEqual([
    [0, 1],
    [1, 2],
  ])
})

const named = (...names: readonly number[]) => names.map((name) => entry(name, name))

test.each([
  ['of an entry in the middle that is changed', named(1, 2, 3), named(1, 9, 3), ['0 0', '1 1', '2 2']],
  ['of an entry in the middle that is gone', named(1, 2, 3), named(1, 3), ['0 0', '2 1']],
  ['of an entry that is new at the beginning', named(1, 2), named(9, 1, 2), ['0 1', '1 2']],
  ['of an entry that is new at the end', named(1, 2), named(1, 2, 9), ['0 0', '1 1']],
  ['of equal entries, of which one is gone', named(1, 1), named(1), ['0 0']],
  ['of two entries that changed places, of which one is kept', named(1, 2), named(2, 1), ['0 1']],
  ['of a list that is new', [], named(1), []],
  ['of entries of one name and another meaning', [entry(1, 7)], [entry(2, 8), entry(3, 7)], ['0 1']],
  [
    'of entries without a name',
    [{ meaning: 1, name: undefined }],
    [
      { meaning: 2, name: 2 },
      { meaning: 3, name: undefined },
    ],
    ['0 0'],
  ],
])('the pairs %s', (_, before, after, pairs) => {
  expect(pairMembers(before, after).map((pair) => pair.join(' '))).toEqual(pairs)
})

test('the positions that are kept are those of the longest row that rises', () => {
  expect([...keptInOrder([3, 1, 2])].sort()).toEqual([1, 2])
  expect([...keptInOrder([2, 3, 1])].sort()).toEqual([0, 1])
  expect([...keptInOrder([1, 5, 2, 3])].sort()).toEqual([0, 2, 3])
  expect([...keptInOrder([])]).toEqual([])
})
