import { expect, test } from 'vitest'
import { distinctItems, groupBy, repeatsOf } from './group-by.ts'

test('items are grouped in their order, keys in the order of their first items', () => {
  const groups = groupBy(['b1', 'a1', 'b2'], (item) => item.charAt(0))
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ])
})

test('equal items count once, at the place of the first', () => {
  expect(distinctItems([{ a: 1 }, { b: 2 }, { a: 1 }])).toEqual([{ a: 1 }, { b: 2 }])
})

test('each repeat has the first item of its key', () => {
  expect(repeatsOf(['a1', 'b1', 'a2', 'a3'], (item) => item.charAt(0))).toEqual([
    { first: 'a1', again: 'a2' },
    { first: 'a1', again: 'a3' },
  ])
})
