import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { earlyRemovals, neededObjects, removalFaults } from './removals.ts'

const objectOf = (value: JsonRecord) => KrmObject.fromDocument(JSON.stringify(value))

const kustomization = (name: string, spec: JsonRecord = {}, namespace = 'flux-system'): JsonRecord => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name, namespace },
  spec: { prune: false, ...spec },
})
const source = (name: string, namespace = 'flux-system'): JsonRecord => ({
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'GitRepository',
  metadata: { name, namespace },
})

/** Returns the objects that others need, each with these. */
function needed(goes: readonly JsonRecord[], ...stays: readonly JsonRecord[]): readonly string[] {
  return neededObjects(goes.map(objectOf), stays).map(({ object, users }) => `${object.name}: ${users.join(', ')}`)
}

test('a source is needed by what reads from it, and a Kustomization by what depends on it', () => {
  const user = kustomization('app', { sourceRef: { kind: 'GitRepository', name: 'fleet' }, dependsOn: [{ name: 'base' }] })
  expect(needed([source('fleet'), source('other'), kustomization('base')], user)).toEqual([
    "fleet: Kustomization 'app'",
    "base: Kustomization 'app'",
  ])
})

test('the source of a chart is needed by the HelmRelease that installs the chart', () => {
  const chart = { ...source('web'), kind: 'HelmChart' }
  const release = (spec: JsonRecord): JsonRecord => ({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'app', namespace: 'flux-system' },
    spec,
  })
  expect(needed([chart, source('fleet')], release({ chartRef: { kind: 'HelmChart', name: 'web' } }))).toEqual(["web: HelmRelease 'app'"])
  expect(needed([chart, source('fleet')], release({ chart: { spec: { sourceRef: { kind: 'GitRepository', name: 'fleet' } } } }))).toEqual([
    "fleet: HelmRelease 'app'",
  ])
})

test('a reference without a namespace is one of the own namespace, any other names its own', () => {
  const reading = (sourceRef: JsonRecord) => kustomization('app', { sourceRef: { kind: 'GitRepository', name: 'fleet', ...sourceRef } })
  expect(needed([source('fleet', 'other')], reading({}))).toEqual([])
  expect(needed([source('fleet', 'other')], reading({ namespace: 'other' }))).toEqual(["fleet: Kustomization 'app'"])
  expect(needed([source('fleet')], reading({ namespace: 'other' }))).toEqual([])
})

test('objects of another system need nothing', () => {
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'app' },
    spec: { sourceRef: { kind: 'GitRepository', name: 'fleet' } },
  }
  expect(needed([source('fleet')], application)).toEqual([])
})

/** Returns the message about objects that are removed, while the last commit has them in some state. */
function early(removed: readonly JsonRecord[], ...committed: readonly JsonRecord[]): string | undefined {
  return earlyRemovals(removed.map(objectOf), committed.map(objectOf))[0]?.message
}

test.each<[string, JsonRecord, RegExp]>([
  ['that prunes', kustomization('app', { prune: true }), /with `prune: true`/],
  ['whose policy deletes', kustomization('app', { deletionPolicy: 'Delete' }), /with `deletionPolicy: Delete`/],
])('an object %s in the last commit must not be removed yet', (_, committed, words) => {
  expect(early([kustomization('app')], committed)).toMatch(words)
})

test('an object that deletes nothing in the last commit, or that the commit does not have, may be removed', () => {
  expect(early([kustomization('app')], kustomization('app'))).toBeUndefined()
  expect(early([kustomization('app')], kustomization('app', { prune: true, deletionPolicy: 'Orphan' }))).toBeUndefined()
  expect(early([kustomization('app')])).toBeUndefined()
  expect(
    early([kustomization('app')], kustomization('app', { prune: true }, 'other'), kustomization('web', { prune: true })),
  ).toBeUndefined()
})

test('all objects that are removed too early are counted in one error', () => {
  const names = ['a', 'b', 'c']
  expect(
    early(
      names.map((name) => kustomization(name)),
      ...names.map((name) => kustomization(name, { prune: true })),
    ),
  ).toContain('as for 2 other objects')
})

