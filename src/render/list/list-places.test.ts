import { expect, test } from 'vitest'
import { readFleet } from '../../fleet/fleet.ts'
import { readVariants } from '../../fleet/fleet-variants.ts'
import { kptfileOf, resourceListOf, setOf, variant, type Written } from '../../fleet/testing/fleet-of-objects.ts'
import type { DownstreamPlaces } from '../../lifecycle/package-steps.ts'
import { isPackageVariant } from '../../variant/find-variant.ts'
import { ListFolders } from './list-folders.ts'
import { listPlaces, nameFolder } from './list-places.ts'

const OWNER = { 'krm-variants.dev/package-variant': 'default/v' }
const PACKAGES: readonly Written[] = [
  ['made/edge/shop/Kptfile', kptfileOf({}, OWNER)],
  ['made/edge/shop/sub/a.yaml', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }],
  ['made/edge/mine/Kptfile', kptfileOf({})],
  ['top/Kptfile', kptfileOf({}, OWNER)],
]

/** Returns the places of the packages of a list, and the folder of the package of each of its variants by name. */
function placesOf(objects: readonly Written[], out?: string) {
  const { items } = resourceListOf(objects)
  const places = listPlaces(new ListFolders(items), readFleet(items), items, out === undefined ? {} : { out })
  const { variants } = readVariants(items.filter(isPackageVariant))
  return { places, folders: Object.fromEntries(variants.map((each) => [each.name, places.folderOf(each)])) }
}

const shown = ({ owned }: DownstreamPlaces) => owned.map(({ folder, repo, owner }) => [folder, repo, owner?.variant])

test('the packages of variants are those whose Kptfile names one; their repository is the folder above, or the first one below `out`', () => {
  expect(shown(placesOf(PACKAGES).places)).toEqual([
    ['made/edge/shop', 'edge', 'default/v'],
    ['top', '', 'default/v'],
  ])
  expect(shown(placesOf(PACKAGES, './made/').places)).toEqual([
    ['made/edge/shop', 'edge', 'default/v'],
    ['top', 'top', 'default/v'],
  ])
  const deep: readonly Written[] = [
    ['out/edge/shops/web/Kptfile', kptfileOf({}, OWNER)],
    ['outer/a/b/Kptfile', kptfileOf({}, OWNER)],
  ]
  expect(shown(placesOf(deep, 'out').places).map(([, repo]) => repo)).toEqual(['edge', 'outer'])
})

test('a place is a package only with a Kptfile, and a folder without items is no place', () => {
  const { places } = placesOf(PACKAGES)
  const at = (folder: string) => {
    const place = places.at(folder)
    return place && [place.isPackage, place.kptfile()?.name, place.owner?.variant, place.kptfileFault()]
  }
  expect(at('made/edge/shop')).toEqual([true, 'app', 'default/v', undefined])
  expect(at('made/edge/mine')).toEqual([true, 'app', undefined, undefined])
  expect(at('made/edge/shop/sub')).toEqual([false, undefined, undefined, undefined])
  expect(at('made/edge/other')).toBeUndefined()
})

test('a list has no faults of places, shares none, and has no links', () => {
  const { places } = placesOf(PACKAGES)
  expect([places.faults, places.isShared, places.linkOnWayTo('made/edge/shop')]).toEqual([[], false, undefined])
})

const BESIDE: readonly Written[] = [
  ['sets/fleet.yaml', setOf([])],
  ['variants/v.yaml', variant('of-set', 'edge')],
  ['alone/v.yaml', { ...variant('of-none', 'edge'), metadata: { name: 'of-none' } }],
  ['top.yaml', { ...variant('at-top', 'edge'), metadata: { name: 'at-top' } }],
]

test('a package is below `out`, else beside the set of its variant, else beside the variant', () => {
  expect(placesOf(BESIDE).folders).toEqual({ 'of-set': 'sets/edge/app', 'of-none': 'alone/edge/app', 'at-top': 'edge/app' })
  expect(new Set(Object.values(placesOf(BESIDE, './made//here/').folders))).toEqual(new Set(['made/here/edge/app']))
  expect(new Set(Object.values(placesOf(BESIDE, '.').folders))).toEqual(new Set(['edge/app']))
})

test('a set is found in the namespace of its variant alone', () => {
  const elsewhere: Written = [
    'variants/v.yaml',
    {
      ...variant('v', 'edge'),
      metadata: { name: 'v', namespace: 'other', annotations: { 'krm-variants.dev/package-variant-set': 'default/fleet' } },
    },
  ]
  expect(placesOf([['sets/fleet.yaml', setOf([])], elsewhere]).folders).toEqual({ v: 'variants/edge/app' })
})

test.each([
  ['./a//b/', 'a/b'],
  ['.', ''],
  ['/a', 'a'],
  ['.a/b.', '.a/b.'],
])('the folder %s is %s in the paths of a list', (written, named) => {
  expect(nameFolder(written)).toBe(named)
})
