import { expect, test } from 'vitest'
import type { Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import { gitRepositoryOf, renderedPackage, resourceOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

const definition = (kind: string): JsonRecord => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.example.com` },
  spec: { group: 'example.com', names: { kind } },
})
const custom = (kind: string) => resourceOf(kind, 'x', '', 'example.com/v1')

/** Returns what each package of one cluster waits for, with the findings. */
function order(
  packages: Readonly<Record<string, readonly JsonRecord[]>>,
  options: Partial<TestOptions> = {},
  more: readonly Written[] = [],
) {
  const all = Object.entries(packages).flatMap(([name, objects]) => [variantOf('r', name), ...renderedPackage('r', name, objects)])
  const { deployments, results } = syncOf([gitRepositoryOf('r'), ...more, ...all], { system: 'flux', ...options })
  return [Object.fromEntries(deployments.map(({ name, wave, waitsFor }) => [name, [wave, ...waitsFor]])), results]
}

test('the definition of a kind comes before its objects, and a Namespace before its contents', () => {
  expect(order({ app: [custom('Cert')], certs: [definition('Cert')] })).toEqual([{ 'r-app': [1, 'r-certs'], 'r-certs': [0] }, []])
  expect(order({ app: [resourceOf('ConfigMap', 'a', 'shop')], base: [resourceOf('Namespace', 'shop')] })[0]).toEqual({
    'r-app': [1, 'r-base'],
    'r-base': [0],
  })
})

test('what depends-on names comes first, and the option adds to what is known', () => {
  const annotations = { 'config.kubernetes.io/depends-on': 'apps/namespaces/shop/Deployment/db' }
  const app = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } }
  const packages = { app: [app], db: [resourceOf('Deployment', 'db', 'shop', 'apps/v1')], log: [resourceOf('ConfigMap', 'l')] }
  expect(order(packages)[0]).toMatchObject({ 'r-app': [1, 'r-db'] })
  expect(order(packages, { dependsOn: { app: ['log'] } })[0]).toMatchObject({ 'r-app': [1, 'r-db', 'r-log'] })
})

const provider = (name: string, version: string): JsonRecord => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: name.startsWith('conf') ? 'Configuration' : 'Provider',
  metadata: { name },
  spec: { package: `xpkg.example.com/acme/${name}:${version}` },
})
const catalog: Written = [
  'fleet/catalog.yaml',
  {
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'Catalog',
    metadata: { name: 'c' },
    spec: {
      packages: [
        {
          ecosystem: 'crossplane',
          id: 'xpkg.example.com/acme/conf',
          kind: 'Configuration',
          versions: [{ version: 'v1.0.0', dependencies: [{ provider: 'xpkg.example.com/acme/sql', version: '>=v1.0.0' }] }],
        },
      ],
    },
  },
]

test('what meets a requirement of a Crossplane package comes before that package, also in a List', () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [provider('sql', 'v1.2.0')] }
  for (const held of [provider('sql', 'v1.2.0'), list]) {
    const found = order({ app: [provider('conf', 'v1.0.0')], base: [held] }, {}, [catalog])
    expect(found).toEqual([{ 'r-app': [1, 'r-base'], 'r-base': [0] }, []])
  }
  const tooOld = order({ app: [provider('conf', 'v1.0.0')], base: [provider('sql', 'v0.9.0')] }, {}, [catalog])
  expect(tooOld[0]).toEqual({ 'r-app': [0], 'r-base': [0] })
})

test('what meets a requirement of a Carvel package comes before that package', () => {
  const version = (name: string, dependencies: readonly JsonRecord[]): JsonRecord => ({
    apiVersion: 'data.packaging.carvel.dev/v1alpha1',
    kind: 'Package',
    metadata: { name: `${name}.example.com.1.0.0`, namespace: 'default' },
    spec: { refName: `${name}.example.com`, version: '1.0.0', dependencies },
  })
  const install = (name: string): JsonRecord => ({
    apiVersion: 'packaging.carvel.dev/v1alpha1',
    kind: 'PackageInstall',
    metadata: { name, namespace: 'default' },
    spec: { packageRef: { refName: `${name}.example.com`, versionSelection: { constraints: '1.0.0' } } },
  })
  const needed = { package: { refName: 'db.example.com', version: '1.0.0' } }
  const packages = {
    app: [install('app')],
    base: [version('app', [needed]), version('db', []), install('db')],
    log: [resourceOf('ConfigMap', 'l')],
  }
  expect(order(packages)[0]).toEqual({ 'r-app': [1, 'r-base'], 'r-base': [0], 'r-log': [0] })
})

test('a package that has the definition itself, and a definition in two packages, order nothing', () => {
  const none = { 'r-app': [0], 'r-certs': [0] }
  expect(order({ app: [custom('Cert')], certs: [custom('Cert')] })[0]).toEqual(none)
  expect(order({ app: [definition('Cert'), custom('Cert')], certs: [definition('Cert')] })[0]).toEqual(none)
})

test('a circle is an error with the objects that make it', () => {
  const [, results] = order({ a: [definition('A'), custom('B')], b: [definition('B'), custom('A')] })
  expect(results).toEqual([
    expect.stringContaining(
      'must not go in a circle: a needs b needs a (b has the definition of B; a has the definition of A): move these objects',
    ),
  ])
})

test('rings order the packages of clusters that one controller deploys', () => {
  const fleet = ['one', 'two'].flatMap((name) => [gitRepositoryOf(name), variantOf(name, 'dns')])
  const ringed = { waveExpr: "repository.name == 'one' ? '0' : '1'" }
  const waits = (expressions: Record<string, string>) =>
    syncOf(fleet, { system: 'flux', expressions }).deployments.map(({ waitsFor }) => waitsFor)
  expect(waits({ ...ringed, destinationExpr: 'repository.name' })).toEqual([[], ['one-dns']])
  expect(waits(ringed)).toEqual([[], []])
})

test.each([
  ['none that is there', '/ConfigMap/none', []],
  ['of the core group', '/namespaces/shop/ConfigMap/log', ['r-log']],
  ['without a namespace', 'apps/Deployment/db', ['r-top']],
  ['several', 'apps/namespaces/shop/Deployment/db,/namespaces/shop/ConfigMap/log', ['r-db', 'r-log']],
  ['several with blanks between', 'apps/namespaces/shop/Deployment/db, /namespaces/shop/ConfigMap/log', ['r-db', 'r-log']],
  ['several with blanks at the ends', ' /namespaces/shop/ConfigMap/log , apps/Deployment/db ', ['r-log', 'r-top']],
])('depends-on may name objects: %s', (_what, text, expected) => {
  const annotations = { 'config.kubernetes.io/depends-on': text }
  const [waves] = order({
    app: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } }],
    db: [resourceOf('Deployment', 'db', 'shop', 'apps/v1')],
    log: [resourceOf('ConfigMap', 'log', 'shop')],
    top: [resourceOf('Deployment', 'db', '', 'apps/v1')],
  })
  expect(waves).toMatchObject({ 'r-app': expected.length === 0 ? [0] : [1, ...expected] })
})
