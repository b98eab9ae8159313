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
