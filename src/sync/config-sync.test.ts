import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../json.ts'
import { gitRepositoryOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

/** Returns the sync object of the package `net` of a Repository. */
function syncObject(git: JsonRecord = {}, options: Partial<TestOptions> = {}): JsonRecord {
  const { objects } = syncOf([gitRepositoryOf('one', git), variantOf('one', 'net')], { system: 'config-sync', ...options })
  return asRecord(objects[0])
}

test('a package is a RootSync of its folder, or a RepoSync in the namespace that an expression gives', () => {
  expect(syncObject()).toMatchObject({
    kind: 'RootSync',
    metadata: { namespace: 'config-management-system' },
    spec: { sourceFormat: 'unstructured', git: { repo: 'https://git.example.com/one.git', branch: 'main', dir: 'net', period: '15s' } },
  })
  expect(syncObject({}, { expressions: { namespaceExpr: "'shop'" } })).toMatchObject({ kind: 'RepoSync', metadata: { namespace: 'shop' } })
})

test.each([
  ['https without a Secret', {}, { auth: 'none' }],
  ['https with a Secret', { secretRef: { name: 's' } }, { auth: 'token', secretRef: { name: 's' } }],
  ['ssh with a Secret', { repo: 'git@git.example.com:one.git', secretRef: { name: 's' } }, { auth: 'ssh', secretRef: { name: 's' } }],
])('a repository by %s is read with its credentials', (_what, git, expected) => {
  expect(asRecord(syncObject(git).spec).git).toMatchObject(expected)
  expect('secretRef' in asRecord(asRecord(syncObject(git).spec).git)).toBe('secretRef' in expected)
})

test('the interval of the options is the period', () => {
  expect(asRecord(syncObject({}, { interval: '5m' }).spec).git).toMatchObject({ period: '5m' })
})

test('a tag is the revision in place of the branch, and the top folder is not written', () => {
  const { git } = asRecord(syncObject({}, { per: 'repository', expressions: { tagExpr: "'v1'" } }).spec)
  expect(git).toEqual({ repo: 'https://git.example.com/one.git', revision: 'v1', period: '15s', auth: 'none' })
})

test('an artifact has its tag in the image, and is read without a Secret', () => {
  const spec = { type: 'oci', deployment: true, oci: { registry: 'oci://r.example.com/fleet/one/' } }
  const artifact = { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', metadata: { name: 'one' }, spec }
  const specOf = (options: Partial<TestOptions>) =>
    syncOf([artifact, variantOf('one', 'net')], { system: 'config-sync', ...options }).objects[0]?.spec
  const oci = { image: 'r.example.com/fleet/one:latest', dir: 'net', period: '15s', auth: 'none' }
  expect(specOf({})).toEqual({ sourceFormat: 'unstructured', sourceType: 'oci', oci })
  const { dir: _, ...whole } = { ...oci, image: 'r.example.com/fleet/one:v1', period: '1m' }
  expect(specOf({ per: 'repository', interval: '1m', expressions: { tagExpr: "'v1'" } })).toMatchObject({ oci: whole })
  expect(asRecord(asRecord(specOf({ per: 'repository' })).oci)).not.toHaveProperty('dir')
})
