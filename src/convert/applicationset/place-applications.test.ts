import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { GeneratedApplication } from './expand-set.ts'
import type { ArgoCluster } from './generators.ts'
import { destinationOf, keptFields, placeApplications } from './place-applications.ts'

const set = KrmObject.fromDocument('kind: ApplicationSet\n')

function applicationOf(name: string, destination: JsonRecord, spec: JsonRecord = {}, metadata: JsonRecord = {}): GeneratedApplication {
  const fault = () => {
    throw new Error('no fault expected')
  }
  return {
    set,
    name,
    metadata: { name, ...metadata },
    spec: { source: { repoURL: 'https://git.example.com/a' }, destination, ...spec },
    fault,
  }
}

const CLUSTERS: readonly ArgoCluster[] = [
  {
    name: 'Prod_1',
    server: 'https://prod.example.com',
    project: '',
    labels: new Map([
      ['env', 'prod'],
      ['cluster', 'own'],
      ['argocd.argoproj.io/secret-type', 'cluster'],
      ['bad key', 'x'],
      ['bad', 'no label value!'],
    ]),
    annotations: new Map(),
  },
]

/** An Application: its name, its destination, its folder and its base. */
type Sourced = readonly [name: string, destination: JsonRecord, path: string, base?: string | undefined]

/** Returns the places of Applications. */
function placed(...all: readonly Sourced[]) {
  const sourced = all.map(([name, destination, path, base = path]) => ({ application: applicationOf(name, destination), path, base }))
  return placeApplications(sourced, CLUSTERS, (target) => ({ target, env: 'default' })).map(({ overlay }) => overlay)
}

const targets = (...all: readonly Sourced[]) => placed(...all).map(({ target }) => target)
const prod = { name: 'Prod_1' }

test('an Application has its place by the cluster of its destination', () => {
  expect(placed(['web', prod, 'apps/web'])).toEqual([
    {
      path: 'web',
      id: 'web',
      target: 'prod-1',
      folder: 'prod-1/apps/web',
      packagePath: 'apps/web',
      labels: { target: 'prod-1', env: 'prod' },
      git: { repo: 'https://git.example.com/a', branch: 'clusters/prod-1' },
      bases: ['apps/web'],
    },
  ])
})

test.each<[string, JsonRecord, string]>([
  ['its name', { name: 'Prod_1' }, 'prod-1'],
  ['its server', { server: 'https://prod.example.com' }, 'prod-1'],
  ['the local server', { server: 'https://kubernetes.default.svc' }, 'in-cluster'],
  ['the local name', { name: 'in-cluster' }, 'in-cluster'],
  ['a server that no Secret has', { server: 'https://Far.example.com:6443' }, 'far-example-com'],
  ['a server without TLS', { server: 'http://far:80' }, 'far'],
  ['a name without letters', { name: '___' }, 'cluster'],
  ['a name of more than 50 letters', { name: `${'x'.repeat(49)}-y` }, 'x'.repeat(49)],
])('a cluster is called by %s', (_, destination, target) => {
  expect(targets(['web', destination, 'web'])).toEqual([target])
})

test('two clusters of one name get two, and one cluster keeps its own', () => {
  expect(targets(['a', { name: 'x.y' }, 'a'], ['b', { name: 'x-y' }, 'b'], ['c', { name: 'x.y' }, 'c'])).toEqual(['x-y', 'x-y-2', 'x-y'])
})

test.each<[string, readonly [string, string?][], readonly string[]]>([
  ['two folders of two packages share the cluster', [['web'], ['dns']], ['prod-1', 'prod-1']],
  ['folders of one beginning share the cluster', [['web'], ['web2']], ['prod-1', 'prod-1']],
  [
    'one folder twice',
    [
      ['web', 'x'],
      ['web', 'y'],
    ],
    ['one', 'two'],
  ],
  [
    'one package twice',
    [
      ['web', 'x'],
      ['dns', 'x'],
    ],
    ['one', 'two'],
  ],
  [
    'a folder in another one',
    [
      ['web', 'x'],
      ['web/sub', 'y'],
    ],
    ['one', 'two'],
  ],
  [
    'a folder around another one',
    [
      ['web/sub', 'x'],
      ['web', 'y'],
    ],
    ['one', 'two'],
  ],
  ['the third beside two of one folder', [['web', 'x'], ['web', 'y'], ['dns']], ['one', 'two', 'prod-1']],
])('Applications of one cluster: %s', (_, paths, expected) => {
  const names = ['one', 'two', 'three']
  expect(targets(...paths.map(([path, base], at) => [names[at] ?? '', prod, path, base] as const))).toEqual(expected)
})

test('Applications of one folder on two clusters stay with their clusters', () => {
  expect(targets(['one', prod, 'web'], ['two', { name: 'other' }, 'web'])).toEqual(['prod-1', 'other'])
})

test('an Application with a Repository of its own does not take the name of a cluster', () => {
  expect(targets(['prod-1', prod, 'web'], ['b', prod, 'web'])).toEqual(['prod-1-2', 'b'])
})

test('a destination is the server, or else the name', () => {
  expect(destinationOf(applicationOf('a', { server: 's', name: 'n', namespace: 'ns' }))).toEqual({ text: 's', namespace: 'ns' })
  expect(destinationOf(applicationOf('a', { server: '', name: 'n' }))).toEqual({ text: 'n', namespace: '' })
})

test('of an Application, the fields with values are kept, but for its source and name', () => {
  const spec = { project: 'p', syncPolicy: {}, ignoreDifferences: [], info: null, revisionHistoryLimit: 0, other: 'x' }
  const metadata = { labels: { a: 'b' }, annotations: {}, finalizers: ['f'], namespace: 'argocd' }
  expect(keptFields(applicationOf('a', prod, spec, metadata))).toEqual({
    metadata: { labels: { a: 'b' }, finalizers: ['f'] },
    spec: { project: 'p', destination: prod, revisionHistoryLimit: 0 },
  })
  expect(keptFields(applicationOf('a', prod, { project: '' })).spec).toEqual({ destination: prod })
})
