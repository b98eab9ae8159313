import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { fluxFolders, isFluxKustomization, isInKustomization } from './flux-clusters.ts'

function kustomization(path: string, name: string, spec: JsonRecord): KrmObject {
  const object = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace: 'flux-system' },
    spec: { sourceRef: { kind: 'GitRepository', name: 'flux-system' }, ...spec },
  }
  return KrmObject.fromDocument(JSON.stringify(object), { path, index: 0, line: 1 })
}

/** Returns what `flux bootstrap` writes for a cluster. */
function bootstrap(cluster: string): readonly KrmObject[] {
  const path = `clusters/${cluster}/flux-system/gotk-sync.yaml`
  const source = { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', metadata: { name: 'flux-system' } }
  return [
    KrmObject.fromDocument(JSON.stringify(source), { path, index: 0, line: 1 }),
    kustomization(path, 'flux-system', { path: `./clusters/${cluster}` }),
  ]
}

interface Given {
  readonly tree?: string
  readonly converted?: readonly string[]
  readonly bases?: Readonly<Record<string, readonly string[]>>
}

/** Returns the parts of each cluster, and the notes, of a repository with kustomizations in the given folders. */
function read(objects: readonly KrmObject[], folders: readonly string[], { tree = '', converted = [], bases = {} }: Given = {}) {
  const found = fluxFolders({
    objects,
    tree,
    bases: new Map(folders.map((path) => [path, bases[path] ?? []])),
    converted: new Set(converted),
    placeOf: (_, field) => field.join('.'),
  })
  return {
    clusters: Object.fromEntries(found.folders.map(({ path, parts }) => [path, parts.map((each) => each.path)])),
    notes: found.notes.map((line) => /^([\w.]*): Kustomization flux-system\/[\w-]+ (.*)$/.exec(line)?.slice(1)),
  }
}

test('Kustomizations below the path of a bootstrapped cluster deploy into it, whatever folder they are in', () => {
  const objects = [
    ...bootstrap('prod'),
    ...bootstrap('test'),
    kustomization('clusters/prod/apps.yaml', 'apps', { path: './apps/prod' }),
    kustomization('clusters/prod/infra/dns.yaml', 'dns', { path: 'dns/' }),
    kustomization('clusters/test/apps.yaml', 'apps', { path: './apps/test' }),
  ]
  const folders = ['apps/prod', 'apps/test', 'dns', 'clusters/prod/flux-system']
  const clusters = { 'clusters/prod': ['apps/prod', 'dns'], 'clusters/test': ['apps/test'] }
  expect(read(objects, folders)).toEqual({ clusters, notes: [] })
})

test('without a bootstrapped cluster the folder of the file is the cluster, also outside of the tree', () => {
  const objects = [kustomization('hub/eu/apps.yaml', 'apps', { path: './deploy/apps/prod' })]
  expect(read(objects, ['deploy/apps/prod'], { tree: 'deploy' })).toEqual({ clusters: { 'hub/eu': ['deploy/apps/prod'] }, notes: [] })
})

test('a Kustomization that has nothing to do with the tree is not mentioned', () => {
  const objects = [kustomization('clusters/prod/apps.yaml', 'apps', { path: './other', images: [] })]
  expect(read(objects, ['deploy/apps/prod'], { tree: 'deploy' })).toEqual({ clusters: {}, notes: [] })
})

test.each([
  ['kubeConfig', { path: 'apps', kubeConfig: { secretRef: { name: 'eu' } } }, 'spec.kubeConfig', 'is another cluster'],
  ['another source', { path: 'apps', sourceRef: { kind: 'GitRepository', name: 'other' } }, 'spec.sourceRef', 'is not followed: its'],
  [
    'a path without a kustomization',
    { path: './plain' },
    'spec.path',
    "is not followed: its `spec.path` 'plain' has no kustomization.yaml",
  ],
] as const)('a Kustomization with %s is no part of its cluster', (_, spec, field, text) => {
  const { clusters, notes } = read([...bootstrap('prod'), kustomization('clusters/prod/apps.yaml', 'apps', spec)], ['apps'])
  expect({ clusters, notes }).toEqual({ clusters: {}, notes: [[field, expect.stringContaining(text)]] })
})

test('a Kustomization that a kustomization may list, and one of an overlay that is a cluster already, are no parts', () => {
  const objects = [...bootstrap('prod'), kustomization('clusters/prod/team/sync.yaml', 'team', { path: './apps' })]
  expect(read(objects, ['apps', 'clusters/prod/team']).notes).toEqual([['', expect.stringContaining('stays an object for Flux')]])
  const apps = kustomization('clusters/prod/apps.yaml', 'apps', { path: './apps' })
  expect(read([...bootstrap('prod'), apps], ['apps'], { converted: ['apps'] })).toEqual({
    clusters: {},
    notes: [['spec.path', expect.stringContaining('convert into a new folder')]],
  })
})

test('two Kustomizations of a cluster with one base are no parts', () => {
  const apps = ['eu', 'us'].map((name) => kustomization(`clusters/prod/${name}.yaml`, name, { path: `./apps/${name}` }))
  const bases = { 'apps/eu': ['apps/base'], 'apps/us': ['apps/base'] }
  const { clusters, notes } = read([...bootstrap('prod'), ...apps], ['apps/eu', 'apps/us', 'apps/base'], { bases })
  expect({ clusters, notes }).toEqual({
    clusters: {},
    notes: [
      ['spec.path', 'is not followed: Kustomization flux-system/us deploys the same base, and a cluster has each package once'],
      ['spec.path', 'is not followed: Kustomization flux-system/eu deploys the same base, and a cluster has each package once'],
    ],
  })
})

test('a Kustomization that is not followed names what is not carried over with it', () => {
  const spec = { path: './plain', targetNamespace: 'web', postBuild: { substitute: { a: 'b' } }, images: [] }
  const { notes } = read([...bootstrap('prod'), kustomization('clusters/prod/apps.yaml', 'apps', spec)], [])
  expect(notes.map((note) => note?.[1])).toEqual([
    "is not followed: its `spec.path` 'plain' has no kustomization.yaml in the tree; not carried over: `spec.targetNamespace`, `spec.postBuild.substitute`, `spec.images`",
  ])
})

test('a Kustomization with a source of its own beside it deploys another repository', () => {
  const [source] = bootstrap('prod')
  const own = kustomization('clusters/prod/flux-system/gotk-sync.yaml', 'other', { path: './apps' })
  const whole = kustomization('teams/a.yaml', 'whole', { path: './' })
  expect(
    read(
      [source, own, whole].flatMap((each) => each ?? []),
      ['apps'],
    ),
  ).toEqual({
    clusters: {},
    notes: [
      ['spec.sourceRef', 'is not followed: its `spec.sourceRef` is not the repository of the tree'],
      ['spec.sourceRef', 'is not followed: its `spec.sourceRef` is not the repository of the tree'],
    ],
  })
})

test('each field that changes objects and is not followed is named, also of the Kustomization of the cluster itself', () => {
  const spec = {
    path: 'apps',
    targetNamespace: 'web',
    images: [{ name: 'a' }],
    postBuild: { substituteFrom: [{ kind: 'Secret', name: 's' }] },
  }
  const [source, sync] = bootstrap('prod')
  sync?.set(['spec', 'patches'], [{ patch: 'a: b' }])
  const { clusters, notes } = read(
    [...[source, sync].flatMap((each) => each ?? []), kustomization('clusters/prod/apps.yaml', 'apps', spec)],
    ['apps'],
  )
  expect(clusters).toEqual({ 'clusters/prod': ['apps'] })
  expect(notes.map((note) => note?.[0])).toEqual(['spec.patches', 'spec.images', 'spec.postBuild.substituteFrom'])
})

test.each<[string, string, string | undefined, Readonly<Record<string, readonly string[]>>, boolean]>([
  ['a folder without a kustomization', 'apps/web', undefined, {}, false],
  ['a folder with one', 'apps/web', undefined, { 'apps/web': [] }, true],
  ['a folder below one', 'apps/web/deep', undefined, { apps: [] }, true],
  ['a folder of a repository with one at its top', 'apps/web', undefined, { '': [] }, true],
  ['a folder beside one', 'apps/web', undefined, { 'apps/db': [] }, false],
  ['the folder of a cluster that lists its files', 'clusters/prod', 'clusters/prod', { 'clusters/prod': [] }, false],
  ['the folder of a cluster that is an overlay', 'clusters/prod', 'clusters/prod', { 'clusters/prod': ['base'] }, true],
  ['the folder of a cluster below one', 'clusters/prod', 'clusters/prod', { clusters: [] }, false],
  ['a folder below that of a cluster', 'clusters/prod/flux', 'clusters/prod', { 'clusters/prod': [] }, false],
  ['a folder below an overlay of a cluster', 'clusters/prod/flux', 'clusters/prod', { 'clusters/prod': ['base'] }, true],
])('the files of %s are in a kustomization or not', (_, folder, cluster, bases, isIn) => {
  expect(isInKustomization(folder, cluster, new Map(Object.entries(bases)))).toBe(isIn)
})

test.each([
  ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', true],
  ['kustomize.toolkit.fluxcd.io/v1beta2', 'Kustomization', true],
  ['kustomize.config.k8s.io/v1beta1', 'Kustomization', false],
  ['kustomize.toolkit.fluxcd.io/v1', 'Other', false],
])('an object of %s and the kind %s is a Kustomization of Flux or not', (apiVersion, kind, isFlux) => {
  expect(isFluxKustomization(KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata: { name: 'a' } })))).toBe(isFlux)
})
