import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { type CatalogPackage, readCatalogEntries } from '../reading/catalog.ts'
import { fieldAt, itemFields } from '../reading/field.ts'
import { readManifests } from './objects.ts'
import { glasskubeContext, glasskubeRequirements, knownVersions, latestVersion, manifestOf, packageOfInstance } from './requirements.ts'

interface Entry {
  readonly id: string
  readonly repository?: string
  readonly latest?: string
  readonly versions: readonly object[]
}

/** Returns what is known of the packages of a catalog. */
function contextOf(...entries: readonly Entry[]) {
  const value = entries.map((entry) => ({ ecosystem: 'glasskube', ...entry }))
  const holder = KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, value }))
  const catalog: readonly CatalogPackage[] = readCatalogEntries(itemFields(fieldAt(holder, ['value']))).packages
  return glasskubeContext(readManifests([], catalog), catalog, rangeReader(DIALECTS.m331validate))
}

const instance = (manifestName: string, { repository = '', namespace = '', name = manifestName } = {}) => ({
  namespace,
  instance: name,
  manifestName,
  repository,
})

test('the latest version is the one that the repository of the package names, else the highest', () => {
  const versions = [{ version: 'v1.0.0' }, { version: 'v2.0.0' }]
  const context = contextOf(
    { id: 'app', repository: 'one', latest: 'v1.0.0', versions },
    { id: 'app', repository: 'two', latest: 'v2.0.0', versions },
    { id: 'web', versions },
  )
  expect(latestVersion({ manifestName: 'app', repository: 'one' }, context)).toBe('v1.0.0')
  expect(latestVersion({ manifestName: 'app', repository: 'two' }, context)).toBe('v2.0.0')
  expect(latestVersion({ manifestName: 'app', repository: '' }, context)).toBe('v1.0.0')
  expect(latestVersion({ manifestName: 'web', repository: 'one' }, context)).toBe('v2.0.0')
  expect(latestVersion({ manifestName: 'gone', repository: '' }, context)).toBe('')
})

test('known versions are listed once, the highest first', () => {
  const context = contextOf(
    { id: 'app', repository: 'one', versions: [{ version: 'v1.9.0' }, { version: 'v1.10.0' }] },
    { id: 'app', repository: 'two', versions: [{ version: 'v1.10.0' }, { version: 'v2.0.0' }] },
  )
  expect(knownVersions('app', context).map(({ text }) => text)).toEqual(['v2.0.0', 'v1.10.0', 'v1.9.0'])
})

test('a manifest is that of the repository of the package, or one that names no repository', () => {
  const context = contextOf(
    { id: 'app', repository: 'one', versions: [{ version: 'v1.0.0', defaultNamespace: 'one' }] },
    { id: 'app', repository: 'two', versions: [{ version: 'v1.0.0', defaultNamespace: 'two' }] },
    { id: 'web', versions: [{ version: 'v1.0.0', defaultNamespace: 'web' }] },
  )
  const found = (repository: string, name = 'app') => manifestOf(instance(name, { repository }), 'v1.0.0', context)?.repository
  expect([found('one'), found('two'), found('three'), found('three', 'web')]).toEqual(['one', 'two', undefined, ''])
})

test('the versions of an instance fit its scope, each by its first manifest', () => {
  const at = (version: string, scope: string) => ({ version, scope, dependencies: [] })
  const context = contextOf(
    { id: 'app', repository: 'one', versions: [at('v1.0.0', 'Cluster'), at('v2.0.0', 'Cluster'), at('v3.0.0', 'Namespaced')] },
    { id: 'app', repository: 'two', versions: [at('v1.0.0', 'Namespaced')] },
  )
  const versions = (namespace: string) => packageOfInstance(instance('app', { namespace }), context).versions.map(({ text }) => text)
  expect([versions(''), versions('apps')]).toEqual([['v2.0.0', 'v1.0.0'], ['v3.0.0']])
})

test.each([
  ['Cluster', '', 'package'],
  ['Cluster', 'apps', 'platform'],
  ['Namespaced', '', 'platform'],
  ['Namespaced', 'apps', 'package'],
  ['', 'apps', 'package'],
])(
  'a manifest with the scope "%s" for the namespace "%s" requires a %s: only a written scope refuses an instance',
  (scope, namespace, type) => {
    const context = contextOf({ id: 'app', versions: [{ version: 'v1.0.0', scope, dependencies: [{ name: 'db' }] }] })
    const [known] = packageOfInstance(instance('app', { namespace }), context).known
    expect(known?.requirements?.map((required) => required.type)).toEqual([type])
  },
)

test('dependencies are required for the cluster, components in the namespace of the package under its name', () => {
  const context = contextOf({
    id: 'app',
    versions: [{ version: 'v1.0.0', defaultNamespace: 'apps', dependencies: [{ name: 'db' }], components: [{ name: 'cache' }] }],
  })
  const of = (each: ReturnType<typeof instance>) =>
    glasskubeRequirements(each, manifestOf(each, 'v1.0.0', context)?.manifest, context)?.map((required) =>
      required.type === 'package' ? required.package.key : required.type,
    )
  expect(of(instance('app'))).toEqual([packageOfInstance(instance('db'), context).key, 'apps/app-cache'])
  expect(of(instance('app', { namespace: 'shop', name: 'mine' }))?.at(-1)).toBe('shop/mine-cache')
})

test('a component that contains itself is required by no version', () => {
  const context = contextOf({
    id: 'app',
    versions: [{ version: 'v1.0.0', scope: 'Namespaced', defaultNamespace: 'apps', components: [{ name: 'app' }] }],
  })
  const own = instance('app')
  const required = glasskubeRequirements(own, manifestOf(own, 'v1.0.0', context)?.manifest, context)
  expect(required).toMatchObject([
    { type: 'platform', met: false, rule: 'dependency-cycle', wants: 'a component that contains itself: app -> app' },
  ])
})
