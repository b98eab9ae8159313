import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { layOutFiles } from './file-layout.ts'
import type { VendorObject } from './vendor-objects.ts'

interface Named {
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  /** The file of the last revision. */
  readonly path?: string
}

function object({ apiVersion = 'v1', kind = 'Service', name = 'a', namespace, path = 'x.yaml' }: Named): KrmObject {
  const text = JSON.stringify({ apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } })
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}

function vendor(...objects: readonly Named[]): readonly VendorObject[] {
  return objects.map((each) => ({ object: object(each), head: '' }))
}

/** Returns the paths of the files, after the objects of the last revision. */
function paths(objects: readonly Named[], last: readonly Named[] = [], others: readonly string[] = []): readonly string[] {
  return [...layOutFiles(vendor(...objects), last.map(object), others).keys()]
}

test.each<{ readonly reason: string; readonly objects: readonly Named[]; readonly expected: readonly string[] }>([
  { reason: 'kind and name', objects: [{ kind: 'ConfigMap', name: 'web.1_a' }], expected: ['configmap-web.1_a.yaml'] },
  { reason: 'signs of a name', objects: [{ kind: 'ClusterRole', name: 'system:Auth::x' }], expected: ['clusterrole-system-auth-x.yaml'] },
  { reason: 'dots at the ends and together', objects: [{ name: '..a...b.' }], expected: ['service-a.b.yaml'] },
  { reason: 'dots of a kind', objects: [{ kind: 'A.b', name: 'c' }], expected: ['a-b-c.yaml'] },
  {
    reason: 'one namespace is not named',
    objects: [{ namespace: 'n' }, { name: 'b' }, { name: 'c', namespace: '' }],
    expected: ['service-a.yaml', 'service-b.yaml', 'service-c.yaml'],
  },
  {
    reason: 'two namespaces are',
    objects: [{ namespace: 'n' }, { namespace: 'm' }, { name: 'b' }],
    expected: ['m-service-a.yaml', 'n-service-a.yaml', 'service-b.yaml'],
  },
  {
    reason: 'dots of a namespace',
    objects: [{ namespace: 'n.o' }, { namespace: 'm' }],
    expected: ['m-service-a.yaml', 'n-o-service-a.yaml'],
  },
  {
    reason: 'definitions have a folder, and other kinds of that name have none',
    objects: [
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'a' },
      { apiVersion: 'example.com/v1', kind: 'CustomResourceDefinition', name: 'b' },
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'Other', name: 'c' },
    ],
    expected: ['crds/customresourcedefinition-a.yaml', 'customresourcedefinition-b.yaml', 'other-c.yaml'],
  },
  {
    reason: 'objects of one kind name get the group of their kind',
    objects: [{ apiVersion: 'a.example.com/v1' }, { apiVersion: 'b.example.com/v1' }],
    expected: ['service-a.example.com-a.yaml', 'service-b.example.com-a.yaml'],
  },
])('the files of new objects: $reason', ({ objects, expected }) => {
  expect(paths(objects)).toEqual(expected)
  expect(paths(objects.toReversed())).toEqual(expected)
})

test('names that differ in case only get a digest, the same in each order', () => {
  const objects = [
    { kind: 'ClusterRole', name: 'Web' },
    { kind: 'ClusterRole', name: 'web' },
  ]
  const found = paths(objects)
  expect(found).toHaveLength(2)
  for (const path of found) expect(path).toMatch(/^clusterrole-web-[0-9a-f]{10}\.yaml$/)
  expect(paths(objects.toReversed())).toEqual(found)
})

test('a long name is cut, so that every file system takes the file', () => {
  const [path = ''] = paths([{ name: 'x'.repeat(300) }])
  expect(path.length).toBeLessThanOrEqual(245)
  expect(path.startsWith('service-xxx')).toBe(true)
})

test('an object stays in its file, and several in one file stay in their order', () => {
  const last = [
    { name: 'b', path: 'all.yaml' },
    { name: 'a', path: 'all.yaml' },
  ]
  const files = layOutFiles(vendor({ name: 'a' }, { name: 'c' }, { name: 'b' }), last.map(object))
  expect([...files.keys()]).toEqual(['all.yaml', 'service-c.yaml'])
  expect(files.get('all.yaml')?.match(/"name":"(.)"/g)).toEqual(['"name":"b"', '"name":"a"'])
})

test('a document with a line of its own is between two objects of a file', () => {
  const files = layOutFiles(
    vendor({ name: 'a' }, { name: 'b' }),
    [
      { name: 'a', path: 'x.yaml' },
      { name: 'b', path: 'x.yaml' },
    ].map(object),
  )
  expect(files.get('x.yaml')).toMatch(/^\{.*\}\n---\n\{.*\}\n$/)
})

test('a new object does not take the file of another one, in whatever case', () => {
  expect(paths([{ name: 'b' }, { name: 'a' }], [{ name: 'a', path: 'Service-B.yaml' }])).toEqual(['Service-B.yaml', 'service--b.yaml'])
})

test('a new object does not take the file of something else, in whatever case, and each name has one that follows', () => {
  const one = { apiVersion: 'example.com/v1' }
  const others = ['Service-A.yaml']
  expect(paths([one], [], others)).toEqual(['service-example.com-a.yaml'])
  for (const expected of [
    /^service-example\.com-a\.yaml$/,
    /^service-a-[0-9a-f]{10}\.yaml$/,
    /^service-a-[0-9a-f]{10}-2\.yaml$/,
    /-3\.yaml$/,
  ]) {
    const [path = ''] = paths([one], [], others)
    expect(path).toMatch(expected)
    others.push(path.toUpperCase())
  }
})

test.each([
  { reason: 'in a file of YAML', path: 'x.yml', expected: 'x.yml' },
  { reason: 'in another file', path: 'x.json', expected: 'service-a.yaml' },
])('an object of the last revision $reason', ({ path, expected }) => {
  expect(paths([{}], [{ path }])).toEqual([expected])
})

test('an object that the last revision has twice stays in the first file', () => {
  expect(paths([{}], [{ path: 'x.yaml' }, { path: 'y.yaml' }])).toEqual(['x.yaml'])
})

test('a kind that moved to another group stays in its file, unless two groups have the name', () => {
  const moved = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' }
  const old = { apiVersion: 'extensions/v1beta1', kind: 'Ingress', path: 'x.yaml' }
  expect(paths([moved], [old])).toEqual(['x.yaml'])
  expect(paths([{ ...moved, name: 'b' }], [old])).toEqual(['ingress-b.yaml'])
  expect(paths([{ ...moved, namespace: 'n' }], [old])).toEqual(['ingress-a.yaml'])
  expect(paths([moved], [old, { ...old, apiVersion: 'other/v1', path: 'y.yaml' }])).toEqual(['ingress-a.yaml'])
})

const DEFINITION = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }

test.each([
  ['Service-A.yaml/notes.txt', {}, 'service-example.com-a.yaml'],
  ['crds', DEFINITION, 'customresourcedefinition-a.yaml'],
  ['CRDs', DEFINITION, 'customresourcedefinition-a.yaml'],
  ['crds/Kptfile', DEFINITION, 'customresourcedefinition-a.yaml'],
  ['crds/notes.txt', DEFINITION, 'crds/customresourcedefinition-a.yaml'],
])('with %s of a person, a new object is in no file that is a folder, and in no package of its own', (other, object, expected) => {
  expect(paths([{ apiVersion: 'example.com/v1', ...object }], [], [other])).toEqual([expected])
})
