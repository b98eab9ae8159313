import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { readGlasskubePackages, readManifests } from './objects.ts'
import { checkDuplicateInstances, checkInfos, checkScope } from './rules.ts'
import { glasskubeInstall, glasskubeReading } from './testing/objects.ts'

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

/** Returns the findings of a rule on an app that requires the database in a range, and on other installs. */
function foundBeside(rule: string, installs: readonly KrmObject[], range = '>=1.0.0', repositories: readonly string[] = []) {
  const app = { id: 'app', versions: [{ version: 'v1.0.0', dependencies: [{ name: 'db', version: range }] }] }
  const db = { id: 'db', versions: [{ version: 'v1.0.0', dependencies: [] }] }
  const entries = [app, ...(repositories.length === 0 ? [db] : repositories.map((repository) => ({ ...db, repository })))]
  return glasskubeReading([glasskubeInstall('app', 'v1.0.0'), ...installs], entries)
    .findings()
    .filter((each) => each.rule === rule)
    .map(({ message, place, tags }) => [message.replace(/ \(.*?\)/g, ''), place.path.join('.'), tags])
}

test('a version that the operator chooses is reported where others require a range of the package', () => {
  const pinning = (...given: readonly [readonly KrmObject[], string?]) => foundBeside('auto-update-unpinned', ...given)
  const moving = { annotations: { 'packages.glasskube.dev/auto-update': 'true' } }
  const end = 'and others require a range of db: an update may leave it'
  const place = 'spec.packageInfo.version'
  expect(pinning([glasskubeInstall('db', '')])).toEqual([
    [`ClusterPackage db has no version, ${end}`, place, { ecosystem: 'glasskube', package: 'db' }],
  ])
  expect(pinning([glasskubeInstall('db', 'v1.0.0', moving)])).toEqual([
    [`ClusterPackage db is updated automatically, ${end}`, place, { ecosystem: 'glasskube', package: 'db', installed: 'v1.0.0' }],
  ])
  expect(pinning([glasskubeInstall('db', 'v1.0.0')])).toEqual([])
  expect(pinning([glasskubeInstall('db', '')], '')).toEqual([])
  expect(pinning([glasskubeInstall('db', '', { namespace: 'eu' })])).toEqual([])
})

test('a missing package in several repositories is reported where it is required', () => {
  const ambiguous = (installs: readonly KrmObject[], ...repositories: readonly string[]) =>
    foundBeside('repository-ambiguous', installs, '>=1.0.0', repositories)
  expect(ambiguous([], 'one', 'two')).toEqual([
    [
      'app v1.0.0 requires db, which is in the repositories one and two: install it with a repositoryName',
      'spec.packages.0.versions.0.dependencies.0.version',
      { ecosystem: 'glasskube', package: 'app', dependency: 'db' },
    ],
  ])
  expect(ambiguous([], 'one')).toEqual([])
  expect(ambiguous([glasskubeInstall('db', 'v1.0.0')], 'one', 'two')).toEqual([])
})

test('a duplicate names both objects, and has its place at the second', () => {
  const [first, second] = [glasskubeInstall('a', 'v1.0.0', { manifest: 'app' }), glasskubeInstall('b', 'v1.0.0', { manifest: 'app' })]
  expect(checkDuplicateInstances(readGlasskubePackages([first, second]))).toMatchObject([
    {
      rule: 'duplicate-package',
      message: expect.stringMatching(/^ClusterPackage a \(a\.yaml:\d+\) and ClusterPackage b \(b\.yaml:\d+\) both install app$/),
      place: { ref: { name: 'b' }, path: ['spec', 'packageInfo', 'name'], currentValue: 'app' },
    },
  ])
})

test('a scope that does not fit is reported at the kind', () => {
  const [pkg] = readGlasskubePackages([installed('Package', 'a', 'app')])
  const [manifest] = readManifests([info('app', 'v1.0.0', { scope: 'Cluster' })], [])
  expect(pkg && checkScope(pkg, manifest)).toMatchObject([
    {
      message: '`kind` invalid scope, expected ClusterPackage but found Package',
      place: { path: ['kind'] },
      tags: { installed: 'v1.0.0' },
    },
  ])
})
