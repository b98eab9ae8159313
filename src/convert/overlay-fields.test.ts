import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { fieldSetFiles, fieldSetOf, fieldSets, fieldsByObject, overlayFields, unchangedFields, withCommonFields } from './overlay-fields.ts'

const BASE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  template:
    spec:
      containers:
        - name: shop
          image: nginx:1.29
`
const OVERLAY = `${BASE}          resources:
            limits:
              cpu: "2"
          env:
            - name: LEVEL
              value: "80"
        - name: proxy
          image: envoy:1
      hostNetwork: true
  replicas: 3
`

function fieldsOf(base: string, overlay: string) {
  const [object, wanted] = [base, overlay].map((text) => KrmObject.fromDocument(text))
  return object === undefined || wanted === undefined ? [] : overlayFields([object], new Map([[object, wanted]]))
}

test('fields that the base does not have are written by replacements, with their types', () => {
  const fields = fieldsOf(BASE, OVERLAY)
  expect(fields.map(({ path, value }) => [path.join('.'), value])).toEqual([
    ['spec.template.spec.containers.[name=shop].resources.limits.cpu', '2'],
    ['spec.template.spec.containers.[name=shop].env.[name=LEVEL].value', '80'],
    ['spec.template.spec.hostNetwork', true],
    ['spec.replicas', 3],
  ])
  expect(fieldsByObject(fields.slice(2))).toEqual(['Deployment shop spec.template.spec.hostNetwork, spec.replicas'])
})

test('a Secret, a name and an empty map give no fields', () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n'
  expect(fieldsOf(secret, `${secret}stringData:\n  a: b\n`)).toEqual([])
  expect(fieldsOf(BASE, BASE.replace('name: shop', 'name: other'))).toEqual([])
  expect(fieldsOf(BASE, `${BASE}      securityContext: {}\n`)).toEqual([])
})

test('overlays with the same fields share a set, which is read back from its file', () => {
  const fields = fieldsOf(BASE, OVERLAY)
  const [set, ...others] = fieldSets(
    new Map([
      ['a', fields],
      ['b', fields],
      ['c', []],
    ]),
  )
  expect(others).toEqual([])
  const files = set === undefined ? new Map<string, string>() : fieldSetFiles(set)
  expect([...files.keys()]).toEqual(['overlay/a-fields.yaml', 'overlay/a-replacements.yaml'])
  expect(fieldSetOf(KrmObject.fromDocument(files.get('overlay/a-fields.yaml') ?? ''))).toEqual({ clusters: ['a', 'b'], fields })
})

test('a field that the overlay has otherwise by now is not kept', () => {
  const changed = KrmObject.fromDocument(OVERLAY.replace('replicas: 3', 'replicas: 4'))
  expect(unchangedFields(fieldsOf(BASE, OVERLAY), [changed])).toHaveLength(3)
})

test('a label that all objects of an overlay have is one field for all objects', () => {
  const objects = ['a', 'b'].map((name) =>
    KrmObject.fromDocument(`kind: ConfigMap\nmetadata:\n  name: ${name}\n  labels:\n    example.com/env: prod\n    own: ${name}\n`),
  )
  const field = (name: string, key: string, value: string) => ({ kind: 'ConfigMap', name, path: ['metadata', 'labels', key], value })
  const fields = [field('a', 'example.com/env', 'prod'), field('b', 'example.com/env', 'prod'), field('a', 'own', 'a')]
  const common = withCommonFields(fields, objects)
  expect(common).toEqual([{ kind: '', name: '', path: ['metadata', 'labels', 'example.com/env'], value: 'prod' }, fields[2]])
  expect(fieldsByObject(common)[0]).toBe('all objects metadata.labels.example\\.com/env')
  expect(unchangedFields(common, objects)).toEqual(common)
  expect([...fieldSetFiles({ clusters: ['prod'], fields: common })][1]?.[1]).toContain(
    'annotationSelector: config.kubernetes.io/local-config=true',
  )
})
