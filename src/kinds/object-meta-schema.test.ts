import { expect, test } from 'vitest'
import { closedMap } from '../schema/schema.ts'
import { headOfKind, OBJECT_META, STATUS, STRING_LIST, VARIANT_STATUS } from './object-meta-schema.ts'
import { misfits } from './testing/misfits.ts'

test.each([
  { reason: 'the fields that a user writes', text: '{name: a, namespace: b, uid: c, labels: {d: e}, annotations: {f: g}}', expected: [] },
  {
    reason: 'the fields that an API server adds, of any value',
    text: '{name: a, creationTimestamp: null, deletionGracePeriodSeconds: 1, deletionTimestamp: x, finalizers: [], generateName: a, generation: 1, managedFields: [], ownerReferences: [], resourceVersion: "1", selfLink: x}',
    expected: [],
  },
  { reason: 'a name must be set', text: '{namespace: b}', expected: ['name required'] },
  { reason: 'a name must not be empty, a namespace may be', text: '{name: "", namespace: ""}', expected: ['name minLength'] },
  { reason: 'no other field', text: '{name: a, namespce: b}', expected: ['namespce additionalProperties'] },
  {
    reason: 'the type of each field',
    text: '{name: [], namespace: [], uid: [], labels: [], annotations: []}',
    expected: ['name type', 'namespace type', 'uid type', 'labels type', 'annotations type'],
  },
  {
    reason: 'labels and annotations are texts',
    text: '{name: a, labels: {b: 1}, annotations: {c: true}}',
    expected: ['labels.b type', 'annotations.c type'],
  },
])('metadata: $reason', ({ text, expected }) => {
  expect(misfits(OBJECT_META, text)).toEqual(expected)
})

test('the head of a kind has the apiVersion and the kind of that kind, and metadata', () => {
  const schema = closedMap(headOfKind('example.com/v1', 'Cluster'))
  expect(misfits(schema, '{apiVersion: example.com/v1, kind: Cluster, metadata: {name: a}}')).toEqual([])
  expect(misfits(schema, '{apiVersion: example.com/v2, kind: Clusters, metadata: {}}')).toEqual([
    'apiVersion const',
    'kind const',
    'metadata.name required',
  ])
})

test('a status is a map with fields of any kind', () => {
  const schema = closedMap({ status: STATUS })
  expect(misfits(schema, '{status: {phase: 1}}')).toEqual([])
  expect(misfits(schema, '{status: Ready}')).toEqual(['status type'])
})

test('a list of texts holds texts', () => {
  expect(misfits(closedMap({ keys: STRING_LIST }), '{keys: [a, 1]}')).toEqual(['keys[1] type'])
  expect(misfits(closedMap({ keys: STRING_LIST }), '{keys: a}')).toEqual(['keys type'])
})

test.each([
  {
    reason: 'conditions and packages with their last render, and fields of later versions',
    text: '{conditions: [{type: Ready}], observedGeneration: 1, downstreamTargets: [{name: a, renderStatus: {error: "", result: {}, at: 1}, more: 1}]}',
    expected: [],
  },
  { reason: 'lists', text: '{conditions: {}, downstreamTargets: {}}', expected: ['conditions type', 'downstreamTargets type'] },
  { reason: 'a package is a map', text: '{downstreamTargets: [a]}', expected: ['downstreamTargets[0] type'] },
  {
    reason: 'the fields of a package',
    text: '{downstreamTargets: [{name: 1, renderStatus: a}]}',
    expected: ['downstreamTargets[0].name type', 'downstreamTargets[0].renderStatus type'],
  },
  {
    reason: 'the fields of a render',
    text: '{downstreamTargets: [{renderStatus: {error: 1, result: a}}]}',
    expected: ['downstreamTargets[0].renderStatus.error type', 'downstreamTargets[0].renderStatus.result type'],
  },
])('the status of a PackageVariant: $reason', ({ text, expected }) => {
  expect(misfits(VARIANT_STATUS, text)).toEqual(expected)
})
