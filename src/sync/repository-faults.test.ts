import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { SyncSystem } from './options.ts'
import { deploymentSource, missingSecret, sourceFaults, withoutSlashes } from './repository-faults.ts'
import { gitRepositoryOf, syncOf, variantOf } from './testing/sync-of-objects.ts'

const repositoryOf = (spec: JsonRecord) =>
  KrmObject.fromDocument(JSON.stringify({ kind: 'Repository', metadata: { name: 'ham' }, spec }), { path: 'r.yaml', index: 0, line: 1 })
const ofGit = (git: JsonRecord) => repositoryOf({ type: 'git', git })

/** Returns the fields with faults, each with its message. */
function faults(repository: KrmObject, system: SyncSystem = 'flux'): readonly string[] {
  return sourceFaults(repository, deploymentSource(repository), system).map(({ message }) => message)
}

test('a source in git is read from main unless a branch is set, and has a Secret only if one is named', () => {
  expect(deploymentSource(ofGit({ repo: 'https://h/r.git' }))).toEqual({
    url: 'https://h/r.git',
    isOci: false,
    branch: 'main',
    directory: '',
    secret: undefined,
  })
  expect(deploymentSource(ofGit({ repo: 'https://h/r.git', branch: 'next', directory: 'a', secretRef: { name: 's' } }))).toMatchObject({
    branch: 'next',
    directory: 'a',
    secret: 's',
  })
})

test.each([
  ['registry.example.com/fleet/ham', 'oci://registry.example.com/fleet/ham'],
  ['oci://registry.example.com/fleet/ham//', 'oci://registry.example.com/fleet/ham'],
  ['', ''],
])('the artifact of the registry %j is %j, without a branch and a folder', (registry, url) => {
  const source = deploymentSource(repositoryOf({ type: 'oci', oci: { registry }, git: { repo: 'https://h/r', directory: 'a' } }))
  expect(source).toEqual({ url, isOci: true, branch: '', directory: '', secret: undefined })
})

test.each<[string, SyncSystem, boolean]>([
  ['https://h/r.git', 'flux', true],
  ['http://h/r.git', 'flux', true],
  ['ssh://git@h/r.git', 'flux', true],
  ['git@h:r.git', 'flux', true],
  ['git://h/r.git', 'flux', false],
  ['git://h/r.git', 'argocd', true],
  ['/srv/r.git', 'argocd', false],
  ['/srv/r.git', 'flux', false],
  ['ext::sh -c x', 'argocd', false],
])('whether the address %j can be read by %s: %j', (repo, system, isAccepted) => {
  expect(faults(ofGit({ repo }), system).filter((message) => message.includes('must be HOST:PATH')).length).toBe(isAccepted ? 0 : 1)
})

test('the transports that a system accepts are named', () => {
  const must = '`spec.git.repo` must be HOST:PATH or a URL of'
  expect(faults(ofGit({ repo: '/srv/r' }), 'flux')).toEqual([`${must} http, https or ssh, got '/srv/r'`])
  expect(faults(ofGit({ repo: '/srv/r' }), 'config-sync')).toEqual([`${must} http, https, ssh or git, got '/srv/r'`])
})

test('an address that is missing, holds a password or a control character is refused with one fault', () => {
  expect(faults(ofGit({}))).toEqual([expect.stringContaining('`spec.git.repo` must be set')])
  const secret = sourceFaults(ofGit({ repo: 'https://u:pw@h/r.git' }), deploymentSource(ofGit({ repo: 'https://u:pw@h/r.git' })), 'flux')
  expect(secret.map(({ message }) => message)).toEqual([expect.stringContaining('must not hold a password, token or query')])
  expect(JSON.stringify(secret)).not.toContain('pw@')
  expect(faults(ofGit({ repo: 'https://h/r\u0007.git' }))).toEqual(['`spec.git.repo` must not contain a control character'])
})

test('a directory outside of the repository is refused, the repository itself and a folder below it are not', () => {
  const at = (directory: string) => faults(ofGit({ repo: 'https://h/r.git', directory }))
  expect(at('../x')).toEqual([expect.stringMatching(/`spec\.git\.directory` .*, got '\.\.\/x'/)])
  for (const directory of ['', '.', '/', './a/', '/a/b']) expect(at(directory)).toEqual([])
})

test.each([
  ['/a/b/', 'a/b'],
  ['./a', 'a'],
  ['.//a//', 'a'],
  ['.', ''],
  ['./', ''],
  ['/', ''],
  ['.a', '.a'],
  ['a/./b', 'a/./b'],
])('the path %j without slashes at its ends is %j', (path, expected) => {
  expect(withoutSlashes(path)).toBe(expected)
})

test.each([
  ['registry.example.com/fleet', true],
  ['registry.example.com:5000/fleet/ham-01', true],
  ['registry.example.com', false],
  ['registry.example.com/Fleet', false],
  ['registry.example.com/fleet:v1', false],
])('whether %j is the address of an artifact: %j', (registry, isAccepted) => {
  expect(faults(repositoryOf({ type: 'oci', oci: { registry } }))).toHaveLength(isAccepted ? 0 : 1)
})

test('an artifact needs an address, and Config Sync alone takes no Secret for one', () => {
  expect(faults(repositoryOf({ type: 'oci' }))).toEqual([expect.stringMatching(/`spec\.oci\.registry` must be set; it must be HOST\/PATH/)])
  const withSecret = repositoryOf({ type: 'oci', oci: { registry: 'r.example.com/fleet', secretRef: { name: 's' } } })
  expect(faults(withSecret, 'flux')).toEqual([])
  expect(faults(withSecret, 'config-sync')).toEqual([expect.stringContaining('`spec.oci.secretRef` must not be set')])
})

test.each<[string, SyncSystem, string | undefined, number]>([
  ['git@h:r.git', 'flux', undefined, 1],
  ['ssh://git@h/r.git', 'config-sync', undefined, 1],
  ['git@h:r.git', 'flux', 's', 0],
  ['git@h:r.git', 'argocd', undefined, 0],
  ['https://h/r.git', 'flux', undefined, 0],
])('%j read by %s with the Secret %j has so many warnings about a key: %j', (url, system, secret, count) => {
  expect(missingSecret(ofGit({ repo: url }), { url, secret }, system).map(({ severity }) => severity)).toEqual(Array(count).fill('warning'))
})

test('the downstream of a variant that is no Repository is named at the variant, or at the target that gives it, with the nearest name', () => {
  const flux = { system: 'flux' } as const
  expect(syncOf([gitRepositoryOf('store'), variantOf('stor', 'dns')], flux).results).toEqual([
    expect.stringMatching(
      /^fleet\/stor-dns\.yaml:1:\d+: error: `spec\.downstream\.repo` must be a Repository in namespace 'default', got 'stor'; did you mean 'store'\? \[sync-repository\]$/,
    ),
  ])
  const set = {
    apiVersion: 'config.porch.kpt.dev/v1alpha2',
    kind: 'PackageVariantSet',
    metadata: { name: 'fleet' },
    spec: { upstream: { repo: 'catalog', package: 'app', revision: 2 }, targets: [{ repositories: [{ name: 'stor' }] }] },
  }
  const { results } = syncOf([gitRepositoryOf('store'), set], flux)
  expect(results).toEqual([
    expect.stringMatching(/`spec\.targets\[0\].* must be a Repository in namespace 'default', got 'stor', the downstream of variant '/),
  ])
})
