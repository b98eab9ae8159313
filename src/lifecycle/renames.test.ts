import { expect, test } from 'vitest'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { LifecycleFacts } from './package-steps.ts'
import { directoryOf, findRenames } from './renames.ts'
import { packagePlace, packagePlaces, variantsOf, type WrittenPlace } from './testing/places-of.ts'

interface Facts {
  /** The folder of the upstream package in git, of all variants or by the name of the variant. */
  readonly directory?: string | Readonly<Record<string, string>>
  /** The downstream that the set gave while the upstream had the name of the key. */
  readonly former?: Readonly<Record<string, FleetVariant['downstream']>>
}

/** Returns the folder that the package of each variant is in until now. */
function renames(
  variants: readonly FleetVariant[],
  packages: Readonly<Record<string, WrittenPlace>>,
  { directory = 'app', former = {} }: Facts = {},
): readonly string[] {
  const facts: LifecycleFacts = {
    options: { allowEmpty: false, followRenames: false, discardEdits: false },
    hadName: () => false,
    everyVariant: variants,
    others: 0,
    everyOwned: [],
    upstreamDirectory: ({ object: { name = '' } }) => (typeof directory === 'string' ? directory : directory[name]),
    formerDownstream: (_, name) => former[name],
  }
  const alive = new Map(variants.map((variant) => [`default/${variant.object.name}`, variant]))
  return [...findRenames(variants, packagePlaces(packages), alive, facts)].map(
    ([{ object }, { place, upstreamPackage }]) =>
      `${object.name} from ${place.folder}${upstreamPackage === undefined ? '' : ` of ${upstreamPackage}`}`,
  )
}

test('a variant whose folder is empty has the only package with its name', () => {
  expect(renames(variantsOf(['b/app', 'x']), { 'a/app': { owner: 'x' } })).toEqual(['x from a/app'])
})

test('a variant whose folder has content is not renamed', () => {
  expect(renames(variantsOf(['b/app', 'x']), { 'a/app': { owner: 'x' }, 'b/app': {} })).toEqual([])
})

test('two packages with the name of the variant are not distinguished', () => {
  expect(renames(variantsOf(['b/app', 'x']), { 'a/app': { owner: 'x' }, 'c/app': { owner: 'x' } })).toEqual([])
})

test('a package in a folder that another variant wants is not taken', () => {
  expect(renames(variantsOf(['b/app', 'x'], ['a/app', 'y']), { 'a/app': { owner: 'x' } })).toEqual([])
})

test('the package of a gone variant of the same repository and upstream belongs to the only new variant there', () => {
  expect(renames(variantsOf(['a/new', 'x']), { 'a/old': { owner: 'gone' } })).toEqual(['x from a/old'])
  expect(renames(variantsOf(['a/new', 'x']), { 'b/old': { owner: 'gone' } })).toEqual([])
  expect(renames(variantsOf(['a/new', 'x']), { 'a/old': { owner: 'gone', directory: 'other' } })).toEqual([])
  expect(renames(variantsOf(['a/new', 'x'], ['a/new2', 'y']), { 'a/old': { owner: 'gone' } })).toEqual([])
  expect(renames(variantsOf(['a/new', 'x']), { 'a/old': { owner: 'gone' }, 'a/old2': { owner: 'gone2' } })).toEqual([])
})

test('a variant that has a package by its name has none of a gone one, and leaves that to the variant without', () => {
  const packages = { 'c/app': { owner: 'x' }, 'a/old': { owner: 'gone' } }
  expect(renames(variantsOf(['a/new', 'x']), packages)).toEqual(['x from c/app'])
  expect(renames(variantsOf(['a/new', 'x'], ['a/new2', 'y']), packages)).toEqual(['x from c/app', 'y from a/old'])
})

test('the package of a variant that still exists is no package of a gone one', () => {
  expect(renames(variantsOf(['a/new', 'x'], ['a/own', 'y']), { 'a/old': { owner: 'y' }, 'a/own': { owner: 'y' } })).toEqual([])
})

test('a package that the set made of the upstream under another name belongs to the same target', () => {
  const former = { shop: { repo: 'a', package: 'shop' } }
  const packages = { 'a/shop': { owner: 'gone', directory: 'packages/shop' } }
  const facts = { directory: 'packages/app', former }
  expect(renames(variantsOf(['a/app', 'x']), packages, facts)).toEqual(['x from a/shop of shop'])
  expect(renames(variantsOf(['a/app', 'x']), packages, { ...facts, former: {} })).toEqual([])
  expect(renames(variantsOf(['a/app', 'x']), packages, { ...facts, directory: 'other/app' })).toEqual([])
  expect(renames(variantsOf(['a/app', 'x']), packages, { ...facts, former: { shop: { repo: 'b', package: 'shop' } } })).toEqual([])
})

test('a package of the same upstream, or of a variant whose upstream is unknown, is none under another name', () => {
  const packages = { 'b/old': { owner: 'gone', directory: 'packages/app' } }
  const former = { app: { repo: 'b', package: 'old' }, 'packages/app': { repo: 'b', package: 'old' } }
  expect(renames(variantsOf(['a/new', 'x']), packages, { directory: 'packages/app', former })).toEqual([])
  expect(renames(variantsOf(['a/new', 'x']), packages, { directory: {}, former })).toEqual([])
  expect(renames(variantsOf(['a/new', 'x']), packages, { directory: 'app', former })).toEqual(['x from b/old of packages/app'])
})

test('a package that went to the only new variant of its upstream goes to no other one', () => {
  const facts = { directory: { x: 'packages/shop', y: 'packages/app' }, former: { shop: { repo: 'a', package: 'shop' } } }
  const packages = { 'a/shop': { owner: 'gone', directory: 'packages/shop' } }
  expect(renames(variantsOf(['a/new', 'x'], ['a/app', 'y']), packages, facts)).toEqual(['x from a/shop'])
})

test('a package that two variants could have had under another name is not guessed', () => {
  const facts = { directory: 'packages/app', former: { shop: { repo: 'a', package: 'shop' } } }
  const packages = { 'a/shop': { owner: 'gone', directory: 'packages/shop' } }
  expect(renames(variantsOf(['a/app', 'x'], ['a/web', 'y']), packages, facts)).toEqual([])
})

test('a package that a variant with two such packages could have had goes to no other variant', () => {
  const shop = { repo: 'a', package: 'shop' }
  const former = { 'shop/base': shop, base: shop, store: { repo: 'a', package: 'store' } }
  const facts = { directory: { x: 'packages/app', y: 'packages/shop/app' }, former }
  const packages = {
    'a/shop': { owner: 'gone', directory: 'packages/shop/base' },
    'a/store': { owner: 'gone2', directory: 'packages/store' },
  }
  expect(renames(variantsOf(['a/web', 'y']), packages, facts)).toEqual(['y from a/shop of base'])
  expect(renames(variantsOf(['a/app', 'x'], ['a/web', 'y']), packages, facts)).toEqual([])
})

test('without packages of the fleet nothing was renamed', () => {
  expect(renames(variantsOf('a/app'), { 'b/app': {} })).toEqual([])
})

test('the folder of the upstream of a package is that of its Kptfile without the slashes around it', () => {
  expect(directoryOf(packagePlace('a/app', { directory: '/packages/app/' }))).toBe('packages/app')
  expect(directoryOf({ ...packagePlace('a/app'), kptfile: () => undefined })).toBeUndefined()
  const bare = KrmObject.fromDocument('apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n')
  expect(directoryOf({ ...packagePlace('a/app'), kptfile: () => bare })).toBeUndefined()
})
