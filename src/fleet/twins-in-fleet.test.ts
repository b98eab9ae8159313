import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { twinsOfTargets } from './twins-in-fleet.ts'

function objectOf(apiVersion: string, kind: string, metadata: object, spec?: object): KrmObject {
  return KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata, ...(spec && { spec }) }), {
    path: 'f.yaml',
    index: 0,
    line: 1,
  })
}

const [PORCH, CAPI, CNPG] = ['config.porch.kpt.dev/v1alpha1', 'cluster.x-k8s.io/v1beta1', 'postgresql.cnpg.io/v1']
const upstream = { repo: 'catalog', package: 'web', revision: 1 }

function setSelecting(objectSelector: object): KrmObject {
  const template = { downstream: { repoExpr: 'target.name' } }
  const spec = { upstream, targets: [{ objectSelector, template }] }
  return objectOf('config.porch.kpt.dev/v1alpha2', 'PackageVariantSet', { name: 's' }, spec)
}

const CLUSTERS = setSelecting({ apiVersion: CAPI, kind: 'Cluster', matchLabels: { site: 'yes' } })
const NAMED = setSelecting({ apiVersion: 'v1', kind: 'ConfigMap', name: 'here', matchLabels: {} })
const site = { labels: { site: 'yes' } }

test.each<readonly [string, readonly KrmObject[], number]>([
  ['two Repositories of one name', [objectOf(PORCH, 'Repository', { name: 'a' }), objectOf(PORCH, 'Repository', { name: 'a' })], 1],
  [
    'two Repositories, of which one names the namespace in which the other is',
    [objectOf(PORCH, 'Repository', { name: 'a' }), objectOf(PORCH, 'Repository', { name: 'a', namespace: 'default' })],
    1,
  ],
  [
    'two Repositories in two namespaces',
    [objectOf(PORCH, 'Repository', { name: 'a' }), objectOf(PORCH, 'Repository', { name: 'a', namespace: 'edge' })],
    0,
  ],
  ['three objects that a set selects', [CLUSTERS, ...[1, 2, 3].map(() => objectOf(CAPI, 'Cluster', { name: 'a', ...site }))], 2],
  [
    'two objects, of which the set selects the first',
    [CLUSTERS, objectOf(CAPI, 'Cluster', { name: 'a', ...site }), objectOf(CAPI, 'Cluster', { name: 'a' })],
    0,
  ],
  [
    'two objects, of which the set selects the second',
    [CLUSTERS, objectOf(CAPI, 'Cluster', { name: 'a' }), objectOf(CAPI, 'Cluster', { name: 'a', ...site })],
    1,
  ],
  ['two objects of the same kind in another group', [CLUSTERS, ...[1, 2].map(() => objectOf(CNPG, 'Cluster', { name: 'a', ...site }))], 0],
  ['two objects of a name that the set does not ask for', [NAMED, ...[1, 2].map(() => objectOf('v1', 'ConfigMap', { name: 'there' }))], 0],
  ['two objects of the name that the set asks for', [NAMED, ...[1, 2].map(() => objectOf('v1', 'ConfigMap', { name: 'here' }))], 1],
  ['one object', [CLUSTERS, objectOf(CAPI, 'Cluster', { name: 'a', ...site })], 0],
])('of %s, each later target counts as one whose own name may be lost', (_, items, count) => {
  const found = twinsOfTargets({ items })
  expect(found.map(({ tags }) => tags.rule)).toEqual(Array.from({ length: count }, () => 'duplicate-in-fleet'))
})
