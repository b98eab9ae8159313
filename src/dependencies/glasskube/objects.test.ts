import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readCatalogEntries } from '../reading/catalog.ts'
import { fieldAt, itemFields } from '../reading/field.ts'
import { instanceKey, manifestRequirements, packageInfos, readGlasskubePackages, readManifests, repositoriesOf } from './objects.ts'

const API = 'packages.glasskube.dev/v1alpha1'

function objectOf(kind: string, metadata: object, rest: object = {}, apiVersion = API): KrmObject {
  return KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata, ...rest }))
}

const packageInfo = (spec: object) => ({ spec: { packageInfo: spec } })

test('a Package has a namespace and an instance, a ClusterPackage the name of its manifest', () => {
  const spec = packageInfo({ name: 'shop', version: 'v1', repositoryName: 'r' })
  const read = (kind: string, metadata: object, rest = spec) => {
    const [found] = readGlasskubePackages([objectOf(kind, metadata, rest)])
    return found && [found.namespace, found.instance, found.manifestName, found.version, found.repository]
  }
  expect(read('Package', { name: 'till', namespace: 'eu' })).toEqual(['eu', 'till', 'shop', 'v1', 'r'])
  expect(read('Package', { name: 'till' })).toEqual(['default', 'till', 'shop', 'v1', 'r'])
  expect(read('ClusterPackage', { name: 'till', namespace: 'eu' })).toEqual(['', 'shop', 'shop', 'v1', 'r'])
  expect(read('ClusterPackage', { name: 'till' }, packageInfo({ name: '', version: '', repositoryName: '' }))).toEqual([
    '',
    'till',
    'till',
    '',
    '',
  ])
})

test('what is deleted, and what is no package of Glasskube, is left out', () => {
  const objects = [
    objectOf('Package', { name: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' }),
    objectOf('Package', { name: 'b' }, {}, 'data.packaging.carvel.dev/v1alpha1'),
    objectOf('PackageInfo', { name: 'c' }),
    objectOf('Package', { name: 'd' }),
    objectOf('ClusterPackage', { name: 'e' }),
  ]
  expect(readGlasskubePackages(objects).map(({ manifestName }) => manifestName)).toEqual(['d', 'e'])
})

test.each([
  [{}, false, false],
  [{ 'packages.glasskube.dev/installed-as-dependency': 'true' }, true, false],
  [{ 'packages.glasskube.dev/installed-as-dependency': 'false' }, false, false],
  [{ 'packages.glasskube.dev/auto-update': 'true' }, false, true],
  [{ 'packages.glasskube.dev/auto-update': 'yes' }, false, false],
  [{ 'krm-variants.dev/resolved': 'v1' }, true, false],
  [{ 'krm-variants.dev/resolved': 'v2' }, false, false],
  [{ 'krm-variants.dev/resolved': 'v2', 'packages.glasskube.dev/installed-as-dependency': 'true' }, false, false],
])('a package with %j is there for another one: %s, and moves by itself: %s', (annotations, asDependency, autoUpdate) => {
  const [found] = readGlasskubePackages([objectOf('Package', { name: 'a', annotations }, packageInfo({ name: 'a', version: 'v1' }))])
  expect(found).toMatchObject({ asDependency, autoUpdate })
})

const info = (name: string, status?: object, spec: object = { name: 'shop', version: 'v1' }) =>
  objectOf('PackageInfo', { name }, { spec, ...(status && { status }) })
const catalog = (...entries: readonly object[]) => {
  const value = entries.map((entry) => ({ ecosystem: 'glasskube', ...entry }))
  return readCatalogEntries(itemFields(fieldAt(KrmObject.fromDocument(JSON.stringify({ kind: 'C', value })), ['value']))).packages
}

test('of two PackageInfos of one name the first with a manifest counts', () => {
  const [without, first, second] = [info('a'), info('a', { manifest: {} }), info('a', { manifest: { scope: 'Cluster' } })]
  const other = info('b')
  expect(packageInfos([without, first, second, other])).toEqual([[first, without, second], [other]])
  expect(packageInfos([without, info('a', {})]).map(([used]) => used)).toEqual([without])
  const [nameless, too] = [objectOf('PackageInfo', {}), objectOf('PackageInfo', {})]
  expect(packageInfos([nameless, too])).toEqual([[nameless], [too]])
})

test('manifests are those of PackageInfos, then of the catalog; of equal ones the first that is known', () => {
  const read = (infos: readonly KrmObject[], ...entries: readonly object[]) =>
    readManifests(infos, catalog(...entries)).map(({ name, version, repository, manifest }) => [name, version, repository, manifest?.scope])
  const manifest = { manifest: { scope: 'Cluster' } }
  const listed = { id: 'shop', versions: [{ version: 'v1', scope: 'Namespaced' }] }
  expect(read([info('a', manifest)], listed)).toEqual([['shop', 'v1', '', 'Cluster']])
  expect(read([info('a')], listed)).toEqual([['shop', 'v1', '', 'Namespaced']])
  expect(read([info('a')])).toEqual([['shop', 'v1', '', undefined]])
  expect(read([], { ...listed, repository: 'r' }, listed)).toEqual([
    ['shop', 'v1', 'r', 'Namespaced'],
    ['shop', 'v1', '', 'Namespaced'],
  ])
  expect(read([], { id: 'shop', versions: ['v1'] })).toEqual([['shop', 'v1', '', undefined]])
  expect(read([], { ...listed, ecosystem: 'carvel' })).toEqual([])
})

test('missing dependencies are none in a PackageInfo, and not known in a catalog', () => {
  const [ofInfo] = readManifests([info('a', { manifest: { scope: 'Cluster' } })], [])
  const [ofCatalog] = readManifests([], catalog({ id: 'shop', versions: [{ version: 'v1' }] }))
  expect(ofInfo?.manifest?.dependencies).toBeDefined()
  expect(ofCatalog?.manifest).toBeDefined()
  expect(ofCatalog?.manifest?.dependencies).toBeUndefined()
})

test('a component is installed under its own name, unless it has another one', () => {
  const list = fieldAt(KrmObject.fromDocument('kind: C\nlist: [{name: a, version: ">=1"}, {name: b, installedName: c}, {}]\n'), ['list'])
  expect(manifestRequirements(list).map(({ name, installedName, constraint }) => [name, installedName, constraint])).toEqual([
    ['a', 'a', '>=1'],
    ['b', 'c', ''],
    ['', '', ''],
  ])
  expect(manifestRequirements(undefined)).toEqual([])
})

test('an instance of a namespace is another one than that of the cluster', () => {
  expect([instanceKey('', 'a'), instanceKey('eu', 'a')]).toEqual(['a', 'eu/a'])
})

test('repositories are sorted, each once, and a manifest without one has none', () => {
  const manifests = readManifests(
    [info('x')],
    catalog(...['r', 'q', 'r'].map((repository, at) => ({ id: `p${at}`, repository, versions: ['v1'] }))),
  )
  expect(repositoriesOf(manifests)).toEqual(['q', 'r'])
})
