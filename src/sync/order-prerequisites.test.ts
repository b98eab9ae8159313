import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Deployment, SyncOptions } from './options.ts'
import { orderPrerequisites } from './order-prerequisites.ts'

const config = KrmObject.fromDocument('{"kind":"GenerateSync","metadata":{"name":"s"}}', { path: 'sync.yaml', index: 0, line: 1 })
const deployment = (name: string, fields: Partial<Deployment>): Deployment => ({
  name,
  set: '',
  repository: name,
  repositoryObject: config,
  packageName: 'dns',
  isBuilt: false,
  contents: [],
  url: 'https://h/fleet.git',
  isOci: false,
  branch: 'main',
  tag: undefined,
  folder: name,
  secret: undefined,
  project: undefined,
  destination: undefined,
  targetNamespace: undefined,
  wave: 0,
  waitsFor: [],
  ...fields,
})

function prerequisites(
  deployments: readonly Deployment[],
  options: Pick<SyncOptions, 'system'> & Partial<SyncOptions>,
  items: readonly KrmObject[] = [],
): readonly string[] {
  const all: SyncOptions = {
    config,
    name: 's',
    per: 'package',
    namespace: 'argo',
    expressions: new Map(),
    dependsOn: new Map(),
    wait: true,
    syncOptions: [],
    prune: true,
    remove: new Set(),
    ...options,
  }
  return orderPrerequisites(deployments, all, items).map(({ severity, message }) => `${severity}: ${message}`)
}

const WAVES = [deployment('a', {}), deployment('b', { wave: 1 })]

test('several waves of Argo CD need the health of Applications, or progressive syncs for ApplicationSets', () => {
  expect(prerequisites(WAVES, { system: 'argocd' })).toEqual([
    expect.stringMatching(/^info: .*kubectl patch configmap argocd-cm --namespace argo .*resource\.customizations\.health/),
  ])
  expect(prerequisites(WAVES, { system: 'argocd', per: 'set' })).toEqual([
    expect.stringMatching(/^info: .*kubectl patch configmap argocd-cmd-params-cm --namespace argo .*progressive\.syncs/),
  ])
})

test('one wave needs nothing, whichever it is, nor do the waves of Config Sync', () => {
  expect(prerequisites([deployment('a', { wave: 2 }), deployment('b', { wave: 2 })], { system: 'argocd' })).toEqual([])
  expect(prerequisites(WAVES, { system: 'config-sync' })).toEqual([])
})

const OTHER = { url: 'https://h/other.git' }
const DEFINITION = KrmObject.fromDocument(
  JSON.stringify({ kind: 'CustomResourceDefinition', metadata: { name: 'kustomizations.kustomize.toolkit.fluxcd.io' }, spec: {} }),
)

test.each<[string, Partial<Deployment>, Partial<Deployment>, boolean]>([
  ['in one git repository', {}, { waitsFor: ['a'] }, false],
  ['in two git repositories', OTHER, { waitsFor: ['a'] }, true],
  ['in two git repositories, of which none waits', OTHER, {}, false],
  ['that waits for one that is not there', OTHER, { waitsFor: ['c'] }, false],
  ['that waits for the tag of another git repository', { ...OTHER, tag: 'v1' }, { waitsFor: ['a'] }, false],
  ['that waits for a tag that moves', { ...OTHER, tag: 'latest' }, { waitsFor: ['a'] }, true],
])('Flux orders only the first installation of deployments %s: case %#', (_, first, second, isSaid) => {
  const found = prerequisites([deployment('a', first), deployment('b', second)], { system: 'flux' })
  expect(found).toEqual(isSaid ? [expect.stringMatching(/^info: .*orders the first installation only/)] : [])
})

test('a tag orders nothing where the cluster does not know readyExpr', () => {
  const deployments = [deployment('a', { ...OTHER, tag: 'v1' }), deployment('b', { waitsFor: ['a'] })]
  expect(prerequisites(deployments, { system: 'flux' }, [DEFINITION])).toHaveLength(1)
})

test('what waits for another git repository is no concern of Argo CD and Config Sync', () => {
  const deployments = [deployment('a', OTHER), deployment('b', { waitsFor: ['a'] })]
  expect(prerequisites(deployments, { system: 'argocd' })).toEqual([])
  expect(prerequisites(deployments, { system: 'config-sync' })).toEqual([])
})
