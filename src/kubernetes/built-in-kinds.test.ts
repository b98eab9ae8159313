import { expect, test } from 'vitest'
import { isClusterKind, isNamespacedKind, kindsOf } from './built-in-kinds.ts'

test.each(['functions', 'merge', 'porch'] as const)('no kind of a version stands twice in what %s know', (reader) => {
  const keys = kindsOf(reader).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  expect(keys.length).toBeGreaterThan(30)
})

test('functions know the scope of a kind by its version', () => {
  expect([isNamespacedKind('apps/v1', 'Deployment'), isClusterKind('apps/v1', 'Deployment')]).toEqual([true, false])
  expect([isNamespacedKind('v1', 'Node'), isClusterKind('v1', 'Node')]).toEqual([false, true])
  expect([isNamespacedKind('apps/v1beta1', 'Deployment'), isClusterKind('apps/v1beta1', 'Deployment')]).toEqual([false, false])
})

test('functions do not know what only the merge or only a server with Porch knows', () => {
  expect(isNamespacedKind('policy/v1', 'Eviction') || isClusterKind('policy/v1beta1', 'Eviction')).toBe(false)
  expect(isNamespacedKind('porch.kpt.dev/v1alpha1', 'PackageRevision')).toBe(false)
})
