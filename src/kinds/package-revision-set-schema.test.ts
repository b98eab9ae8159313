import { expect, test } from 'vitest'
import { PACKAGE_REVISION_SET_SCHEMA } from './package-revision-set-schema.ts'
import { misfits, UNSET_PARTS, WRONG_PARTS } from './testing/misfits.ts'

test('the parts of a PackageRevisionSet must be set', () => {
  expect(misfits(PACKAGE_REVISION_SET_SCHEMA, '{}')).toEqual(UNSET_PARTS)
})

test('a PackageRevisionSet has its apiVersion and kind, a status that is a map, and no other field', () => {
  const text = 'apiVersion: fleet.krm-variants.dev/v1\nkind: PackageRevision\nmetadata: {}\nspec: []\nstatus: []\ndata: {}\n'
  expect(misfits(PACKAGE_REVISION_SET_SCHEMA, text)).toEqual(WRONG_PARTS)
})

test.each([
  { reason: 'upstreams must be set', spec: '{}', expected: ['spec.upstreams required'] },
  { reason: 'a set has an entry', spec: '{upstreams: []}', expected: ['spec.upstreams minItems'] },
  { reason: 'a list', spec: '{upstreams: {}}', expected: ['spec.upstreams type'] },
  {
    reason: 'maps, and no other field in the spec',
    spec: '{upstreams: [a], targets: []}',
    expected: ['spec.upstreams[0] type', 'spec.targets additionalProperties'],
  },
  { reason: 'no field of an entry must be set: the rules say which', spec: '{upstreams: [{}]}', expected: [] },
  {
    reason: 'an upstream, and the name of another set',
    spec: '{upstreams: [{repo: a, package: b, revision: v1, workspaceName: c}, {packageRevisionSet: d}]}',
    expected: [],
  },
  {
    reason: 'the type of each field, and no other field',
    spec: '{upstreams: [{repo: 1, package: 2, revision: [], workspaceName: 3, packageRevisionSet: 4, tag: a}]}',
    expected: [
      ...['repo', 'package', 'revision', 'workspaceName', 'packageRevisionSet'].map((field) => `spec.upstreams[0].${field} type`),
      'spec.upstreams[0].tag additionalProperties',
    ],
  },
  {
    reason: 'names must not be empty',
    spec: '{upstreams: [{repo: "", package: "", packageRevisionSet: ""}]}',
    expected: ['repo', 'package', 'packageRevisionSet'].map((field) => `spec.upstreams[0].${field} minLength`),
  },
])('the spec of a PackageRevisionSet: $reason', ({ spec, expected }) => {
  const head = 'apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: PackageRevisionSet\nmetadata: {name: a}\n'
  expect(misfits(PACKAGE_REVISION_SET_SCHEMA, `${head}spec: ${spec}\n`)).toEqual(expected)
})
