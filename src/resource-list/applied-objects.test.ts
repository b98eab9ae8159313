import { expect, test } from 'vitest'
import { appliedObjects, isLocalConfig, placeInList } from './applied-objects.ts'
import { KrmObject } from './krm-object.ts'

function objectsOf(text: string): readonly KrmObject[] {
  return appliedObjects(KrmObject.fromDocument(text, { path: 'l.yaml', index: 0, line: 11 }))
}

function named(objects: readonly KrmObject[]): readonly string[] {
  return objects.map(({ apiVersion, kind, name }) => `${apiVersion} ${kind} ${name}`)
}

const LIST = `apiVersion: v1
kind: List
items:
# of the shop
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
  data:
    x: &x "1"
    text: |
      two
      lines

-   kind: List
    apiVersion: v1
    items: [{apiVersion: apps/v1, kind: Deployment, metadata: {name: b}, spec: {replicas: 3}}]
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: c}
  data:
    x: *x
`

test('the entries of a List, and of a List in it, are objects with their values and places', () => {
  const objects = objectsOf(LIST)
  expect(named(objects)).toEqual(['v1 ConfigMap a', 'apps/v1 Deployment b', 'v1 ConfigMap c'])
  expect(objects.map((object) => object.toJson())).toMatchObject([
    { data: { x: '1', text: 'two\nlines\n' } },
    { spec: { replicas: 3 } },
    { data: { x: '1' } },
  ])
  const list = KrmObject.fromDocument(LIST, { path: 'l.yaml', index: 0, line: 11 })
  const places = [objects[0]?.positionOf(['data', 'x']), objects[1]?.positionOf(['spec', 'replicas'])]
  expect(places).toEqual([list.positionOf(['items', 0, 'data', 'x']), list.positionOf(['items', 1, 'items', 0, 'spec', 'replicas'])])
  // The value of an alias is known in the List alone: the line is that of the entry.
  expect(objects[2]?.positionOf(['data', 'x']).line).toBeGreaterThanOrEqual(27)
  expect(objects.map(({ file }) => file)).toEqual(Array(3).fill({ path: 'l.yaml', index: 0 }))
})

test('an entry that ends in a text with its blank lines has its comments and places', () => {
  const [entry] = objectsOf('kind: List\nitems:\n- kind: A # c\n\n  note: |+\n    one\n\n\n- kind: B\n')
  expect(entry?.get(['note'])).toBe('one\n\n\n')
  expect([entry?.toText().includes('# c'), entry?.positionOf(['note']).line]).toEqual([true, 15])
})

test('an entry without apiVersion and kind has those of a list such as ConfigMapList', () => {
  const objects = objectsOf(
    'kind: RoleList\napiVersion: rbac.authorization.k8s.io/v1\nitems:\n- metadata:\n    name: a\n- {metadata: {name: b}}\n',
  )
  expect(named(objects)).toEqual(['rbac.authorization.k8s.io/v1 Role a', 'rbac.authorization.k8s.io/v1 Role b'])
  expect(objects[0]?.positionOf(['metadata', 'name'])).toEqual({ line: 15, column: 11 })
})

test('an object with items of another form, and a kind that only ends like a list, is one object', () => {
  expect(objectsOf('kind: AllowList\napiVersion: x/v1\nitems: [a, b]\n')).toHaveLength(1)
  expect(objectsOf('kind: List\napiVersion: v1\nitems:\n- *unknown\n')).toHaveLength(1)
  expect(objectsOf('kind: Deployment\napiVersion: v1\nitems: [{kind: Pod}]\n')).toHaveLength(1)
  expect(objectsOf('kind: List\napiVersion: v1\nitems: []\n')).toEqual([])
})

test('an entry is placed by the outermost List and its path in it, a document is in no List', () => {
  const list = KrmObject.fromDocument(LIST, { path: 'l.yaml', index: 0, line: 11 })
  const objects = appliedObjects(list)
  expect(objects.map((object) => placeInList(object)?.path)).toEqual([
    ['items', 0],
    ['items', 1, 'items', 0],
    ['items', 2],
  ])
  for (const object of objects) expect(placeInList(object)?.list).toBe(list)
  const [document] = objectsOf('kind: Pod\napiVersion: v1\n')
  expect(document && placeInList(document)).toBeUndefined()
})

test('the entries of a List are made once for a text', () => {
  const list = KrmObject.fromDocument('kind: List\napiVersion: v1\nitems:\n- {kind: A, apiVersion: v1, metadata: {name: a}}\n')
  const before = appliedObjects(list)
  expect(appliedObjects(list)).toBe(before)
  list.set(['items', 0, 'metadata', 'name'], 'b')
  expect(named(appliedObjects(list))).toEqual(['v1 A b'])
  expect(named(before)).toEqual(['v1 A a'])
})

test.each([
  ['a kind of its own', '{kind: Role, metadata: {name: a}}', 'undefined Role a'],
  ['an apiVersion of its own', '{apiVersion: x/v1, metadata: {name: a}}', 'x/v1 undefined a'],
])('an entry of a ConfigMapList with %s takes nothing of the list', (_, entry, expected) => {
  expect(named(objectsOf(`kind: ConfigMapList\napiVersion: v1\nitems:\n- ${entry}\n`))).toEqual([expected])
})

test.each([
  ["'true'", true],
  ["'True'", true],
  ["'TRUE'", true],
  ["'false'", false],
  ["''", false],
  ["'yes'", false],
  ["' true'", false],
  ['true', true],
  ['null', false],
])('local-config with %s: never applied is %s', (value, expected) => {
  const object = KrmObject.fromDocument(`metadata: {annotations: {config.kubernetes.io/local-config: ${value}}}\n`)
  expect(isLocalConfig(object)).toBe(expected)
})

test('an object without annotations is applied', () => {
  expect(isLocalConfig(KrmObject.fromDocument('kind: A\n'))).toBe(false)
})
