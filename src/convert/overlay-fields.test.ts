import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import {
  fieldSetFiles,
  fieldSetNamed,
  fieldSetOf,
  fieldSets,
  fieldsByObject,
  overlayFields,
  replacementsFile,
  unchangedFields,
  withCommonFields,
} from './overlay-fields.ts'

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

test('an integer above 2^53 keeps its digits', () => {
  const overlay = `${BASE}  revisionHistoryLimit: 9007199254740993\n`
  expect(fieldsOf(BASE, overlay).map(({ path, value }) => [path.join('.'), value])).toEqual([
    ['spec.revisionHistoryLimit', 9007199254740993n],
  ])
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

/** Returns the fields that make one object another one, each as `PATH VALUE`; what is given comes behind the name. */
const between = (base: string, overlay: string, head = 'apiVersion: a.io/v1\nkind: Thing\nmetadata:\n  name: a\n') =>
  fieldsOf(head + base, head + overlay).map(({ path, value }) => `${path.join('.')} ${JSON.stringify(value)}`)

test.each([
  ['a value that differs', 'spec: {a: 1}\n', 'spec: {a: 2}\n', ['spec.a 2']],
  ['a value that the overlay lacks is none', 'spec: {a: 1}\n', 'spec: {}\n', []],
  ['null is none', 'spec: {a: 1}\n', 'spec: {a: null}\n', []],
  ['a map in the place of a text is none', 'spec: {a: x}\n', 'spec: {a: {b: 1}}\n', []],
  ['a text in the place of a map is none', 'spec: {a: {b: 1}}\n', 'spec: {a: x}\n', []],
  ['a list in the place of a text is none', 'spec: {a: x}\n', 'spec: {a: [b]}\n', []],
  ['a text in the place of a list is none', 'spec: {a: [b]}\n', 'spec: {a: x}\n', []],
  ['a list of scalars is one', 'spec: {a: [b]}\n', 'spec: {a: [b, c]}\n', ['spec.a ["b","c"]']],
  ['a list that the base lacks is one', 'spec: {x: 1}\n', 'spec: {x: 1, a: [b]}\n', ['spec.a ["b"]']],
  ['an empty list is none', 'spec: {a: [b]}\n', 'spec: {a: []}\n', []],
  ['a list of maps without names is none', 'spec: {a: [{b: 1}]}\n', 'spec: {a: [{b: 2}]}\n', []],
  ['an entry beside others of the base is none', 'spec: {a: [{name: x}]}\n', 'spec: {a: [{name: x}, {name: y, v: 1}]}\n', []],
  ['a key that a path cannot say is none', 'spec: {x: 1}\n', 'spec: {x: 1, "a b": 1}\n', []],
  ['an entry whose name a path cannot say is none', 'spec: {a: [{name: "x y", v: 1}]}\n', 'spec: {a: [{name: "x y", v: 2}]}\n', []],
  ['a key with a dot is one', 'data: {a: b}\n', 'data: {a: b, x.y: z}\n', ['data.x.y "z"']],
])('%s', (_what, base, overlay, expected) => {
  expect(between(base, overlay)).toEqual(expected)
})

test('what identifies an object is no field', () => {
  const head = (apiVersion: string, namespace: string) =>
    `apiVersion: ${apiVersion}\nkind: Thing\nmetadata: {name: a${namespace}, labels: {x: y}}\n`
  expect(fieldsOf(head('a.io/v1', ''), head('a.io/v2', ''))).toEqual([])
  expect(fieldsOf(head('a.io/v1', ', namespace: one'), head('a.io/v1', ', namespace: two'))).toEqual([])
  expect(between('', '  labels: {x: y}\n')).toEqual(['metadata.labels.x "y"'])
})

test('an object without a pair, and one of two of one kind and name, has no fields', () => {
  const [one, two] = ['n', 'm'].map((namespace) =>
    KrmObject.fromDocument(`kind: A\nmetadata: {name: a, namespace: ${namespace}}\nspec: {x: 1}\n`),
  )
  const wanted = KrmObject.fromDocument('kind: A\nmetadata: {name: a, namespace: n}\nspec: {x: 2}\n')
  if (one === undefined || two === undefined) throw new Error('two objects were asked for')
  expect(overlayFields([one], new Map([[one, wanted]])).map(({ value }) => value)).toEqual([2])
  expect(overlayFields([one], new Map())).toEqual([])
  expect(overlayFields([one, two], new Map([[one, wanted]]))).toEqual([])
})

test('sets are by their fields, in the order of their first clusters, and none without fields', () => {
  const field = (value: JsonValue) => ({ kind: 'A', name: 'a', path: ['spec', 'x'], value })
  const sets = fieldSets(
    new Map([
      ['a', [field(1)]],
      ['b', [field(2n ** 60n)]],
      ['c', [field(1)]],
      ['d', [field('1')]],
      ['e', []],
    ]),
  )
  expect(sets.map(({ clusters, fields }) => [clusters, fields.length])).toEqual([
    [['a', 'c'], 1],
    [['b'], 1],
    [['d'], 1],
  ])
})

test('a set is read from its object alone, without entries that are none', () => {
  const read = (kind: string, spec: object) => fieldSetOf(KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind, spec })))
  const good = { kind: 'A', name: 'a', path: ['x', 1, 'y'], value: false }
  const spec = { clusters: ['a', 2], fields: [good, 'a', { ...good, kind: 1 }, { ...good, name: 1 }, { kind: 'A', name: 'a', path: [] }] }
  expect(read('OverlayFields', spec)).toEqual({ clusters: ['a'], fields: [{ ...good, path: ['x', 'y'] }] })
  expect(read('OverlayFields', { clusters: 'a', fields: {} })).toEqual({ clusters: [], fields: [] })
  expect(read('ConfigMap', spec)).toBeUndefined()
})

