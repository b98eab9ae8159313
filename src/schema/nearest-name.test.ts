import fc from 'fast-check'
import { expect, test } from 'vitest'
import { didYouMean, distanceOf, nearestName } from './nearest-name.ts'

test.each([
  { reason: 'a letter left out', name: 'packageName', known: ['name', 'packageNames'], nearest: 'packageNames' },
  { reason: 'a letter too many', name: 'repos', known: ['repo', 'package'], nearest: 'repo' },
  { reason: 'two letters swapped are one slip', name: 'kidn', known: ['kind', 'name'], nearest: 'kind' },
  { reason: 'case alone is no slip', name: 'AdoptExisting', known: ['adoptNone', 'adoptExisting'], nearest: 'adoptExisting' },
  {
    reason: 'a long name may have several slips',
    name: 'repositorySelecter',
    known: ['repositories', 'repositorySelector'],
    nearest: 'repositorySelector',
  },
  { reason: 'the beginning of one name', name: 'adoption', known: ['adoptionPolicy', 'deletionPolicy'], nearest: 'adoptionPolicy' },
  { reason: 'the beginning of two names says neither', name: 'adopt', known: ['adoptNone', 'adoptExisting'], nearest: undefined },
  { reason: 'too short to say anything', name: 'name', known: ['namespace'], nearest: undefined },
  { reason: 'nothing near', name: 'repositoryRef', known: ['data', 'removeKeys'], nearest: undefined },
  { reason: 'nothing known', name: 'x', known: [], nearest: undefined },
  { reason: 'of equally near ones the first', name: 'bat', known: ['cat', 'hat'], nearest: 'cat' },
])('$reason', ({ name, known, nearest }) => {
  expect(nearestName(name, known)).toBe(nearest)
})

test('the question is empty when nothing is near', () => {
  expect(didYouMean('renderd', ['render', 'plan'])).toBe("; did you mean 'render'?")
  expect(didYouMean('frobnicate', ['render', 'plan'])).toBe('')
})

test.each([
  { reason: 'nothing to do', a: 'same', b: 'same', distance: 0 },
  { reason: 'all inserted', a: '', b: 'abc', distance: 3 },
  { reason: 'one replaced, two inserted', a: 'kitten', b: 'sittings', distance: 4 },
  { reason: 'a swap of neighbours costs one', a: 'ca', b: 'ac', distance: 1 },
])('distance: $reason', ({ a, b, distance }) => {
  expect(distanceOf(a, b)).toBe(distance)
})

test('a distance is the same both ways, and at most the longer length', () => {
  const word = fc.string({ maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(distanceOf(a, b)).toBe(distanceOf(b, a))
      expect(distanceOf(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      expect(distanceOf(a, b) === 0).toBe(a === b)
    }),
  )
})
