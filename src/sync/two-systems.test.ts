import { expect, test } from 'vitest'
import { resourceListOf } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { gitRepositoryOf, resourceOf, syncOf, variantOf } from './testing/sync-of-objects.ts'
import { twoSystems } from './two-systems.ts'

const fleet = ['one', 'two'].flatMap((name) => [gitRepositoryOf(name, { directory: 'packages' }), variantOf(name, 'net')])
const made = (system: 'flux' | 'argocd' | 'config-sync') => syncOf(fleet, { system }).objects

const findings = (objects: readonly JsonRecord[]) => twoSystems(resourceListOf(objects).items).map(formatResult)

test('folders that two systems deploy are one warning for each two systems', () => {
  expect(findings([...made('flux'), ...made('argocd')]).map((line) => line.replace(/^\S+ /, ''))).toEqual([
    "warning: two systems deploy 2 folders, the first is 'packages/net': flux and argocd take the objects in the cluster from each other; `krm-variants sync DIR --leave flux`, or --leave argocd, takes one of the two away in two commits, and deletes nothing in a cluster [sync-two-systems]",
  ])
  expect(findings([...made('flux'), ...made('config-sync')])).toHaveLength(1)
  expect(findings([...made('flux'), ...made('argocd'), ...made('config-sync')])).toHaveLength(1)
})

test('one system, other folders, and a Kustomization without its source are no warning', () => {
  expect(findings(made('flux'))).toEqual([])
  const elsewhere = JSON.parse(JSON.stringify(made('argocd')).replaceAll('packages/net', 'packages/app'))
  expect(findings([...made('flux'), ...elsewhere])).toEqual([])
  expect(findings([...made('flux').filter(({ kind }) => kind === 'Kustomization'), ...made('argocd')])).toEqual([])
})

const URL = 'https://git.example.com/fleet.git'

/** Returns an object of Flux that deploys a folder, with the source of the object. */
function fluxOf(path: string, ref: JsonRecord = { branch: 'main' }, { kind = 'GitRepository', url = URL } = {}): readonly JsonRecord[] {
  const spec = { path, sourceRef: { kind, name: 'fleet' } }
  return [
    { ...resourceOf(kind, 'fleet', 'flux-system', 'source.toolkit.fluxcd.io/v1'), spec: { url, ref } },
    { ...resourceOf('Kustomization', 'net', 'flux-system', 'kustomize.toolkit.fluxcd.io/v1'), spec },
  ]
}

const applicationOf = (source: JsonRecord): JsonRecord => ({
  ...resourceOf('Application', 'net', 'argocd', 'argoproj.io/v1alpha1'),
  spec: { source: { repoURL: URL, targetRevision: 'main', path: 'net', ...source } },
})

const setOf = (...elements: readonly JsonRecord[]): JsonRecord => ({
  ...resourceOf('ApplicationSet', 'net', 'argocd', 'argoproj.io/v1alpha1'),
  spec: { generators: [{ git: {} }, { list: { elements } }] },
})

const rootSyncOf = (spec: JsonRecord, kind = 'RootSync'): JsonRecord => ({
  ...resourceOf(kind, 'net', 'config-management-system', 'configsync.gke.io/v1beta1'),
  spec,
})

const git = (fields: JsonRecord) => rootSyncOf({ git: { repo: URL, branch: 'main', dir: 'net', ...fields } })

const REGISTRY = { kind: 'OCIRepository', url: 'oci://r.example.com:5000/fleet' }

