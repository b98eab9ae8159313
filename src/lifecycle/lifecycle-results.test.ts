import { expect, test } from 'vitest'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { notAdopted, otherFleets, renamed, throughLink } from './lifecycle-results.ts'
import type { DownstreamPlace } from './package-steps.ts'
import { packagePlace, packagePlaces, variantsOf } from './testing/places-of.ts'

/** Returns a package of another fleet. */
const placeOf = (folder: string, fleet: string): DownstreamPlace => ({
  ...packagePlace(folder),
  owner: { variant: 'default/x', deletionPolicy: 'delete', fleet },
})

/** Returns the errors about packages of other fleets, by folder. */
function inTheWay(fleet: string, packages: Readonly<Record<string, string>>): readonly string[] {
  const folders = Object.entries(packages)
  const variants = variantsOf(...folders.map(([folder]) => folder))
  const foreign = folders.flatMap(([folder, other], i) => {
    const variant = variants[i]
    return variant === undefined ? [] : [{ variant, place: placeOf(folder, other) }]
  })
  return otherFleets(foreign, { fleet }).map(({ message }) => message)
}

test.each([
  ['h/r//old', 'h/r//new', /; the fleet moved from '\/\/old' to '\/\/new': where both are one fleet, write/],
  ['h/r//old', 'h/other//old', /; take another folder .* where both are one fleet that has moved/],
  ['h/r//old', 'folder:new', /; there is no git repository here, whose name the packages have: where both/],
  ['folder:old', 'folder:new', /; take another folder/],
  ['mine', 'h/r//new', /; take another folder/],
])('packages of the fleet %j in the way of %j have this way out: %s', (other, fleet, words) => {
  expect(inTheWay(fleet, { 'a/app': other })).toEqual([expect.stringMatching(words)])
})

test('packages of each other fleet are one error, which counts them', () => {
  expect(inTheWay('mine', { 'a/app': 'x', 'b/app': 'x', 'c/app': 'y' })).toEqual([
    expect.stringMatching(/must not be packages of another fleet: 2 packages, 'a\/app', 'b\/app', are of 'x'/),
    expect.stringMatching(/must not be the package of another fleet: 'c\/app' is of 'y'/),
  ])
})

test.each<[string, Partial<DownstreamPlace>, RegExp]>([
  ['no Kptfile', { isPackage: false }, /`spec\.downstream` must be free or a package/],
  ['no owner', { owner: undefined }, /`spec\.adoptionPolicy` must be 'adoptExisting' .*, which no variant made;/],
  ['another owner', {}, /`spec\.adoptionPolicy` must be 'adoptExisting' .*, of PackageVariant default\/x;/],
])('a folder with %s is not taken over, for that reason', (_, fields, words) => {
  const place = { ...packagePlace('a/app', { owner: 'x' }), ...fields }
  expect(variantsOf('a/app').map((variant) => notAdopted(variant, place).message)).toEqual([expect.stringMatching(words)])
})

test('the package of a renamed downstream is removed, or left to itself by its own deletion policy', () => {
  const fate = (deletionPolicy: 'delete' | 'orphan') =>
    variantsOf('b/app').map((variant: FleetVariant) => {
      const place = { ...packagePlace('a/app'), owner: { variant: 'default/x', deletionPolicy } }
      return renamed(variant, place, 'b/app').message
    })
  expect(fate('delete')).toEqual([expect.stringContaining('what people did to it, is removed;')])
  expect(fate('orphan')).toEqual([expect.stringContaining('what people did to it, is left to itself;')])
})

test('a downstream that leads through a symbolic link is an error, any other is none', () => {
  const places = packagePlaces({})
  const through = (link: string | undefined) =>
    variantsOf('a/app').flatMap((variant) => throughLink(variant, { ...places, linkOnWayTo: () => link }).map(({ severity }) => severity))
  expect(through(undefined)).toEqual([])
  expect(through('clusters/a')).toEqual(['error'])
})
