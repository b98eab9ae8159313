import { expect, test } from 'vitest'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { refuseRemovals } from './lifecycle-results.ts'
import type { DownstreamPlace, LifecycleFacts } from './package-steps.ts'
import { planLifecycle } from './plan-lifecycle.ts'
import { packagePlace, packagePlaces, variantsOf, type WrittenPlace } from './testing/places-of.ts'

interface Facts extends Partial<LifecycleFacts['options']> {
  readonly hadName?: string
  /** Replaces fields of a place. */
  readonly change?: (place: DownstreamPlace) => DownstreamPlace
}

/** Returns the steps, OP FOLDER, and the findings, SEVERITY RULE, of a fleet with packages. */
function planned(
  variants: readonly FleetVariant[],
  packages: Readonly<Record<string, WrittenPlace>>,
  { hadName, change, ...options }: Facts = {},
) {
  const given = packagePlaces(packages)
  const at = (folder: string) => {
    const place = given.at(folder)
    return place && change ? change(place) : place
  }
  const places = { ...given, at, owned: given.owned.map((place) => change?.(place) ?? place) }
  const { steps, leftovers, results } = planLifecycle(variants, places, {
    options: { allowEmpty: false, followRenames: false, discardEdits: false, ...options },
    hadName: (name) => name === hadName,
    everyVariant: variants,
    others: 0,
    everyOwned: places.owned,
    upstreamDirectory: () => 'app',
    formerDownstream: () => undefined,
  })
  const told = [
    ...steps.map(({ op, folder, movedFrom }) => `${op} ${folder}${movedFrom ? ` from ${movedFrom}` : ''}`),
    ...leftovers.map(({ op, place }) => `${op} ${place.folder}`),
  ]
  return [told, results.map(({ severity, tags }) => `${severity} ${tags.rule}`)] as const
}

const adopting = (variants: readonly FleetVariant[]): readonly FleetVariant[] =>
  variants.map((variant) => ({ ...variant, adoptionPolicy: 'adoptExisting' }))
const X = variantsOf(['a/app', 'x'])

test('a variant without a package gets one, and its own package is updated', () => {
  expect(planned(X, {})).toEqual([['create a/app'], []])
  expect(planned(X, { 'a/app': { owner: 'x' } })).toEqual([['update a/app'], []])
})

test('a package that no variant made is left alone, unless the variant adopts it', () => {
  expect(planned(X, { 'a/app': {} })).toEqual([['leave a/app'], ['warning not-adopted']])
  expect(planned(adopting(X), { 'a/app': {} })).toEqual([['update a/app'], ['info adopted']])
})

test('files without a Kptfile cannot be adopted', () => {
  const change = (place: DownstreamPlace): DownstreamPlace => ({ ...place, isPackage: false })
  const [steps, rules] = planned(adopting(X), { 'a/app': {} }, { change })
  expect([steps, rules.map((rule) => rule.split(' ')[0])]).toEqual([[], ['error']])
  expect(planned(X, { 'a/app': {} }, { change })).toEqual([['leave a/app'], ['warning not-adopted']])
})

test('the package of a gone variant in the folder of another one is taken over', () => {
  const [steps, rules] = planned(X, { 'a/app': { owner: 'gone' } })
  expect([steps, rules.length]).toEqual([['update a/app'], 1])
})

test('a package of a living variant in the folder of another one is left alone', () => {
  expect(planned(variantsOf(['a/app', 'x'], ['b/app', 'y']), { 'a/app': { owner: 'y' }, 'b/app': { owner: 'y' } })[0]).toEqual([
    'leave a/app',
    'update b/app',
  ])
})

test('the package of a variant with another downstream moves only if renames are followed', () => {
  const [moved] = planned(X, { 'b/app': { owner: 'x' } }, { followRenames: true })
  expect(moved).toEqual(['update a/app from b/app'])
  expect(planned(X, { 'b/app': { owner: 'x' } })[0]).toEqual(['create a/app', 'remove b/app'])
})

