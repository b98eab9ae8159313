import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { JsonRecord } from '../json.ts'
import { generatorOf, mergeBaseOf, settleLeft, systemOf, withMarks, withoutMarks } from './generated-objects.ts'

const written = (value: JsonRecord) => writtenObject(JSON.stringify(value))
const KUSTOMIZATION = {
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name: 'a' },
  spec: { prune: true },
}

test.each([
  ['source.toolkit.fluxcd.io/v1', 'GitRepository', 'flux'],
  ['source.toolkit.fluxcd.io/v1beta2', 'OCIRepository', 'flux'],
  ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'flux'],
  ['argoproj.io/v1alpha1', 'Application', 'argocd'],
  ['argoproj.io/v1alpha1', 'ApplicationSet', 'argocd'],
  ['configsync.gke.io/v1beta1', 'RootSync', 'config-sync'],
  ['configsync.gke.io/v1beta1', 'RepoSync', 'config-sync'],
  ['kustomize.config.k8s.io/v1beta1', 'Kustomization', undefined],
  ['argoproj.io/v1alpha1', 'AppProject', undefined],
  ['v1', 'Application', undefined],
])('the system of %s %s is %s', (apiVersion, kind, system) => {
  expect(systemOf(written({ apiVersion, kind }))).toBe(system)
})

test('marks name the GenerateSync and keep what was generated, beside the annotations of people', () => {
  const own = { ...KUSTOMIZATION, metadata: { name: 'a', annotations: { team: 'x' } } }
  const marked = withMarks(own, KUSTOMIZATION, 's')
  expect(generatorOf(written(marked))).toBe('s')
  expect(mergeBaseOf(written(marked))).toEqual(KUSTOMIZATION)
  expect(withoutMarks(marked)).toEqual(own)
})

test('without annotations of people no annotations stay', () => {
  expect(withoutMarks(withMarks(KUSTOMIZATION, KUSTOMIZATION, 's'))).toEqual(KUSTOMIZATION)
})

test('an object without marks has no generator and no base, as one whose mark is no JSON object', () => {
  expect(generatorOf(written(KUSTOMIZATION))).toBe('')
  expect(mergeBaseOf(written(KUSTOMIZATION))).toBeUndefined()
  const [mark = ''] = Object.keys(asAnnotations(withMarks(KUSTOMIZATION, KUSTOMIZATION, 's'))).filter((key) => key.includes('generated'))
  for (const text of ['[1]', '{', ''])
    expect(mergeBaseOf(written({ ...KUSTOMIZATION, metadata: { name: 'a', annotations: { [mark]: text } } }))).toBeUndefined()
})

function asAnnotations(value: JsonRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(written(value).annotations)
}

test('an object that nothing needs deletes nothing, and keeps its marks for a cluster that comes back', () => {
  const edited = { ...KUSTOMIZATION, spec: { prune: true, interval: '5m' } }
  const left = written(settleLeft(written(withMarks(edited, KUSTOMIZATION, 's'))))
  expect(withoutMarks(left.toJson())).toEqual({ ...KUSTOMIZATION, spec: { prune: false, interval: '5m' } })
  expect(mergeBaseOf(left)).toEqual({ ...KUSTOMIZATION, spec: { prune: false } })
  expect(generatorOf(left)).toBe('s')
})

test('an object that deletes nothing already stays as people wrote it, and without a base the object itself is the base', () => {
  const orphan = { ...KUSTOMIZATION, spec: { prune: true, deletionPolicy: 'Orphan' } }
  const left = written(settleLeft(written(orphan)))
  expect(withoutMarks(left.toJson())).toEqual(orphan)
  expect(mergeBaseOf(left)).toEqual(orphan)
})