test.each<readonly [string, readonly JsonRecord[], boolean]>([
  ['a folder with and without slashes', [...fluxOf('./net/'), applicationOf({ path: '/net' })], true],
  ['the top of a repository', [...fluxOf('./'), applicationOf({ path: '.' })], true],
  ['the folder above', [...fluxOf('./net'), applicationOf({ path: 'net/sub' })], false],
  ['another branch', [...fluxOf('./net'), applicationOf({ targetRevision: 'next' })], false],
  ['a tag', [...fluxOf('./net', { branch: 'main', tag: 'v1' }), applicationOf({ targetRevision: 'v1' })], true],
  ['the branch beside a tag', [...fluxOf('./net', { branch: 'main', tag: 'v1' }), applicationOf({})], false],
  ['an address without .git', [...fluxOf('./net'), applicationOf({ repoURL: URL.replace('.git', '/') })], true],
  [
    'the same host by SSH',
    [...fluxOf('./net', {}, { url: 'ssh://git@g.io/a.git' }), applicationOf({ repoURL: 'git@g.io:a', targetRevision: '' })],
    true,
  ],
  ['another repository', [...fluxOf('./net'), applicationOf({ repoURL: 'https://git.example.com/other' })], false],
  ['an Application without an address', [...fluxOf('./net', {}, { url: '' }), applicationOf({ repoURL: '' })], false],
  [
    'an element of an ApplicationSet',
    [...fluxOf('./net'), setOf({ url: URL, branch: 'main', path: 'a' }, { url: URL, branch: 'main', path: 'net' })],
    true,
  ],
  ['no element of an ApplicationSet', [...fluxOf('./net'), setOf({ url: URL, branch: 'main', path: 'a' })], false],
  ['a RootSync of a branch', [...fluxOf('./net'), git({})], true],
  ['a RootSync of a revision', [...fluxOf('./net', { tag: 'v1' }), git({ revision: 'v1' })], true],
  ['a RepoSync', [...fluxOf('./net'), rootSyncOf({ git: { repo: URL, branch: 'main', dir: 'net' } }, 'RepoSync')], true],
  [
    'an artifact with its tag',
    [...fluxOf('net', { tag: 'v1' }, REGISTRY), rootSyncOf({ oci: { image: 'r.example.com:5000/fleet:v1', dir: 'net' } })],
    true,
  ],
  [
    'an artifact of another tag',
    [...fluxOf('net', { tag: 'v1' }, REGISTRY), rootSyncOf({ oci: { image: 'r.example.com:5000/fleet:v2', dir: 'net' } })],
    false,
  ],
  [
    'an artifact without a tag',
    [...fluxOf('net', {}, REGISTRY), rootSyncOf({ oci: { image: 'r.example.com:5000/fleet', dir: 'net' } })],
    true,
  ],
  ['an object that deploys nothing', [...fluxOf('./net'), applicationOf({}), resourceOf('ConfigMap', 'net')], true],
])('two systems deploy one folder: %s', (_what, objects, isOne) => {
  expect(findings(objects)).toHaveLength(isOne ? 1 : 0)
})

test('the source of a Kustomization is that of its kind, namespace and name', () => {
  const [source = {}, kustomization = {}] = fluxOf('./net')
  const moved = { ...source, metadata: { name: 'fleet', namespace: 'sources' } }
  const reading = (sourceRef: JsonRecord) => ({
    ...kustomization,
    spec: { path: './net', sourceRef: { kind: 'GitRepository', name: 'fleet', ...sourceRef } },
  })
  const found = (...objects: readonly JsonRecord[]) => findings([...objects, applicationOf({})]).length
  expect(found(source, reading({}))).toBe(1)
  expect(found(moved, reading({ namespace: 'sources' }))).toBe(1)
  expect(found(moved, reading({}))).toBe(0)
  expect(found(source, reading({ kind: 'OCIRepository' }))).toBe(0)
  expect(found(source, reading({ name: 'other' }))).toBe(0)
})

test('one folder is named, the top as a dot, at the object that was there before the run', () => {
  const [first, second] = ['./net', './'].map((path) => [...fluxOf(path), applicationOf({ path })])
  const said = "two systems deploy one folder, 'net': flux and argocd take the objects in the cluster from each other"
  expect(findings(first ?? [])).toEqual([expect.stringContaining(said)])
  expect(findings(second ?? [])).toEqual([expect.stringContaining("one folder, '.': flux and argocd")])
  const { items } = resourceListOf(first ?? [])
  const [, kustomization, application] = items
  const at = (...objects: readonly (KrmObject | undefined)[]) =>
    twoSystems(items, new Set(objects.flatMap((each) => each ?? []))).map(({ resourceRef }) => resourceRef?.kind)
  expect(at()).toEqual(['Application'])
  expect(at(application)).toEqual(['Kustomization'])
  expect(at(kustomization)).toEqual(['Application'])
})

test('a folder that three objects of two systems deploy is one folder', () => {
  const objects = [...fluxOf('./net'), { ...fluxOf('./net')[1], metadata: { name: 'again', namespace: 'flux-system' } }, applicationOf({})]
  expect(findings(objects)).toEqual([expect.stringContaining("one folder, 'net': flux and argocd")])
})
