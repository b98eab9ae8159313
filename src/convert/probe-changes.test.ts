import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { findSetters } from './find-setters.ts'
import { pairObjects } from './pair-objects.ts'
import { fieldsThatStay, probeTransformers } from './probe-changes.ts'

const deployment = (name: string, replicas: number, image: string) =>
  KrmObject.fromDocument(`apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, labels: {app: web}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    spec:
      containers:
        - name: web
          image: ${image}
          args: [--serve]
          ports:
            - containerPort: 8080
              hostPort: 80
`)

test('the changed base has other values, and keeps names, labels and the keys by which patches are merged', () => {
  const [{ patch, target } = {}] = probeTransformers([deployment('web.a', 1, 'web:1')])
  expect(target).toEqual({ group: 'apps', kind: 'Deployment', name: 'web\\.a' })
  expect(JSON.parse(String(patch))).toEqual([
    { op: 'replace', path: '/spec/replicas', value: 2 },
    { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'krm-variants-probe-web:1' },
    { op: 'replace', path: '/spec/template/spec/containers/0/args', value: ['--serve', 'krm-variants-probe'] },
    { op: 'replace', path: '/spec/template/spec/containers/0/ports/0/hostPort', value: 81 },
  ])
})

test('objects that a transformer cannot distinguish, Secrets and definitions are not changed', () => {
  const of = (kind: string, namespace: string) =>
    KrmObject.fromDocument(`apiVersion: v1\nkind: ${kind}\nmetadata: {name: a, namespace: ${namespace}}\ndata: {a: b}\n`)
  expect(probeTransformers([of('ConfigMap', 'one'), of('ConfigMap', 'two'), of('Secret', 'one')])).toEqual([])
})

test('a field that stays when the base changes is one of the overlay, also if it repeats the value of the base', () => {
  const [base, overlay] = [deployment('web', 1, 'web:1'), deployment('prod-web', 1, 'web:1')]
  const pairs = pairObjects([base], [overlay])
  const changed = deployment('web', 2, 'krm-variants-probe-web:1')
  const kept = fieldsThatStay(pairs, { base: [changed], overlay: [deployment('prod-web', 1, 'krm-variants-probe-web:1')] })
  expect(kept.get(base)).toEqual([['spec', 'replicas']])
  // A base that the transformer did not reach says nothing about the overlay.
  expect(fieldsThatStay(pairs, { base: [base], overlay: [overlay] }).get(base)).toEqual([])
  const values = findSetters([{ object: base, head: '' }], [{ target: 'prod', pairs, calls: [], kept }])
  expect(values.get('prod')).toMatchObject({ replicas: '1' })
  expect(base.toText()).toContain('replicas: 1 # kpt-set: ${replicas}')
})

/** Returns the other values of an object, by pointer. */
function otherValues(fields: string, kind = 'Thing'): Readonly<Record<string, unknown>> {
  const [{ patch = '[]' } = {}] = probeTransformers([
    KrmObject.fromDocument(`apiVersion: a.io/v1\nkind: ${kind}\nmetadata: {name: a}\n${fields}`),
  ])
  const changes: readonly { readonly path: string; readonly value: unknown }[] = JSON.parse(String(patch))
  return Object.fromEntries(changes.map(({ path, value }) => [path, value]))
}

test.each<[string, string, Readonly<Record<string, unknown>>]>([
  ['a number is one more', 'spec: {n: 0, m: 1.5}\n', { '/spec/n': 1, '/spec/m': 2.5 }],
  ['a boolean is the other one', 'spec: {yes: true, no: false}\n', { '/spec/yes': false, '/spec/no': true }],
  ['a text has a beginning of its own, and an empty one stays', 'spec: {a: x, b: ""}\n', { '/spec/a': 'krm-variants-probe-x' }],
  ['null stays', 'spec: {a: null}\n', {}],
  ['a list of texts has one more', 'spec: {l: [a, b]}\n', { '/spec/l': ['a', 'b', 'krm-variants-probe'] }],
  ['an empty list, and one with other values, stays', 'spec: {l: [], m: [1, a]}\n', {}],
  [
    'lists in lists are looked into',
    'spec: {l: [[a], b]}\n',
    { '/spec/l/0': ['a', 'krm-variants-probe'], '/spec/l/1': 'krm-variants-probe-b' },
  ],
  ['a key with a slash or tilde is escaped', 'data: {a/b~c: x}\n', { '/data/a~1b~0c': 'krm-variants-probe-x' }],
  ['the status stays', 'status: {a: x}\nspec: {a: x}\n', { '/spec/a': 'krm-variants-probe-x' }],
])('%s', (_what, fields, expected) => {
  expect(otherValues(fields)).toEqual(expected)
})