test('a name of an object that is needed is an error, one of no object that is left a warning', () => {
  const config = objectOf({
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'GenerateSync',
    metadata: { name: 's' },
    spec: { remove: ['fleet', 'flet', 'app'] },
  })
  const app = kustomization('app', { sourceRef: { kind: 'GitRepository', name: 'fleet' } })
  const options = {
    config,
    name: 's',
    system: 'flux' as const,
    per: 'package' as const,
    namespace: 'flux-system',
    expressions: new Map(),
    dependsOn: new Map(),
    wait: true,
    syncOptions: [],
    prune: true,
    remove: new Set(['fleet', 'flet', 'app']),
  }
  const scene = { left: [objectOf(source('fleet'))], wanted: new Set(['app']), values: new Map([[objectOf(app), app]]) }
  expect(removalFaults(scene, options).map(({ severity, tags, message }) => `${severity} ${tags.rule}: ${message}`)).toEqual([
    "error sync-needed: `spec.remove[0]` must not name GitRepository 'fleet' without what needs it: Kustomization 'app'",
    expect.stringMatching(/^warning sync-remove: .*; got 'flet'; did you mean 'fleet'\?$/),
    expect.stringMatching(/^warning sync-remove: .*; got 'app', which the fleet needs$/),
  ])
})

test('of a removed object the last commit has each field with which its controller deletes', () => {
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'a' },
    spec: { syncPolicy: { automated: { prune: true } } },
  }
  const set = { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 'a' }, spec: {} }
  const annotations = { 'configsync.gke.io/deletion-propagation-policy': 'Foreground' }
  const root = { apiVersion: 'configsync.gke.io/v1beta1', kind: 'RootSync', metadata: { name: 'a', annotations }, spec: {} }
  expect(early([set], set)).toContain('the last commit has it without `preserveResourcesOnDeletion`, ')
  for (const object of [application, root])
    expect(early([object], object)).toContain('has it with a finalizer, an annotation or `prune: true`, ')
  expect(early([kustomization('app')], kustomization('app', { deletionPolicy: 'WaitForTermination' }))).toContain(
    'it with `deletionPolicy: WaitForTermination`',
  )
})

test('of two objects of one identity in the last commit the first counts, whatever its version', () => {
  const older = { ...kustomization('app', { prune: true }), apiVersion: 'kustomize.toolkit.fluxcd.io/v1beta2' }
  expect(early([kustomization('app')], older, kustomization('app'))).toContain('must not be removed yet: ')
  expect(early([kustomization('app')], kustomization('app'), older)).toBeUndefined()
})

test('the error about early removals is at the first object that is early, as an error of its name', () => {
  const [result] = earlyRemovals([kustomization('a'), kustomization('b')].map(objectOf), [objectOf(kustomization('b', { prune: true }))])
  expect(result).toMatchObject({
    severity: 'error',
    resourceRef: { name: 'b' },
    field: { path: ['metadata', 'name'] },
    tags: { rule: 'sync-removal-early' },
  })
})

test('an object is needed by each object that names it, of any kind of Flux, and an object of another system by none', () => {
  const reads = (name: string) => kustomization(name, { sourceRef: { kind: 'GitRepository', name: 'fleet' } })
  expect(needed([source('fleet')], reads('a'), reads('b'))).toEqual(["fleet: Kustomization 'a', Kustomization 'b'"])
  const foreign = { ...source('fleet'), apiVersion: 'git.example.com/v1' }
  expect(needed([foreign], reads('a'))).toEqual([])
  const release = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'base', namespace: 'flux-system' },
    spec: { dependsOn: [{ name: 'base' }] },
  }
  expect(needed([kustomization('base')], release)).toEqual([])
  expect(
    needed(
      [kustomization('base'), kustomization('base', {}, 'other')],
      kustomization('a', { dependsOn: [{ name: 'base', namespace: 'other' }] }),
    ),
  ).toEqual(["base: Kustomization 'a'"])
})
