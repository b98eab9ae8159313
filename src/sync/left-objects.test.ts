import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { isSettled, settledObject } from './left-objects.ts'

const object = (kind: string, spec: JsonRecord, metadata: JsonRecord = {}): JsonRecord => ({ kind, metadata, spec })

test('a Kustomization that is left prunes nothing, and a policy that would delete its resources keeps them', () => {
  expect(settledObject(object('Kustomization', { prune: true }))).toEqual(object('Kustomization', { prune: false }))
  for (const deletionPolicy of ['Delete', 'WaitForTermination']) {
    const left = object('Kustomization', { prune: false, deletionPolicy: 'Orphan' })
    expect(settledObject(object('Kustomization', { prune: true, deletionPolicy }))).toEqual(left)
  }
  expect(settledObject(object('Kustomization', { prune: true, deletionPolicy: 'MirrorPrune' })).spec).toEqual({
    prune: false,
    deletionPolicy: 'MirrorPrune',
  })
})

test('a Kustomization can go once it does not prune or keeps its resources', () => {
  expect(isSettled(object('Kustomization', { prune: true }))).toBe(false)
  expect(isSettled(object('Kustomization', { prune: false }))).toBe(true)
  expect(isSettled(object('Kustomization', { prune: true, deletionPolicy: 'Orphan' }))).toBe(true)
  expect(isSettled(object('Kustomization', { prune: false, deletionPolicy: 'Delete' }))).toBe(false)
})

test('an Application that is left loses the finalizers that delete its resources, and no other', () => {
  const finalizers = [
    'resources-finalizer.argocd.argoproj.io/background',
    'post-delete-finalizer.argocd.argoproj.io',
    'team.example.com/audit',
  ]
  const left = settledObject(object('Application', { syncPolicy: { automated: { prune: true, selfHeal: true } } }, { finalizers }))
  expect(left).toEqual(
    object('Application', { syncPolicy: { automated: { prune: false, selfHeal: true } } }, { finalizers: ['team.example.com/audit'] }),
  )
  expect(isSettled(left)).toBe(true)
})

test('an ApplicationSet that is left keeps the resources of its Applications', () => {
  const set = object('ApplicationSet', { syncPolicy: { applicationsSync: 'create-only' } })
  expect(settledObject(set).spec).toEqual({ syncPolicy: { applicationsSync: 'create-only', preserveResourcesOnDeletion: true } })
  expect(isSettled(set)).toBe(false)
})

test('a RootSync that is left loses the annotation that deletes its resources', () => {
  const annotations = { 'configsync.gke.io/deletion-propagation-policy': 'Foreground', team: 'x' }
  expect(settledObject(object('RootSync', {}, { annotations })).metadata).toEqual({ annotations: { team: 'x' } })
})

test('a RootSync without another annotation has none, and one without that annotation can go', () => {
  const annotations = { 'configsync.gke.io/deletion-propagation-policy': 'Foreground' }
  expect(settledObject(object('RepoSync', {}, { annotations }))).toEqual(object('RepoSync', {}))
  expect(isSettled(object('RootSync', {}, { annotations }))).toBe(false)
  expect(isSettled(object('RootSync', {}, { annotations: { team: 'x' } }))).toBe(true)
})

test('the policy that keeps resources is one of Kustomizations alone', () => {
  expect(isSettled(object('Application', { deletionPolicy: 'Orphan', syncPolicy: { automated: { prune: true } } }))).toBe(false)
})

test('an Application that is synced by hand, and one without a policy, gets none', () => {
  expect(settledObject(object('Application', { syncPolicy: { syncOptions: ['A=true'] } }))).toEqual(
    object('Application', { syncPolicy: { syncOptions: ['A=true'] } }),
  )
  expect(settledObject(object('Application', { project: 'p' }))).toEqual(object('Application', { project: 'p' }))
  expect(isSettled(object('Application', {}, { finalizers: ['resources-finalizer.argocd.argoproj.io'] }))).toBe(false)
  const other = object('Application', {}, { finalizers: ['my-resources-finalizer.argocd.argoproj.io'] })
  expect(settledObject(other)).toEqual(other)
})
