import { expect, test } from 'vitest'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import type { Result } from '../result.ts'
import type { DownstreamPlace, LifecycleFacts } from './package-steps.ts'
import { planLifecycle } from './plan-lifecycle.ts'
import { packagePlaces, variantsOf, type WrittenPlace } from './testing/places-of.ts'

interface Facts extends Partial<LifecycleFacts['options']> {
  readonly hadName?: string
  /** True if another fleet may have packages in the same place. */
  readonly isShared?: boolean
  readonly faults?: readonly Result[]
  /** Replaces fields of a place. */
  readonly change?: (place: DownstreamPlace) => DownstreamPlace
}

/** Returns the steps, OP FOLDER, and the findings, SEVERITY RULE, of a fleet with packages. */
function planned(
  variants: readonly FleetVariant[],
  packages: Readonly<Record<string, WrittenPlace>>,
  { hadName, change, isShared = false, faults = [], ...options }: Facts = {},
) {
  const given = packagePlaces(packages)
  const at = (folder: string) => {
    const place = given.at(folder)
    return place && change ? change(place) : place
  }
  const places = { ...given, isShared, faults, at, owned: given.owned.map((place) => change?.(place) ?? place) }
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

test('where another fleet may have packages, those of unknown variants are removed only beside one of this fleet', () => {
  const gone = { 'b/app': { owner: 'gone' } }
  expect(planned(X, gone)[1]).toEqual(['info package-removed'])
  expect(planned(X, gone, { isShared: true })).toEqual([
    ['create a/app', 'remove b/app'],
    ['error deletion-guard', 'info package-removed'],
  ])
  expect(planned(X, { ...gone, 'a/app': { owner: 'x' } }, { isShared: true })[1]).toEqual(['info package-removed'])
  expect(planned(X, { ...gone, 'a/app': { owner: 'other' } }, { isShared: true })[1]).toEqual(['info adopted', 'info package-removed'])
  expect(planned(X, { ...gone, 'c/app': { owner: 'x' } }, { isShared: true })[1]).toEqual([
    'warning downstream-renamed',
    'info package-removed',
    'info package-removed',
  ])
  const copied = { ...gone, 'c/app': { owner: 'x' }, 'd/app': { owner: 'x' } }
  expect(planned(X, copied, { isShared: true })[1]).not.toContain('error deletion-guard')
})

test('a fault of an owner annotation is the only finding, and so is a downstream that is no folder', () => {
  const fault: Result = { severity: 'error', message: 'm', tags: { rule: 'kptfile' } }
  expect(planned(X, { 'b/app': { owner: 'gone' } }, { faults: [fault] })).toEqual([[], ['error kptfile']])
  expect(planned(variantsOf(['../app', 'y']), {})).toEqual([[], ['error package-path']])
})

test('a Kptfile that cannot be read is a fault of its folder, unless the variant adopts it', () => {
  const kptfileFault = (): Result => ({ severity: 'error', message: 'm', tags: { rule: 'kptfile' } })
  const change = (place: DownstreamPlace): DownstreamPlace => ({ ...place, kptfileFault })
  expect(planned(X, { 'a/app': {} }, { change })).toEqual([[], ['error kptfile']])
  expect(planned(adopting(X), { 'a/app': {} }, { change })).toEqual([['update a/app'], ['info adopted']])
})