test('a field is kept while every object of its kind and name has the value, and an object has it', () => {
  const objectOf = (kind: string, name: string, x: number) =>
    KrmObject.fromDocument(`kind: ${kind}\nmetadata: {name: ${name}}\nspec: {x: ${x}, l: [{name: e, v: ${x}}]}\n`)
  const isKept = (field: object, ...objects: readonly KrmObject[]) =>
    unchangedFields([{ kind: 'A', name: 'a', path: ['spec', 'x'], value: 1, ...field }], objects).length === 1
  expect(isKept({}, objectOf('A', 'a', 1), objectOf('B', 'a', 2), objectOf('A', 'b', 2))).toBe(true)
  expect(isKept({}, objectOf('A', 'a', 1), objectOf('A', 'a', 2))).toBe(false)
  expect(isKept({})).toBe(false)
  expect(isKept({ kind: '', name: '' }, objectOf('A', 'a', 1), objectOf('B', 'b', 1))).toBe(true)
  expect(isKept({ kind: '', name: '' }, objectOf('A', 'a', 1), objectOf('B', 'b', 2))).toBe(false)
  expect(isKept({ path: ['spec', 'l', '[name=e]', 'v'] }, objectOf('A', 'a', 1))).toBe(true)
  expect(isKept({ path: ['spec', 'l', '[name=f]', 'v'] }, objectOf('A', 'a', 1))).toBe(false)
})

test('a label that one object of the overlay lacks, and a field elsewhere, is no field for all objects', () => {
  const objects = ['prod', 'dev'].map((env) =>
    KrmObject.fromDocument(`kind: A\nmetadata: {name: a, labels: {env: ${env}, team: x}}\nspec: {b: {c: 1}}\n`),
  )
  const field = (...path: readonly string[]) => ({
    kind: 'A',
    name: 'a',
    path,
    value: path[0] === 'spec' ? 1 : path[2] === 'env' ? 'prod' : 'x',
  })
  const fields = [field('metadata', 'labels', 'env'), field('spec', 'b', 'c'), field('metadata', 'labels', 'team')]
  expect(withCommonFields(fields, objects)).toEqual([{ ...fields[2], kind: '', name: '' }, fields[0], fields[1]])
})

test('the replacements of a set find its fields by their group, and the objects by kind and name', () => {
  const fields = [
    { kind: 'A', name: 'a', path: ['spec', 'x.y'], value: 1 },
    { kind: '', name: '', path: ['metadata', 'labels', 'env'], value: 'p' },
  ]
  const [values = '', replacements = ''] = fieldSetFiles({ clusters: ['prod', 'dev'], fields }).values()
  const metadata = (name: string) => ({ name, annotations: { 'config.kubernetes.io/local-config': 'true' } })
  expect(KrmObject.fromDocument(values).toJson()).toEqual({
    apiVersion: 'prod.values.example.com/v1',
    kind: 'OverlayFields',
    metadata: metadata('prod-fields'),
    spec: { clusters: ['prod', 'dev'], fields },
  })
  const source = (index: number) => ({ group: 'prod.values.example.com', kind: 'OverlayFields', fieldPath: `spec.fields.${index}.value` })
  const options = { create: true }
  expect(KrmObject.fromDocument(replacements).toJson()).toEqual({
    apiVersion: 'fn.kpt.dev/v1alpha1',
    kind: 'ApplyReplacements',
    metadata: metadata('prod-replacements'),
    replacements: [
      { source: source(0), targets: [{ select: { kind: 'A', name: 'a' }, fieldPaths: ['spec.x\\.y'], options }] },
      {
        source: source(1),
        targets: [
          {
            select: {},
            reject: [{ kind: 'Kptfile' }, { annotationSelector: 'config.kubernetes.io/local-config=true' }],
            fieldPaths: ['metadata.labels.env'],
            options,
          },
        ],
      },
    ],
  })
})

test('the file of replacements names its set', () => {
  expect(fieldSetNamed(replacementsFile('prod'))).toBe('prod')
  for (const path of [
    'overlay/prod-fields.yaml',
    'x/overlay/prod-replacements.yaml',
    'overlay/-replacements.yaml',
    'overlay/prod-replacements.yaml.bak',
  ])
    expect(fieldSetNamed(path)).toBeUndefined()
})
