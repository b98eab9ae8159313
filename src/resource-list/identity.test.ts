import { expect, test } from 'vitest'
import { groupOf, identityOfObject } from './identity.ts'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

test.each([
  { apiVersion: 'apps/v1', group: 'apps' },
  { apiVersion: 'v1', group: '' },
  { apiVersion: '', group: '' },
  { apiVersion: 'a.example.com/v1/b', group: 'a.example.com' },
])('the group of $apiVersion is $group', ({ apiVersion, group }) => {
  expect(groupOf(apiVersion)).toBe(group)
})

test('group, kind, namespace and name identify an object; another version is the same object', () => {
  const object = { apiVersion: 'apps/v1', kind: 'A', namespace: 'n', name: 'a' }
  const same = identityOfObject(object)
  expect(identityOfObject({ ...object, apiVersion: 'apps/v2' })).toBe(same)
  for (const other of [{ apiVersion: 'v1' }, { kind: 'B' }, { namespace: '' }, { name: 'b' }, { namespace: 'a', name: 'n' }])
    expect(identityOfObject({ ...object, ...other })).not.toBe(same)
  expect(identityOfObject({})).toBe(identityOfObject({ apiVersion: '', kind: '', namespace: '', name: '' }))
})

function object(text: string): KrmObject {
  return KrmObject.fromDocument(text)
}

test('an identity has texts in the spelling of the file', () => {
  const { apiVersion, kind, name, namespace } = object('apiVersion: v1\nkind: A\nmetadata: {name: 007, namespace: 1.0}\n')
  expect([apiVersion, kind, name, namespace]).toEqual(['v1', 'A', '007', '1.0'])
})

test.each([
  { reason: 'no fields', text: 'x: 1\n' },
  { reason: 'null fields', text: 'apiVersion: null\nkind: ~\nmetadata: {name: null, namespace: null, labels: null, annotations: null}\n' },
  {
    reason: 'maps and lists for texts',
    text: 'apiVersion: {}\nkind: []\nmetadata: {name: {}, namespace: [], labels: [], annotations: a}\n',
  },
  { reason: 'metadata that is a text', text: 'metadata: a\n' },
  { reason: 'a list', text: '- a\n' },
])('an object without an identity has undefined fields and no labels: $reason', ({ text }) => {
  const { apiVersion, kind, name, namespace, labels, annotations, blanks, ref } = object(text)
  expect([apiVersion, kind, name, namespace]).toEqual([undefined, undefined, undefined, undefined])
  expect([labels, annotations, blanks]).toEqual([new Map(), new Map(), []])
  expect(ref).toEqual({ apiVersion: '', kind: '', name: '' })
})

test('labels and annotations without a value count as absent, and their paths are known', () => {
  const { labels, annotations, blanks } = object('metadata:\n  labels: {a: b, c: null, d: {}}\n  annotations:\n    e:\n    f: g\n')
  expect(labels).toEqual(new Map([['a', 'b']]))
  expect(annotations).toEqual(new Map([['f', 'g']]))
  expect(blanks).toEqual([
    ['metadata', 'labels', 'c'],
    ['metadata', 'annotations', 'e'],
  ])
})

test.each([1, 2, 3])('maps of %i equal entries are equal, and objects of other entries have their own', (count) => {
  const metadata = (value: string) => `metadata:\n  labels:\n${Array.from({ length: count }, (_, at) => `    k${at}: ${value}\n`).join('')}`
  const entries = (value: string) => new Map(Array.from({ length: count }, (_, at) => [`k${at}`, value]))
  const objects = ['a', 'a', 'b'].map((value) => object(metadata(value)))
  expect(objects.map(({ labels }) => labels)).toEqual(['a', 'a', 'b'].map(entries))
})

const LIST = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'

/** The only item of a list, with these lines below `metadata:`. */
function item(metadata: string): KrmObject | undefined {
  return ResourceList.parse(`${LIST}- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n${metadata}  spec:\n    b: 1\n`).items[0]
}

const PATH = "      config.kubernetes.io/path: 'a.yaml'\n"

test.each([
  { reason: 'no annotations', metadata: '', lines: 6, position: 6 },
  { reason: 'annotations of the user', metadata: '    annotations:\n      x: y\n', lines: 8, position: 8 },
  { reason: 'annotations of the wire beside one of the user', metadata: `    annotations:\n${PATH}      x: y\n`, lines: 8, position: 8 },
  {
    reason: 'annotations of the wire alone, whose key is not in the file either',
    metadata: `    annotations:\n${PATH}`,
    lines: 6,
    position: 6,
  },
  {
    reason: 'annotations of the wire in braces, which have no lines of their own',
    metadata: `    annotations: {config.kubernetes.io/path: 'a.yaml'}\n`,
    lines: 7,
    position: 7,
  },
])('the lines of the wire are not lines of the file: $reason', ({ metadata, lines, position }) => {
  const found = item(metadata)
  expect(found?.linesInFile).toBe(lines)
  expect(found?.positionOf(['spec', 'b']).line).toBe(position)
})

test('the file and the package of an item are those that its annotations name', () => {
  const found = item(
    `    annotations:\n${PATH}      config.kubernetes.io/index: '2'\n      internal.config.kubernetes.io/package-path: '/tmp/p'\n      x: y\n`,
  )
  expect([found?.file, found?.packagePath]).toEqual([{ path: 'a.yaml', index: 2 }, '/tmp/p'])
  expect(found?.annotations).toEqual(new Map([['x', 'y']]))
  expect(item('')?.file).toBeUndefined()
})
