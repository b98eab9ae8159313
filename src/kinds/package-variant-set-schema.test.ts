import { expect, test } from 'vitest'
import { PACKAGE_VARIANT_SET_SCHEMA, TARGET } from './package-variant-set-schema.ts'
import { misfits, UNSET_PARTS, WRONG_PARTS } from './testing/misfits.ts'

test('the parts of a PackageVariantSet must be set', () => {
  expect(misfits(PACKAGE_VARIANT_SET_SCHEMA, '{}')).toEqual(UNSET_PARTS)
})

test.each([
  { reason: 'in order', spec: '{upstream: {repo: a, package: b}, targets: [{}]}', expected: [] },
  { reason: 'upstream and targets must be set', spec: '{}', expected: ['spec.upstream required', 'spec.targets required'] },
  { reason: 'a set has a target', spec: '{upstream: {repo: a, package: b}, targets: []}', expected: ['spec.targets minItems'] },
  { reason: 'the type of each field', spec: '{upstream: [], targets: {}}', expected: ['spec.upstream type', 'spec.targets type'] },
  {
    reason: 'no other field',
    spec: '{upstream: {repo: a, package: b}, targets: [a], template: {}}',
    expected: ['spec.targets[0] type', 'spec.template additionalProperties'],
  },
])('the spec of a PackageVariantSet: $reason', ({ spec, expected }) => {
  const head = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: a}\n'
  expect(misfits(PACKAGE_VARIANT_SET_SCHEMA, `${head}spec: ${spec}\n`)).toEqual(expected)
})

test('a PackageVariantSet has its apiVersion and kind, a status that is a map, and no other field', () => {
  const text = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {}\nspec: []\nstatus: []\ndata: {}\n'
  expect(misfits(PACKAGE_VARIANT_SET_SCHEMA, text)).toEqual(WRONG_PARTS)
})

const SELECTOR = '{apiVersion: v1, kind: A}'
const REQUIREMENT_TYPES = ['key type', 'values[0] type', 'kind additionalProperties']

