import { expect, test } from 'vitest'
import type { VariantStep } from '../lifecycle/package-steps.ts'
import { packagePlace, variantsOf } from '../lifecycle/testing/places-of.ts'
import { type Fate, fateOf, summarizeFunctions, summarizeRun } from './render-summary.ts'

const [variant] = variantsOf('edge/shop')

test.each<[Partial<VariantStep>, boolean, Fate]>([
  [{ op: 'leave' }, false, 'left'],
  [{ op: 'create' }, true, 'created'],
  [{ op: 'create' }, false, 'created'],
  [{ op: 'update' }, true, 'updated'],
  [{ op: 'update' }, false, 'unchanged'],
  [{ op: 'update', movedFrom: 'old/shop' }, true, 'moved'],
  [{ op: 'update', movedFrom: 'old/shop' }, false, 'moved'],
])('after the step %j, changed: %j, a package is %s', (step, isChanged, fate) => {
  if (variant === undefined) throw new Error('one variant')
  expect(fateOf({ op: 'update', folder: 'edge/shop', variant, ...step }, { isChanged })).toBe(fate)
})

test.each<[Partial<Record<Fate, number>>, readonly ('remove' | 'orphan')[], number, string]>([
  [{}, [], 0, '0 packages'],
  [{ unchanged: 1 }, [], 0, '1 package: 1 unchanged'],
  [
    { failed: 6, left: 5, unchanged: 4, updated: 3, moved: 2, created: 1 },
    [],
    0,
    '21 packages: 1 created, 2 moved, 3 updated, 4 unchanged, 5 left alone, 6 failed',
  ],
  [{ unchanged: 2 }, ['remove'], 1, '2 packages: 2 unchanged; 1 removed; 1 edit lost'],
  [{}, ['orphan'], 0, '0 packages; 1 left to themselves'],
  [{}, ['remove', 'orphan', 'remove'], 2, '0 packages; 2 removed; 1 left to themselves; 2 edits lost'],
])('the counts %j, %j and %j are a sentence', (fates, ops, lost, sentence) => {
  const counts = new Map(Object.entries(fates).map(([fate, count]) => [FATES.find((each) => each === fate) ?? 'failed', count]))
  const leftovers = ops.map((op) => ({ op, place: packagePlace('edge/old') }))
  expect(summarizeRun({ fates: counts, leftovers, lost, functions: new Map() })).toBe(sentence)
})

const FATES: readonly Fate[] = ['created', 'moved', 'updated', 'unchanged', 'left', 'failed']

test('functions are named with the most frequent first, and those of one count by their names', () => {
  expect(
    summarizeFunctions(
      new Map([
        ['b', 1],
        ['c', 2],
        ['a', 1],
      ]),
    ),
  ).toBe('4 functions run: c 2, a 1, b 1')
  expect(summarizeFunctions(new Map([['a', 1]]))).toBe('1 function run: a 1')
})

test.each([
  [8, '8 functions run: f0 1, f1 1, f2 1, f3 1, f4 1, f5 1, f6 1, f7 1'],
  [9, '9 functions run: f0 1, f1 1, f2 1, f3 1, f4 1, f5 1, f6 1, f7 1, 1 other'],
])('of %d functions, eight are named', (count, sentence) => {
  expect(summarizeFunctions(new Map(Array.from({ length: count }, (_, at) => [`f${at}`, 1])))).toBe(sentence)
})
