import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { isOfSelectors, misreadMetadata, misspeltMetadata, typedNames } from './misread-metadata.ts'

/** Returns the path and the message of each fault of a Repository with this metadata. */
function faultsOf(metadata: string, more = ''): readonly string[] {
  const text = `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: ber\n${metadata}${more}`
  return misreadMetadata(KrmObject.fromDocument(text)).map(({ path, message }) => `${path.join('.')} ${message}`)
}

test('metadata that selectors read has no fault, nor has a field with a name of its own', () => {
  expect(faultsOf('  labels: {env: prod, size: "3"}\n  annotations: {note: }\n')).toEqual([])
  expect(faultsOf('  clusterName: ber\n')).toEqual([])
  expect(faultsOf('')).toEqual([])
})

test('a misspelt field of the metadata is reported with the field that was meant', () => {
  expect(faultsOf('  lables: {env: prod}\n')).toEqual(["metadata.lables is not a field of metadata; did you mean 'labels'?"])
  expect(faultsOf('  namepace: fleet\n')).toEqual(["metadata.namepace is not a field of metadata; did you mean 'namespace'?"])
})

test('a misspelt field by which no set finds objects is no fault here', () => {
  expect(faultsOf('  uuid: 4f0c\n  owner: shop\n')).toEqual([])
})

test('labels and annotations that are no map are reported, and labels that are no string', () => {
  expect(faultsOf('  labels: [env, prod]\n')).toEqual(['metadata.labels must be a map, got a list'])
  expect(faultsOf('  annotations: text\n')).toEqual(["metadata.annotations must be a map, got 'text'"])
  expect(faultsOf('  labels: {env: , size: {a: b}, list: [], tier: 1.0, live: True}\n')).toEqual([
    'metadata.labels.env must be a string, got nothing',
    'metadata.labels.size must be a string, got a map',
    'metadata.labels.list must be a string, got a list',
    'metadata.labels.tier must be a string, got the number 1.0',
    'metadata.labels.live must be a string, got the boolean True',
  ])
})

test('labels of a Repository outside of its metadata are reported, those of another kind are not', () => {
  expect(faultsOf('', 'labels: {env: prod}\n')).toEqual(['labels must be below `metadata`'])
  const other = KrmObject.fromDocument(
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: a}\nlabels: []\n',
  )
  expect(misreadMetadata(other)).toEqual([])
})

test('every misspelt field of the metadata is known with the field that was meant, and if sets find objects by that', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uuid: b, lables: {}, anotations: {}, clusterName: c, namepace: d}\n'
  const found = misspeltMetadata(KrmObject.fromDocument(text))
  expect(found.map((fault) => [fault.path.join('.'), fault.proposedKey, fault.atKey, isOfSelectors(fault)])).toEqual([
    ['metadata.uuid', 'uid', true, false],
    ['metadata.lables', 'labels', true, true],
    ['metadata.anotations', 'annotations', true, true],
    ['metadata.namepace', 'namespace', true, true],
  ])
  expect(misspeltMetadata(KrmObject.fromDocument('apiVersion: v1\nkind: A\nmetadata: lables\n'))).toEqual([])
})

test('a fault without a proposed field is none of a field by which sets find objects', () => {
  expect(isOfSelectors({ severity: 'error', rule: 'wrong-type', path: ['metadata', 'labels'], message: 'm' })).toBe(false)
})

test('labels outside of the metadata are reported of a Repository of Porch alone', () => {
  const faults = (apiVersion: string, kind: string) =>
    misreadMetadata(KrmObject.fromDocument(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nlabels: {}\n`))
  expect(faults('config.porch.kpt.dev/v1alpha1', 'Repository')).toMatchObject([{ path: ['labels'], rule: 'unknown-field', atKey: true }])
  expect(faults('source.example.com/v1', 'Repository')).toEqual([])
  expect(faults('config.porch.kpt.dev/v1alpha1', 'PackageVariant')).toEqual([])
})

test('a name or namespace without quotes that is a number or a boolean is an error that says how to write it', () => {
  const faults = (metadata: string) =>
    typedNames(KrmObject.fromDocument(`apiVersion: v1\nkind: A\nmetadata: {${metadata}}\n`)).map(
      ({ severity, message, tags, field }) => `${severity} ${tags.rule} ${field?.proposedValue} ${message}`,
    )
  const error = (field: string, found: string, text: string) =>
    `error wrong-type ${text} \`metadata.${field}\` must be a string, got ${found}; write "${text}"`
  expect(faults('name: 007, namespace: true')).toEqual([
    error('name', 'the number 007', '007'),
    error('namespace', 'the boolean true', 'true'),
  ])
  expect(faults('name: .5')).toEqual([error('name', 'the number .5', '.5')])
  expect(faults('name: "007", namespace: "true"')).toEqual([])
  expect(faults('name: 7up, namespace: trueish')).toEqual([])
  expect(faults('name: null, namespace: ~')).toEqual([])
  expect(faults('')).toEqual([])
})
