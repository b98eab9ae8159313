import { expect, test } from 'vitest'
import { isList, listEntries } from './entries.ts'

test('the entries of a list have their positions, a map in its place is one entry at the field, and a missing field has none', () => {
  const [a, b] = [{ a: 1 }, { b: 2 }]
  expect(listEntries([a, b], ['spec'])).toEqual([
    { path: ['spec', 0], value: a },
    { path: ['spec', 1], value: b },
  ])
  expect(listEntries(a, ['spec'])).toEqual([{ path: ['spec'], value: a }])
  expect([listEntries(undefined, ['spec']), listEntries([], ['spec'])]).toEqual([[], []])
  expect([isList([a]), isList(a)]).toEqual([true, false])
})
