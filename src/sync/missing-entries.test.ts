import { expect, test } from 'vitest'
import { unitsOf } from '../../testdata/processor-time.ts'
import { asRecord, type JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { withMarks } from './generated-objects.ts'
import { missingEntries } from './missing-entries.ts'
import { reconcileSyncObjects } from './reconcile-sync-objects.ts'
import { optionsOfTest } from './testing/sync-of-objects.ts'

const applicationSet = (...names: readonly string[]): JsonRecord => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'base', namespace: 'argocd' },
  spec: { generators: [{ list: { elements: names.map((name) => ({ name })) } }] },
})

const kustomization = (name: string, ...needs: readonly string[]): JsonRecord => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name, namespace: 'flux-system' },
  spec: { prune: true, ...(needs.length > 0 && { dependsOn: needs.map((need) => ({ name: need })) }) },
})

/** Returns the warnings about objects as they are, with the state in which they were last generated, which is also the wanted one. */
function warnings(...objects: readonly { readonly wanted: JsonRecord; readonly present: JsonRecord; readonly base?: JsonRecord }[]) {
  const items = objects.map(({ wanted, present, base = wanted }, index) =>
    KrmObject.fromDocument(JSON.stringify(withMarks(present, base, 's')), { path: `${index}.yaml`, index: 0, line: 1 }),
  )
  const wanted = objects.map((each) => each.wanted)
  const { results } = reconcileSyncObjects(wanted, items, optionsOfTest({ system: 'argocd' }))
  return results.map(formatResult)
}

test('an element that a merge in git lost is named: the list is of one branch, the annotation of another', () => {
  const [message, ...others] = warnings({
    base: applicationSet('a', 'kol'),
    present: applicationSet('a', 'lab'),
    wanted: applicationSet('a', 'kol', 'lab'),
  })
  expect([message?.split('; a person')[0], others]).toEqual([
    expect.stringMatching(
      /^0\.yaml:1:\d+: warning: `spec\.generators\[0\]\.list\.elements` lacks 'kol', which the fleet wants: what is missing is not deployed$/,
    ),
    [],
  ])
  expect(message).toContain('take the target out of its set if that is meant [sync-entry-missing]')
})

test('entries of `dependsOn` that are missing in several objects have one warning', () => {
  const lost = ['a', 'b'].map((name) => ({ wanted: kustomization(name, 'lab', 'x'), present: kustomization(name, 'x') }))
  const all = { wanted: kustomization('c', 'lab'), present: kustomization('c') }
  expect(warnings(...lost, all)).toEqual([
    expect.stringMatching(
      /^0\.yaml:1:\d+: warning: `spec\.dependsOn` lacks 'lab', and 2 other objects an entry, .* the object does not wait for what is missing/,
    ),
  ])
})

test('a list whose entries were all deleted, so that it is null, lacks each of them', () => {
  const wanted = [applicationSet('a'), kustomization('c', 'x')]
  const emptied = [{ generators: [{ list: { elements: null } }] }, { dependsOn: null }]
  const lost = wanted.map((each, at) => ({ wanted: each, present: { ...each, spec: { ...asRecord(each.spec), ...emptied[at] } } }))
  expect(warnings(...lost)).toEqual(["lacks 'a', which", "lacks 'x', which"].map((text) => expect.stringContaining(text)))
})

test('nothing is missing with entries of people, in another order, or with a generator of people', () => {
  const own = { ...applicationSet(), spec: { generators: [{ git: { repoURL: 'x' } }] } }
  expect(
    warnings(
      { wanted: kustomization('c', 'a', 'b'), present: kustomization('c', 'mine', 'b', 'a') },
      { wanted: applicationSet('a'), present: { ...own, spec: { ...asRecord(own.spec), goTemplate: true } } },
    ),
  ).toEqual([])
})

test('a list of thousands of clusters costs what its length does', () => {
  const wanted = applicationSet(...Array.from({ length: 20_000 }, (_, at) => `cluster-of-a-fleet-${10_000 + at}`))
  const object = KrmObject.fromDocument(JSON.stringify(wanted))
  const { value, units } = unitsOf(() => missingEntries([{ object, wanted, value: wanted }]))
  expect(value).toEqual([])
  expect(units).toBeLessThan(3)
})
