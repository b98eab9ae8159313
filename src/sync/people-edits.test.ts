import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { withMarks } from './generated-objects.ts'
import { editedSyncFields, editsTakenOver, editsThatGo } from './people-edits.ts'

const application = (name: string, spec: JsonRecord = {}, metadata: JsonRecord = {}): JsonRecord => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace: 'argocd', ...metadata },
  spec: { project: 'default', ...spec },
})

/** Returns an object as a run wrote it, with edits of people. */
function edited(value: JsonRecord, spec: JsonRecord, metadata: JsonRecord = {}): KrmObject {
  const ours = { ...value, metadata: { ...asRecord(value.metadata), ...metadata }, spec: { ...asRecord(value.spec), ...spec } }
  return KrmObject.fromDocument(JSON.stringify(withMarks(ours, value, 's')), { path: 'a.yaml', index: 0, line: 1 })
}

test.each<{ readonly reason: string; readonly object: KrmObject; readonly expected: readonly [string, unknown][] }>([
  { reason: 'none as generated', object: edited(application('a'), {}), expected: [] },
  { reason: 'a changed value', object: edited(application('a'), { project: 'x' }), expected: [['spec.project', 'x']] },
  {
    reason: 'each field of a new map',
    object: edited(application('a'), { info: { b: 1, c: { d: 2 } } }),
    expected: [
      ['spec.info.b', 1],
      ['spec.info.c.d', 2],
    ],
  },
  {
    reason: 'an annotation beside the marks',
    object: edited(application('a'), {}, { annotations: { team: 'x' } }),
    expected: [['metadata.annotations.team', 'x']],
  },
  {
    reason: 'the added entries of a list',
    object: edited(application('a', { needs: ['a'] }), { needs: ['a', 'b'] }),
    expected: [['spec.needs', ['b']]],
  },
])('the fields of people: $reason', ({ object, expected }) => {
  expect(editedSyncFields(object).map(({ field, value }) => [field.join('.'), value])).toEqual(expected)
})

test('a field that goes is named once for all objects in which people wrote the same fields', () => {
  const left = ['a', 'b', 'c'].map((name) => edited(application(name), { project: name, info: 1 }))
  expect(editsThatGo(left, []).map(formatResult)).toEqual([
    expect.stringMatching(
      /^a\.yaml:1:\d+: warning: `spec\.project` is from people, as is `spec\.info`, here and in 2 other objects; no object that stays has them: they go with Application 'a', so write what is still wanted into the object that deploys the package now \[sync-edit-left\]$/,
    ),
  ])
})

test('a field that an object of the kind has which stays does not go, and one of which only a part stays does', () => {
  const left = [edited(application('a', { needs: ['a'] }), { project: 'x', needs: ['a', 'b'] })]
  expect(editsThatGo(left, [application('b', { project: 'x', needs: ['c', 'b'] })])).toEqual([])
  expect(editsThatGo(left, [application('b', { project: 'x' }), application('c', { needs: ['b'] })])).toHaveLength(1)
  expect(editsThatGo(left, [{ ...application('b', { project: 'x', needs: ['b'] }), kind: 'AppProject' }])).toHaveLength(1)
})

test('a finalizer that deletes resources is no loss, since no object that is left has it', () => {
  const finalizers = ['resources-finalizer.argocd.argoproj.io']
  expect(editsThatGo([edited(application('a'), {}, { finalizers })], [])).toEqual([])
})

test('a new object says whose fields it has', () => {
  expect(editsTakenOver(new Map([[application('new'), edited(application('a'), { project: 'x' })]])).map(formatResult)).toEqual([
    expect.stringMatching(
      /info: `spec\.project` is from people; Application 'new', which deploys the same from now on, has it too \[sync-moved\]$/,
    ),
  ])
  expect(editsTakenOver(new Map([[application('new'), edited(application('a'), {})]]))).toEqual([])
})