test.each([
  { reason: 'no field must be set: the rules say which', text: '{}', expected: [] },
  {
    reason: 'every field',
    text: '{repositories: [{name: a, packageNames: [b]}], repositorySelector: {matchLabels: {a: b}, matchExpressions: [{key: a, operator: In, values: [b]}], packageNames: [c]}, objectSelector: {apiVersion: v1, kind: A, name: b, matchLabels: {a: b}, matchExpressions: [{key: a, operator: Exists}], packageNames: [c]}, packageNames: [d], template: {}}',
    expected: [],
  },
  {
    reason: 'the type of each field, and no other field',
    text: '{repositories: {}, repositorySelector: [], objectSelector: [], packageNames: {}, template: [], repo: a}',
    expected: [
      'repositories type',
      'repositorySelector type',
      'objectSelector type',
      'packageNames type',
      'template type',
      'repo additionalProperties',
    ],
  },
  { reason: 'a list of repositories has one', text: '{repositories: []}', expected: ['repositories minItems'] },
  { reason: 'a repository is a map', text: '{repositories: [a]}', expected: ['repositories[0] type'] },
  { reason: 'a repository must have a name', text: '{repositories: [{packageNames: [a]}]}', expected: ['repositories[0].name required'] },
  {
    reason: 'the name of a repository must not be empty',
    text: '{repositories: [{name: ""}]}',
    expected: ['repositories[0].name minLength'],
  },
  {
    reason: 'the type of each field of a repository, and no other field',
    text: '{repositories: [{name: 1, packageNames: {}, packageName: a}]}',
    expected: ['repositories[0].name type', 'repositories[0].packageNames type', 'repositories[0].packageName additionalProperties'],
  },
  {
    reason: 'the names of packages must not be empty, wherever they are',
    text: '{repositories: [{name: a, packageNames: ["", 1]}], repositorySelector: {packageNames: [""]}, objectSelector: {apiVersion: v1, kind: A, packageNames: [""]}, packageNames: [""]}',
    expected: [
      'repositories[0].packageNames[0] minLength',
      'repositories[0].packageNames[1] type',
      'repositorySelector.packageNames[0] minLength',
      'objectSelector.packageNames[0] minLength',
      'packageNames[0] minLength',
    ],
  },
  { reason: 'a repositorySelector may be empty', text: '{repositorySelector: {}}', expected: [] },
  {
    reason: 'the type of each field of a repositorySelector, and no other field',
    text: '{repositorySelector: {matchLabels: [], matchExpressions: {}, packageNames: {}, name: a}}',
    expected: [
      'repositorySelector.matchLabels type',
      'repositorySelector.matchExpressions type',
      'repositorySelector.packageNames type',
      'repositorySelector.name additionalProperties',
    ],
  },
  {
    reason: 'values of matchLabels are texts',
    text: '{repositorySelector: {matchLabels: {a: true}}}',
    expected: ['repositorySelector.matchLabels.a type'],
  },
  {
    reason: 'a requirement must have a key and an operator',
    text: '{repositorySelector: {matchExpressions: [{}]}}',
    expected: ['repositorySelector.matchExpressions[0].key required', 'repositorySelector.matchExpressions[0].operator required'],
  },
  {
    reason: 'the key of a requirement must not be empty',
    text: '{repositorySelector: {matchExpressions: [{key: "", operator: Exists}]}}',
    expected: ['repositorySelector.matchExpressions[0].key minLength'],
  },
  {
    reason: 'the operators of a requirement',
    text: '{repositorySelector: {matchExpressions: [{key: a, operator: In}, {key: a, operator: NotIn}, {key: a, operator: Exists}, {key: a, operator: DoesNotExist}, {key: a, operator: Gt}]}}',
    expected: ['repositorySelector.matchExpressions[4].operator enum'],
  },
  ...[
    { place: 'repositorySelector', before: '' },
    { place: 'objectSelector', before: 'apiVersion: v1, kind: A, ' },
  ].map(({ place, before }) => ({
    reason: `the type of each field of a requirement of ${place}, and no other field`,
    text: `{${place}: {${before}matchExpressions: [{key: 1, operator: In, values: [2], kind: a}]}}`,
    expected: REQUIREMENT_TYPES.map((fault) => `${place}.matchExpressions[0].${fault}`),
  })),
  {
    reason: 'an objectSelector must have apiVersion and kind',
    text: '{objectSelector: {matchLabels: {a: b}}}',
    expected: ['objectSelector.apiVersion required', 'objectSelector.kind required'],
  },
  {
    reason: 'neither may be empty, a name may be',
    text: '{objectSelector: {apiVersion: "", kind: "", name: ""}}',
    expected: ['objectSelector.apiVersion minLength', 'objectSelector.kind minLength'],
  },
  {
    reason: 'the type of each field of an objectSelector, and no other field',
    text: '{objectSelector: {apiVersion: 1, kind: 2, name: 3, matchLabels: [], matchExpressions: {}, packageNames: {}, namespace: a}}',
    expected: [
      ...['apiVersion', 'kind', 'name', 'matchLabels', 'matchExpressions', 'packageNames'].map((field) => `objectSelector.${field} type`),
      'objectSelector.namespace additionalProperties',
    ],
  },
  ...['v1', 'apps/v1'].map((api) => ({
    reason: `the apiVersion ${api}`,
    text: `{objectSelector: ${SELECTOR.replace('v1', api)}}`,
    expected: [],
  })),
  ...['a/b/c', '/v1', 'apps/', '/'].map((api) => ({
    reason: `the apiVersion ${api} is neither VERSION nor GROUP/VERSION`,
    text: `{objectSelector: ${SELECTOR.replace('v1', api)}}`,
    expected: ['objectSelector.apiVersion pattern'],
  })),
])('a target: $reason', ({ text, expected }) => {
  expect(misfits(TARGET, text)).toEqual(expected)
})

test('packageNames beside and in selectors is not proposed for a misspelt field, packageNames of a repository is', () => {
  const { repositories, repositorySelector, objectSelector, packageNames } = TARGET.properties
  expect(packageNames.deprecated).toBe(true)
  expect(repositorySelector.properties.packageNames.deprecated).toBe(true)
  expect(objectSelector.properties.packageNames.deprecated).toBe(true)
  expect(repositories.items.properties.packageNames).not.toHaveProperty('deprecated')
})
