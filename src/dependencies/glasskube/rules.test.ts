import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readGlasskubePackages, readManifests } from './objects.ts'
import { checkDuplicateInstances, checkInfos, checkScope } from './rules.ts'

const API = 'packages.glasskube.dev/v1alpha1'
const objectOf = (kind: string, name: string, spec: object, metadata: object = {}, status?: object) =>
  KrmObject.fromDocument(JSON.stringify({ apiVersion: API, kind, metadata: { name, ...metadata }, spec, ...(status && { status }) }))
const installed = (kind: string, name: string, manifest: string, namespace?: string) =>
  objectOf(kind, name, { packageInfo: { name: manifest, version: 'v1.0.0' } }, namespace === undefined ? {} : { namespace })
const info = (name: string, version: string, manifest?: object) =>
  objectOf('PackageInfo', name, { name: 'app', version }, {}, manifest && { manifest })

test('a cluster has one ClusterPackage of a manifest, and a namespace one Package of a name', () => {
  const duplicates = (...objects: readonly KrmObject[]) =>
    checkDuplicateInstances(readGlasskubePackages(objects)).map(({ tags }) => tags.package)
  expect(duplicates(installed('ClusterPackage', 'a', 'app'), installed('ClusterPackage', 'b', 'app'))).toEqual(['app'])
  expect(duplicates(installed('ClusterPackage', 'a', 'app'), installed('Package', 'app', 'app', 'eu'))).toEqual([])
  expect(duplicates(installed('Package', 'a', 'app', 'eu'), installed('Package', 'b', 'app', 'eu'))).toEqual([])
  expect(duplicates(installed('Package', 'a', 'app', 'eu'), installed('Package', 'a', 'app', 'us'))).toEqual([])
  expect(duplicates(installed('Package', 'a', 'app', 'eu'), installed('Package', 'a', 'web', 'eu'))).toEqual(['web'])
})

test('PackageInfos of one name are equal; one without a manifest takes that of the other', () => {
  const found = (...objects: readonly KrmObject[]) => checkInfos(objects).map(({ rule, tags }) => [rule, tags.installed])
  expect(found(info('app', 'v1', { scope: 'Cluster' }), info('app', 'v1', { scope: 'Cluster' }))).toEqual([])
  expect(found(info('app', 'v1'), info('app', 'v1', { scope: 'Cluster' }))).toEqual([])
  expect(found(info('app', 'v1', { scope: 'Cluster' }), info('app', 'v1', { scope: 'Namespaced' }))).toEqual([
    ['package-conflicting', 'v1'],
  ])
  expect(found(info('app', 'v1', { scope: 'Cluster' }), info('app', 'v2', { scope: 'Cluster' }))).toEqual([['package-conflicting', 'v2']])
  expect(found(info('app', 'v1', { scope: 'Cluster' }), info('web', 'v2', { scope: 'Namespaced' }))).toEqual([])
})

test.each([
  ['Package', 'Namespaced', []],
  ['ClusterPackage', 'Cluster', []],
  ['ClusterPackage', undefined, []],
  ['ClusterPackage', 'Namespaced', ['Package']],
  ['Package', 'Cluster', ['ClusterPackage']],
  ['Package', undefined, ['ClusterPackage']],
])('a %s of a manifest with the scope %s: %o is proposed', (kind, scope, proposed) => {
  const [pkg] = readGlasskubePackages([installed(kind, 'a', 'app')])
  const [manifest] = readManifests([info('app', 'v1.0.0', { scope })], [])
  expect(pkg && checkScope(pkg, manifest).map((each) => each.proposedValue)).toEqual(proposed)
  expect(pkg && checkScope(pkg, readManifests([info('app', 'v1.0.0')], [])[0])).toEqual([])
})
