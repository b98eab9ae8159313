import { expect, test } from 'vitest'
import type { JsonRecord } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { objectMetadataFaults } from './object-metadata.ts'

/** Returns the rule of each finding about the metadata of an object. */
function rulesOf(metadata: JsonRecord, more: JsonRecord = {}): readonly string[] {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, ...more }
  return objectMetadataFaults(KrmObject.fromDocument(JSON.stringify(object))).map(({ tags }) => tags.rule)
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

test('a misspelt field of the metadata is an error of every object, a field of another name is none', () => {
  expect(rulesOf({ lables: { a: 'b' } })).toEqual(['unknown-field'])
  expect(rulesOf({ lables: { a: 'b' } }, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile' })).toEqual(['unknown-field'])
  expect(rulesOf({ clusterName: 'a', team: 'b' })).toEqual([])
})
