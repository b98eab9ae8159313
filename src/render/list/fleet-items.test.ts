import { expect, test } from 'vitest'
import { unitsOf } from '../../../testdata/processor-time.ts'
import { kptfileOf, repository, resourceListOf, setOf, variant, type Written } from '../../fleet/testing/fleet-of-objects.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { RenderOptions } from '../options.ts'
import { fleetItems, fleetItemsIn, variantFaults } from './fleet-items.ts'
import { ListFolders } from './list-folders.ts'

const OWNER = { 'krm-variants.dev/package-variant': 'default/v' }
const config = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

type Repositories = RenderOptions['repositories']
const NONE: Repositories = new Map()

function pathsOf(objects: readonly Written[], repositories = NONE): readonly (string | undefined)[] {
  const { items } = resourceListOf(objects)
  return fleetItems(items, new ListFolders(items), { repositories }).map(({ file }) => file?.path)
}

const VARIANT: Written = ['variants.yaml', variant('v', 'edge')]

test('an item in a package that was made for a variant is no item of the fleet, and one in any other package is', () => {
  const made: readonly Written[] = [
    ['edge/app/Kptfile', kptfileOf({}, OWNER)],
    ['edge/app/a.yaml', config('a')],
    ['edge/app/sub/b.yaml', config('b')],
  ]
  const own: readonly Written[] = [
    ['edge/app2/a.yaml', config('c')],
    ['edge/mine/Kptfile', kptfileOf({})],
    ['edge/mine/d.yaml', config('d')],
  ]
  expect(pathsOf([VARIANT, ...made, ...own])).toEqual(['variants.yaml', 'edge/app2/a.yaml', 'edge/mine/Kptfile', 'edge/mine/d.yaml'])
})

test('an item in an upstream package is no item of the fleet: of a revision, or below a repository that a variant names', () => {
  const objects: readonly Written[] = [
    VARIANT,
    ['catalog/app/Kptfile', kptfileOf({})],
    ['catalog/app/a.yaml', config('a')],
    ['catalog/app@v2/Kptfile', kptfileOf({})],
    ['catalog/app@v2/a.yaml', config('a')],
    ['catalog/beside.yaml', config('b')],
    ['other/app/Kptfile', kptfileOf({})],
  ]
  expect(pathsOf(objects)).toEqual(['variants.yaml', 'catalog/beside.yaml', 'other/app/Kptfile'])
})

test('items in a folder a thousand deep beside a package that was made cost what others do', () => {
  const deep = 'x/'.repeat(1000)
  const { items } = resourceListOf([
    ['edge/app/Kptfile', kptfileOf({}, OWNER)],
    ...Array.from({ length: 1000 }, (_, at): Written => [`${deep}${at}.yaml`, config('a')]),
  ])
  const { value, units } = unitsOf(() => fleetItems(items, new ListFolders(items), { repositories: NONE }))
  expect(value).toHaveLength(1000)
  expect(units).toBeLessThan(10)
})

test('the repository of a variant in a document of YAML is read too', () => {
  const text =
    'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: v\nspec:\n  upstream:\n    repo: lib\n    package: app\n'
  const document = KrmObject.fromDocument(text, { path: 'v.yaml', index: 0, line: 1 })
  const items = [document, ...resourceListOf([['lib/app/Kptfile', kptfileOf({})]]).items]
  expect(fleetItems(items, new ListFolders(items), { repositories: NONE })).toEqual([document])
})

test.each<[string, Repositories]>([
  ['by its name', new Map([['lib', { trusted: true, revisions: new Map(), tags: new Map() }]])],
  ['by its path', new Map([['x', { trusted: true, path: '/lib/', revisions: new Map(), tags: new Map() }]])],
  ['by the path of a revision', new Map([['x', { trusted: true, revisions: new Map([['v1', { path: 'lib/app' }]]), tags: new Map() }]])],
])('a repository that the options name %s holds upstream packages', (_, repositories) => {
  const objects: readonly Written[] = [
    ['lib/app/Kptfile', kptfileOf({})],
    ['lib/app/a.yaml', config('a')],
    ['edge.yaml', repository('edge')],
  ]
  expect(pathsOf(objects)).toEqual(['lib/app/Kptfile', 'lib/app/a.yaml', 'edge.yaml'])
  expect(pathsOf(objects, repositories)).toEqual(['edge.yaml'])
})

test('the paths of a list that was read from a folder begin with the folder', () => {
  const { items } = resourceListOf([
    ['fleet/variants.yaml', variant('v', 'edge')],
    ['fleet/catalog/app/Kptfile', kptfileOf({})],
    ['fleet/edge/app/Kptfile', kptfileOf({}, OWNER)],
  ])
  const left = fleetItemsIn({ disk: '/x', shown: 'fleet' }, items, { repositories: NONE })
  expect(left.map(({ file }) => file?.path)).toEqual(['fleet/variants.yaml'])
})

test('the faults of variants are found, and not those in packages', () => {
  const broken = variant('broken', 'edge', { downstream: { repo: 7 } })
  const faultsOf = (objects: readonly Written[]) => variantFaults(resourceListOf(objects).items).map(({ resourceRef }) => resourceRef?.name)
  expect(faultsOf([VARIANT, ['a.yaml', setOf([])]])).toEqual([])
  expect(new Set(faultsOf([VARIANT, broken]))).toEqual(new Set(['broken']))
  expect(faultsOf([VARIANT, ['edge/app/Kptfile', kptfileOf({}, OWNER)], ['edge/app/v.yaml', broken]])).toEqual([])
})
