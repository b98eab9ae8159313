import { expect, test } from 'vitest'
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
function order(packages: Readonly<Record<string, readonly JsonRecord[]>>, options: Partial<TestOptions> = {}) {
  const all = Object.entries(packages).flatMap(([name, objects]) => [variantOf('r', name), ...renderedPackage('r', name, objects)])
  const { deployments, results } = syncOf([gitRepositoryOf('r'), ...all], { system: 'flux', ...options })
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