test('the package of a gone variant is removed, or left to itself by its deletion policy', () => {
  const packages = { 'a/app': { owner: 'x' }, 'b/app': { owner: 'gone' } }
  expect(planned(X, packages)).toEqual([['update a/app', 'remove b/app'], ['info package-removed']])
  const change = (place: DownstreamPlace): DownstreamPlace => ({
    ...place,
    ...(place.owner && { owner: { ...place.owner, deletionPolicy: 'orphan' } }),
  })
  expect(planned(X, packages, { change })).toEqual([['update a/app', 'orphan b/app'], ['info package-orphaned']])
})

test('a second package with the name of a living variant is a copy, and stays', () => {
  expect(planned(X, { 'a/app': { owner: 'x' }, 'b/app': { owner: 'x' } })).toEqual([['update a/app'], ['warning package-copied']])
})

test('a package of another fleet is neither taken nor removed', () => {
  const change = (place: DownstreamPlace): DownstreamPlace => ({
    ...place,
    ...(place.owner && { owner: { ...place.owner, fleet: 'theirs' } }),
  })
  expect(planned(X, { 'a/app': { owner: 'x' } }, { fleet: 'ours', change })).toEqual([[], ['error other-fleet']])
  expect(planned(X, { 'b/app': { owner: 'gone' } }, { fleet: 'ours', change })).toEqual([['create a/app'], []])
  expect(planned(X, { 'a/app': { owner: 'x' } }, { fleet: 'ours', hadName: 'theirs', change })).toEqual([['update a/app'], []])
  expect(planned(X, { 'a/app': { owner: 'x' } }, { fleet: 'theirs', change })).toEqual([['update a/app'], []])
  expect(planned(adopting(X), { 'a/app': { owner: 'x' } }, { fleet: 'ours', change })).toEqual([['update a/app'], ['info adopted']])
})

test('with a fault of a downstream nothing is planned', () => {
  expect(planned(variantsOf(['a/app', 'x'], ['a/app', 'y']), { 'b/app': { owner: 'gone' } })).toEqual([[], ['error downstream-duplicate']])
})

const leftovers = (count: number, op: 'remove' | 'orphan' = 'remove') =>
  Array.from({ length: count }, (_, index) => ({ op, place: packagePlace(`r${index}/app`, { owner: `v${index}` }) }))
const refused = (removals: Partial<Parameters<typeof refuseRemovals>[0]>, options: Partial<Parameters<typeof refuseRemovals>[1]> = {}) =>
  refuseRemovals({ variants: 1, existing: 10, hasOwn: true, leftovers: [], ...removals }, { allowEmpty: false, ...options }).map(
    ({ severity, message }) => `${severity} ${/`(\w+)`|^/.exec(message)?.[1] ?? ''}`.trim(),
  )

test('at most five packages, or a fifth if that is more, are removed without being asked', () => {
  expect(refused({ leftovers: leftovers(5), existing: 20 })).toEqual([])
  expect(refused({ leftovers: leftovers(6), existing: 20 })).toEqual(['error maxDeletions'])
  expect(refused({ leftovers: leftovers(6), existing: 30 })).toEqual([])
  expect(refused({ leftovers: leftovers(6), existing: 20 }, { maxDeletions: { count: 6 } })).toEqual([])
  expect(refused({ leftovers: leftovers(3), existing: 20 }, { maxDeletions: { count: 2 } })).toEqual(['error maxDeletions'])
  expect(refused({ leftovers: leftovers(9, 'orphan'), existing: 20 })).toEqual([])
})

test('all packages are removed only if that is allowed', () => {
  expect(refused({ variants: 0, leftovers: leftovers(1) })).toEqual(['error allowEmpty'])
  expect(refused({ variants: 0, leftovers: leftovers(1) }, { allowEmpty: true })).toEqual([])
  expect(refused({ hasOwn: false, leftovers: leftovers(1) })).toEqual(['error allowEmpty'])
  expect(refused({ hasOwn: false, leftovers: leftovers(1, 'orphan') })).toEqual(['error allowEmpty'])
  expect(refused({ hasOwn: false, leftovers: [] })).toEqual([])
})
