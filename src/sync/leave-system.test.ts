import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { withMarks } from './generated-objects.ts'
import { leaveSystem } from './leave-system.ts'

function kustomization(name: string, spec: JsonRecord): JsonRecord {
  return { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: { name, namespace: 'flux-system' }, spec }
}

const generated = (value: JsonRecord, by = 's') => withMarks(value, value, by)
const pruning = (name: string) => generated(kustomization(name, { prune: true }))
const settled = (name: string) => generated(kustomization(name, { prune: false }))
const APPLICATION = generated({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'app' }, spec: {} })
const configFor = (system: string): JsonRecord => ({ kind: 'GenerateSync', metadata: { name: 's' }, spec: { for: system } })

function left(values: readonly JsonRecord[], committed?: readonly JsonRecord[]) {
  const items = (objects: readonly JsonRecord[]) =>
    objects.map((value, index) => KrmObject.fromDocument(JSON.stringify(value), { path: 'sync.yaml', index, line: index + 1 }))
  const { created, updated, removed, results } = leaveSystem(items(values), 'flux', committed && items(committed))
  expect(created).toEqual([])
  return {
    updated: updated.map(({ value }) => value),
    removed: removed.map(({ name }) => name),
    results: results.map((result) => formatResult(result).replace(/:\d+: /, ': ')),
  }
}

test('the first run lets the objects of the system delete nothing, whoever generated them, and removes none', () => {
  const other = generated(kustomization('b', { prune: true }), 'other')
  const { updated, removed, results } = left([pruning('a'), other, settled('c'), APPLICATION])
  expect(updated).toEqual([settled('a'), generated(kustomization('b', { prune: false }), 'other')])
  expect(removed).toEqual([])
  expect(results).toEqual([
    'sync.yaml:1: warning: `metadata.name` is left: this object and 2 other objects of flux delete nothing in a cluster from now on; commit and apply this state, then run the same command again, which removes them [sync-left]',
  ])
})

test('one object alone is left in the singular', () => {
  expect(left([pruning('a')]).results).toEqual([
    'sync.yaml:1: warning: `metadata.name` is left: the object deletes nothing in a cluster from now on; commit and apply this state, then run the same command again, which removes it [sync-left]',
  ])
})

test('the second run removes the objects, and none of people, of other systems and of other kinds', () => {
  const objects = [settled('a'), kustomization('mine', { prune: true }), APPLICATION, settled('b'), configFor('argocd')]
  expect(left(objects, [settled('a'), settled('b')])).toEqual({ updated: [], removed: ['a', 'b'], results: [] })
  expect(left([])).toEqual({ updated: [], removed: [], results: [] })
})

test('the second run is refused while the last commit still prunes', () => {
  const { results } = left([settled('a')], [pruning('a')])
  expect(results).toEqual([expect.stringMatching(/^sync\.yaml:1: error: .*`prune: true`.* \[sync-removal-early\]$/)])
})

test('an object that one of people needs must stay', () => {
  const user = kustomization('user', { prune: true, dependsOn: [{ name: 'a' }] })
  expect(left([settled('a'), settled('b'), user]).results).toEqual([
    "sync.yaml:1: error: `metadata.name` must stay: no GenerateSync generated what needs it: Kustomization 'user' [sync-needed]",
  ])
  const own = generated(kustomization('user', { prune: false, dependsOn: [{ name: 'a' }] }))
  expect(left([settled('a'), own]).results).toEqual([])
})

test('a GenerateSync for the system would write the objects again', () => {
  expect(left([settled('a'), configFor('argocd'), configFor('flux')]).results).toEqual([
    "sync.yaml:3: warning: `spec.for` is 'flux', which is left: the next run with these options writes the objects again; remove the GenerateSync [sync-left]",
  ])
})

test('each run names the fields of people that go with the objects, and none that a person lets another object have', () => {
  const edited = (name: string, prune: boolean) =>
    withMarks(kustomization(name, { prune, timeout: '9m' }), kustomization(name, { prune }), 's')
  const named =
    "sync.yaml:1: warning: `spec.timeout` is from people, here and in 1 other object; no object that stays has it: it goes with Kustomization 'a', so write what is still wanted into the object that deploys the package now [sync-edit-left]"
  const before = [edited('a', true), edited('b', true), pruning('c')]
  const first = left(before)
  expect(first.results.slice(1)).toEqual([named])
  const after = [...first.updated]
  expect(left(after, after)).toEqual({ updated: [], removed: ['a', 'b', 'c'], results: [named] })
  expect(left([...after, kustomization('mine', { prune: true, timeout: '9m' })], after).results).toEqual([])
})
