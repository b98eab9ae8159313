import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asQuestion, didYouMean, distanceWithin, nearestName } from './nearest-name.ts'

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

test('of equally near ones the first, wherever the letters make another likelier', () => {
  expect(nearestName('abcdef', ['abdcfe', 'abcdxy'])).toBe('abdcfe')
  expect(nearestName('abcdef', ['abcdxy', 'abdcfe'])).toBe('abcdxy')
})

test('a name longer than names are is near none', () => {
  expect(nearestName(`${'a'.repeat(252)}b`, ['a'.repeat(253)])).toBe('a'.repeat(253))
  expect(nearestName(`${'a'.repeat(253)}b`, ['a'.repeat(254)])).toBeUndefined()
})

test('a name that is near is found behind thousands that are not, though all have its letters', () => {
  const shuffled = Array.from({ length: 5000 }, (_, n) => `${String(n).padStart(4, '0')}-platform-of-the-region`)
  expect(nearestName('region-of-the-platform-00', [...shuffled, 'region-of-the-platform-0'])).toBe('region-of-the-platform-0')
})

test('what is found is the first of the nearest', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 8 }), (name, known) => {
      const ranked = known.map((each) => ({
        each,
        distance: distanceWithin(name, each, Math.floor(Math.max(name.length, each.length) / 3)),
      }))
      const near = ranked.filter(({ distance }) => distance !== undefined).sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0))
      if (near.length > 0) expect(nearestName(name, known)).toBe(near[0]?.each)
    }),
  )
})

test('a name becomes a question, no name none', () => {
  expect([asQuestion('render'), asQuestion(''), asQuestion(undefined)]).toEqual(["; did you mean 'render'?", "; did you mean ''?", ''])
})
