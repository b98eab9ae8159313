import { expect, test } from 'vitest'
import { PACKAGE_VARIANT_SCHEMA } from './package-variant-schema.ts'
import { misfits, UNSET_PARTS, WRONG_PARTS } from './testing/misfits.ts'

const HEAD = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: a}\n'
const ENDS = 'upstream: {repo: a, package: b}, downstream: {repo: c, package: d}'

test('the parts of a PackageVariant must be set', () => {
  expect(misfits(PACKAGE_VARIANT_SCHEMA, '{}')).toEqual(UNSET_PARTS)
})

test('a PackageVariant has its apiVersion and kind, a status that is a map, and no other field', () => {
  const text = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariants\nmetadata: {}\nspec: []\nstatus: []\ndata: {}\n'
  expect(misfits(PACKAGE_VARIANT_SCHEMA, text)).toEqual(WRONG_PARTS)
})

test.each([
  { reason: 'upstream and downstream are enough', spec: `{${ENDS}}`, expected: [] },
  {
    reason: 'every field',
    spec: `{${ENDS}, adoptionPolicy: adoptNone, deletionPolicy: delete, labels: {a: b}, annotations: {a: b}, packageContext: {data: {a: b}, removeKeys: [c]}, pipeline: {mutators: [{image: a}], validators: [{image: b}]}, injectors: [{group: "", version: a, kind: b, name: c, point: d}]}`,
    expected: [],
  },
  { reason: 'an injector as a map (seed 000)', spec: `{${ENDS}, injectors: {name: a}}`, expected: [] },
  { reason: 'upstream and downstream must be set', spec: '{}', expected: ['spec.upstream required', 'spec.downstream required'] },
  {
    reason: 'the fields of upstream and downstream must be set',
    spec: '{upstream: {}, downstream: {}}',
    expected: ['upstream.repo', 'upstream.package', 'downstream.repo', 'downstream.package'].map((field) => `spec.${field} required`),
  },
  {
    reason: 'the fields of downstream must not be empty',
    spec: '{upstream: {repo: a, package: b}, downstream: {repo: "", package: ""}}',
    expected: ['spec.downstream.repo minLength', 'spec.downstream.package minLength'],
  },
  {
    reason: 'the type of each field',
    spec: '{upstream: [], downstream: [], labels: [], annotations: [], packageContext: [], pipeline: [], injectors: a}',
    expected: ['upstream', 'downstream', 'labels', 'annotations', 'packageContext', 'pipeline', 'injectors'].map(
      (field) => `spec.${field} type`,
    ),
  },
  {
    reason: 'the type of each field below',
    spec: '{upstream: {repo: a, package: b}, downstream: {repo: 1, package: 2}, labels: {a: 1}, annotations: {b: 2}, packageContext: {data: {c: 3}, removeKeys: [4]}, pipeline: {mutators: [a], validators: [b]}, injectors: [c]}',
    expected: [
      'downstream.repo',
      'downstream.package',
      'labels.a',
      'annotations.b',
      'packageContext.data.c',
      'packageContext.removeKeys[0]',
      'pipeline.mutators[0]',
      'pipeline.validators[0]',
      'injectors[0]',
    ].map((field) => `spec.${field} type`),
  },
  {
    reason: 'lists of the package context and of the pipeline',
    spec: `{${ENDS}, packageContext: {data: [], removeKeys: {}}, pipeline: {mutators: {}, validators: {}}}`,
    expected: ['packageContext.data', 'packageContext.removeKeys', 'pipeline.mutators', 'pipeline.validators'].map(
      (field) => `spec.${field} type`,
    ),
  },
  {
    reason: 'the values of policies',
    spec: `{${ENDS}, adoptionPolicy: a, deletionPolicy: b}`,
    expected: ['spec.adoptionPolicy enum', 'spec.deletionPolicy enum'],
  },
  {
    reason: 'an injector must have a name, in a list and alone',
    spec: `{${ENDS}, injectors: [{kind: A}]}`,
    expected: ['spec.injectors[0].name required'],
  },
  { reason: 'one injector must have a name', spec: `{${ENDS}, injectors: {kind: A}}`, expected: ['spec.injectors.name required'] },
  {
    reason: 'the type of each field of an injector, and no other field',
    spec: `{${ENDS}, injectors: [{group: 1, version: 2, kind: 3, name: 4, point: 5, namespace: a}]}`,
    expected: [
      ...['group', 'version', 'kind', 'name', 'point'].map((field) => `spec.injectors[0].${field} type`),
      'spec.injectors[0].namespace additionalProperties',
    ],
  },
  {
    reason: 'name and injection point must not be empty',
    spec: `{${ENDS}, injectors: [{name: "", point: ""}]}`,
    expected: ['spec.injectors[0].name minLength', 'spec.injectors[0].point minLength'],
  },
  {
    reason: 'no other field in the spec and its maps',
    spec: '{targets: [], upstream: {repo: a, package: b, tag: c}, downstream: {repo: a, package: b, name: c}, packageContext: {keys: []}, pipeline: {functions: [], mutators: [{configs: a}]}}',
    expected: [
      'targets',
      'upstream.tag',
      'downstream.name',
      'packageContext.keys',
      'pipeline.functions',
      'pipeline.mutators[0].configs',
    ].map((field) => `spec.${field} additionalProperties`),
  },
])('the spec of a PackageVariant: $reason', ({ spec, expected }) => {
  expect(misfits(PACKAGE_VARIANT_SCHEMA, `${HEAD}spec: ${spec}\n`)).toEqual(expected)
})