test('what overlays find objects by stays everywhere, and the keys of merges in the entries of lists', () => {
  const identities = [
    'name',
    'namespace',
    'kind',
    'apiGroup',
    'apiVersion',
    'labels',
    'annotations',
    'selector',
    'matchLabels',
    'matchExpressions',
    'labelSelector',
  ]
  const keys = ['containerPort', 'port', 'protocol', 'mountPath', 'devicePath', 'ip', 'topologyKey', 'key', 'type']
  const fields = (names: readonly string[]) => `{${names.map((name) => `${name}: x`).join(', ')}}`
  expect(otherValues(`spec: {of: ${fields(identities)}, l: [${fields(identities)}]}\n`)).toEqual({})
  expect(otherValues(`spec: {l: [${fields(keys)}]}\n`)).toEqual({})
  expect(Object.keys(otherValues(`spec: ${fields(keys)}\n`))).toEqual(keys.map((key) => `/spec/${key}`))
  expect(Object.keys(otherValues(`spec: {l: [{in: ${fields(keys)}}]}\n`))).toEqual(keys.map((key) => `/spec/l/0/in/${key}`))
})

test('definitions are not changed, and the hash of a generated name is no part of the target', () => {
  expect(otherValues('spec: {a: x}\n', 'CustomResourceDefinition')).toEqual({})
  const generated = KrmObject.fromDocument('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web-5f7b6c9d2k}\ndata: {a: b}\n')
  const second = deployment('web', 1, 'web:1')
  expect(probeTransformers([generated, second]).map(({ metadata, target }) => [metadata, target])).toEqual([
    [{ name: 'krm-variants-probe-0' }, { group: '', kind: 'ConfigMap', name: 'web' }],
    [{ name: 'krm-variants-probe-1' }, { group: 'apps', kind: 'Deployment', name: 'web' }],
  ])
})

test('a field does not stay that the overlay lacks, that follows the base, or that gets the value of the changed base', () => {
  const base = deployment('web', 1, 'web:1')
  const kept = (overlay: KrmObject, after: KrmObject) =>
    fieldsThatStay(pairObjects([base], [overlay]), { base: [deployment('web', 2, 'krm-variants-probe-web:1')], overlay: [after] })
      .get(base)
      ?.map((path) => path.join('.'))
  const follows = deployment('web', 2, 'krm-variants-probe-web:1')
  expect(kept(deployment('web', 1, 'web:1'), follows)).toEqual([])
  expect(kept(deployment('web', 5, 'web:1'), deployment('web', 5, 'krm-variants-probe-web:1'))).toEqual(['spec.replicas'])
  expect(kept(deployment('web', 2, 'web:1'), deployment('web', 2, 'krm-variants-probe-web:1'))).toEqual([])
  const lacking = (object: KrmObject) => KrmObject.fromDocument(object.toText().replace(/ {2}replicas: .*\n/, ''))
  expect(kept(lacking(base), lacking(follows))).toEqual([])
})

test('of a base or an overlay that is gone nothing is known', () => {
  const [base, overlay] = [deployment('web', 1, 'web:1'), deployment('web', 5, 'web:1')]
  const [changed, after] = [deployment('web', 2, 'krm-variants-probe-web:1'), deployment('web', 5, 'krm-variants-probe-web:1')]
  const kept = (of: Parameters<typeof fieldsThatStay>[1]) => fieldsThatStay(pairObjects([base], [overlay]), of).get(base)
  expect(kept({ base: [changed], overlay: [after] })).toEqual([['spec', 'replicas']])
  expect(kept({ base: [], overlay: [after] })).toEqual([])
  expect(kept({ base: [changed], overlay: [] })).toEqual([])
})

test('objects of one kind, or of one name, are changed each', () => {
  const of = (kind: string, name: string) =>
    KrmObject.fromDocument(`apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\ndata: {a: b}\n`)
  const found = probeTransformers([of('ConfigMap', 'a'), of('ConfigMap', 'b'), of('Thing', 'a'), of('SecretStore', 'c')])
  expect(found.map(({ metadata }) => metadata)).toEqual([0, 1, 2, 3].map((index) => ({ name: `krm-variants-probe-${index}` })))
})
