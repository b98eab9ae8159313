import { expect, test } from 'vitest'
import { groupOf } from '../resource-list/identity.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { oneOfEachKind, readKinds, versionOf } from './kinds.ts'

const planets = KrmObject.fromDocument(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: planets.example.com
spec:
  group: example.com
  scope: Cluster
  names:
    kind: Planet
  versions:
  - name: v1alpha1
    served: false
  - name: v1
    served: true
    schema: &anchor
      openAPIV3Schema: {}
`)

function object(apiVersion: string, kind: string, namespace?: string): KrmObject {
  const line = namespace === undefined ? '' : `\n  namespace: ${namespace}`
  return KrmObject.fromDocument(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: x${line}\n`)
}

test.each([
  { reason: 'built in', apiVersion: 'v1', kind: 'ConfigMap', exists: true },
  { reason: 'built in, in another case', apiVersion: 'v1', kind: 'Configmap', exists: false },
  { reason: 'of Porch', apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', exists: true },
  { reason: 'served by a definition of the list', apiVersion: 'example.com/v1', kind: 'Planet', exists: true },
  { reason: 'a version that is not served', apiVersion: 'example.com/v1alpha1', kind: 'Planet', exists: false },
  { reason: 'that of an object of the list', apiVersion: 'infra.example.com/v1', kind: 'Cluster', exists: true },
  { reason: 'another version of such an object', apiVersion: 'infra.example.com/v2', kind: 'Cluster', exists: false },
  { reason: 'of an unknown group', apiVersion: 'nowhere.example.com/v1', kind: 'Ghost', exists: false },
])('a kind $reason', ({ apiVersion, kind, exists }) => {
  expect(readKinds([planets, object('infra.example.com/v1', 'Cluster')]).exists(apiVersion, kind)).toBe(exists)
})

test.each([
  { reason: 'named', item: object('v1', 'ConfigMap', 'team-a'), namespace: 'team-a' },
  { reason: 'not named', item: object('v1', 'ConfigMap'), namespace: 'default' },
  { reason: 'of a built-in kind without namespaces', item: object('v1', 'Namespace', 'wrong'), namespace: '' },
  { reason: 'of a kind without namespaces in another built-in group', item: object('storage.k8s.io/v1', 'StorageClass'), namespace: '' },
  { reason: 'of a kind that a definition says has none', item: object('example.com/v1', 'Planet'), namespace: '' },
  { reason: 'of a kind with the name of one that has none', item: object('example.com/v1', 'Node'), namespace: 'default' },
])('the namespace of an object: $reason', ({ item, namespace }) => {
  expect(readKinds([planets, item]).namespaceOf(item)).toBe(namespace)
})

test('the group of an apiVersion', () => {
  expect([groupOf('v1'), groupOf('apps/v1'), groupOf('')]).toEqual(['', 'apps', ''])
})

test('the versions that definitions of the list serve for a kind', () => {
  const kinds = readKinds([planets, object('infra.example.com/v1', 'Cluster')])
  expect(kinds.servedVersions('example.com', 'Planet')).toEqual(new Set(['v1']))
  expect(kinds.servedVersions('infra.example.com', 'Cluster')).toBeUndefined()
})

test('one object stands for each apiVersion and kind, the first, also where others of the kind are further behind', () => {
  const items = [
    object('v1', 'ConfigMap', 'a'),
    object('v1', 'ConfigMap', 'b'),
    object('v1', 'Secret', 'c'),
    object('v1', 'ConfigMap', 'd'),
    object('apps/v1', 'ConfigMap', 'e'),
  ]
  expect(oneOfEachKind(items).map(({ namespace }) => namespace)).toEqual(['a', 'c', 'e'])
  expect(oneOfEachKind([])).toEqual([])
})

test('the version of an apiVersion is what follows the group, or all of it for the core group', () => {
  expect([versionOf('v1'), versionOf('apps/v1'), versionOf('config.porch.kpt.dev/v1alpha2')]).toEqual(['v1', 'v1', 'v1alpha2'])
})
