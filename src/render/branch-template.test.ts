import { expect, test } from 'vitest'
import { list, planOf, setOf, variant as variantObject } from '../fleet/testing/fleet-of-objects.ts'
import { clusters, matrixWithRings } from '../fleet/testing/fleet-with-rings.ts'
import { packagePlace, variantsOf } from '../lifecycle/testing/places-of.ts'
import { BranchValueFinder, branchOf, unknownPlaceholders, unsafeValues } from './branch-template.ts'

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

/** Returns the values of a variant of `edge/app` with a name. */
function ofVariant(finder: BranchValueFinder, name: string) {
  const [variant] = variantsOf(['edge/app', name])
  if (variant === undefined) throw new Error('one variant')
  return finder.ofVariant(variant)
}

test('a variant of a set has the name of the set, and one of a matrix its ring too', () => {
  const sets = new BranchValueFinder(planOf([setOf([list('edge')])]).sets)
  const none = { namespace: 'default', set: 'no-set', ring: 'no-ring', repository: 'edge' }
  expect(ofVariant(sets, 'fleet-edge-app')).toEqual({ ...none, set: 'fleet' })
  expect(ofVariant(sets, 'other')).toEqual(none)
  const rings = matrixWithRings([{ name: 'canary', repos: ['edge'] }, { name: 'all' }])
  const matrix = new BranchValueFinder(planOf([rings, ...clusters({ edge: '', site: '' })]).sets)
  expect(ofVariant(matrix, 'm-edge-app')).toEqual({ ...none, set: 'm', ring: 'canary' })
  expect(ofVariant(matrix, 'm-site-app')).toEqual({ ...none, set: 'm', ring: 'all' })
})

test('a package whose variant is gone has the set whose name begins the name of the variant, the longest one', () => {
  const named = (name: string, namespace?: string) => ({ ...setOf([list('edge')]), metadata: { name, ...(namespace && { namespace }) } })
  const finder = new BranchValueFinder(planOf([named('fleet'), named('fleet-eu'), named('fleet-eu-x', 'other')]).sets)
  const setOfOwner = (owner: string) => finder.ofLeftover(packagePlace('edge/app', { owner }))
  expect(setOfOwner('fleet-old')).toEqual({ namespace: 'default', set: 'fleet', ring: 'no-ring', repository: 'edge' })
  expect(setOfOwner('fleet-eu-x-old').set).toBe('fleet-eu')
  expect(setOfOwner('fleetold').set).toBe('no-set')
  expect(finder.ofLeftover({ owner: undefined, repo: 'edge' })).toEqual({
    namespace: '',
    set: 'no-set',
    ring: 'no-ring',
    repository: 'edge',
  })
})

test('a package whose variant is about to go has the set that asked for it', () => {
  const { sets } = planOf([setOf([list('edge')]), variantObject('fleet-gone', 'gone')])
  expect(new BranchValueFinder(sets).ofLeftover(packagePlace('gone/app', { owner: 'fleet-gone' })).set).toBe('fleet')
})
