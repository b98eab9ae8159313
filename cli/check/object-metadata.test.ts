import { expect, test } from 'vitest'
import type { JsonRecord } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { objectMetadataFaults } from './object-metadata.ts'

function faultsOf(metadata: JsonRecord, more: JsonRecord = {}, isSelectable = false) {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, ...more }
  return objectMetadataFaults(KrmObject.fromDocument(JSON.stringify(object)), isSelectable)
}

/** Returns the rule of each finding about the metadata of an object. */
function rulesOf(metadata: JsonRecord, more: JsonRecord = {}): readonly string[] {
  return faultsOf(metadata, more).map(({ tags }) => tags.rule)
}

const ODD = { labels: { 'a b': 'x y' }, annotations: { 'a b': 'x y' } }

test('keys and label values that an API server refuses are errors, texts of annotations may be any', () => {
  expect(rulesOf(ODD)).toEqual(['label-key', 'label-value', 'annotation-key'])
  expect(rulesOf({ labels: { 'a.io/b': 'x' }, annotations: { 'a.io/b': 'x y' } })).toEqual([])
})

test('an object that no API server gets may have any keys and values', () => {
  const local = { 'config.kubernetes.io/local-config': 'true' }
  expect(rulesOf({ ...ODD, annotations: { ...ODD.annotations, ...local } })).toEqual([])
  expect(rulesOf(ODD, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile' })).toEqual([])
  expect(rulesOf(ODD, { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' })).toEqual([])
  expect(rulesOf(ODD, { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' })).not.toEqual([])
})

test('a value that is no text is an error of every object, an empty one is none', () => {
  expect(rulesOf({ labels: { a: 1 } })).toEqual(['wrong-type'])
  expect(rulesOf({ labels: { a: 1 } }, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile' })).toEqual(['wrong-type'])
  expect(rulesOf({ labels: { a: null } })).toEqual([])
  expect(rulesOf({ labels: [] })).toEqual(['wrong-type'])
})

test('a text that a tool replaces is not judged', () => {
  for (const text of ['${owner}', '{{ owner }}', '<OWNER NAME>']) expect(rulesOf({ labels: { [text]: 'a', b: text } }), text).toEqual([])
})

test('a misspelt field of the metadata is reported in every object, a field of another name is not', () => {
  expect(rulesOf({ lables: { a: 'b' } })).toEqual(['unknown-field'])
  expect(rulesOf({ lables: { a: 'b' } }, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile' })).toEqual(['unknown-field'])
  expect(rulesOf({ clusterName: 'a', team: 'b' })).toEqual([])
})

test('a misspelt field is a warning in an object that no cluster gets, unless a set may look for the object by the field', () => {
  const severities = (metadata: JsonRecord, isSelectable: boolean, local = 'true', more: JsonRecord = {}) =>
    faultsOf({ ...metadata, annotations: { 'config.kubernetes.io/local-config': local } }, more, isSelectable).map(
      ({ severity }) => severity,
    )
  for (const local of ['true', 'True']) {
    expect(severities({ lables: { a: 'b' } }, false, local)).toEqual(['warning'])
    expect(severities({ lables: { a: 'b' } }, true, local)).toEqual(['error'])
  }
  expect(severities({ uuid: 'a' }, true)).toEqual(['warning'])
  expect(severities({ lables: { a: 'b' } }, false, 'false')).toEqual(['error'])
  expect(severities({ lables: { a: 'b' } }, false, 'true', { apiVersion: 'kpt.dev/v1', kind: 'Kptfile' })).toEqual(['error'])
})

test('an object of an upstream package is none that a set selects, for `check` as for the guard of removals', async () => {
  const fleet = new TestRepository(testFolder())
  const site =
    'apiVersion: example.com/v1\nkind: Site\nmetadata: {name: a, lables: {env: prod}, annotations: {config.kubernetes.io/local-config: "true"}}\n'
  fleet.write('site.yaml', site)
  fleet.write('catalog/web@v1/site.yaml', site)
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n')
  fleet.write(
    'set.yaml',
    'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s}\nspec:\n  upstream: {repo: catalog, package: web, revision: 1}\n  targets:\n  - objectSelector: {apiVersion: example.com/v1, kind: Site, matchLabels: {env: prod}}\n    template: {downstream: {repoExpr: target.name}}\n',
  )
  const { stdout } = await fleet.run('check', '.')
  expect([...stdout.matchAll(/^(\S+):3:21: (error|warning).*lables/gm)].map(([, path, severity]) => [path, severity])).toEqual([
    ['catalog/web@v1/site.yaml', 'warning'],
    ['site.yaml', 'error'],
  ])
})

test('a name or namespace that is no text is an error of an object that an API server gets, with the text to write', () => {
  expect(faultsOf({ name: 7, namespace: true }).map(({ tags, field }) => [tags.rule, field?.path, field?.proposedValue])).toEqual([
    ['wrong-type', ['metadata', 'name'], '7'],
    ['wrong-type', ['metadata', 'namespace'], 'true'],
  ])
  expect(rulesOf({ name: 7 }, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile' })).toEqual([])
  expect(rulesOf({ name: 7, annotations: { 'config.kubernetes.io/local-config': 'true' } })).toEqual([])
  expect(rulesOf({ name: null, namespace: '${namespace}' })).toEqual([])
})
