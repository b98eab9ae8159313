import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import type { SentItem } from './function-input.ts'
import { applyOutput, checkPlaces, OutputError, readOutput } from './function-output.ts'
import type { PipelineItem } from './package-tree.ts'

const PLACE = { folder: 'sub', root: '/a', folders: new Set(['', 'sub', 'sub/deep']), isDropped: false }
const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'

/** Returns a list with items; each item is the lines of its annotations, and more fields. */
function listWith(...items: readonly (readonly [annotations: Readonly<Record<string, string>>, more?: string])[]): string {
  const texts = items.map(([annotations, more = 'kind: ConfigMap\n  metadata:\n    name: a']) => {
    const lines = Object.entries(annotations).map(([key, value]) => `      ${key}: '${value}'\n`)
    return `- apiVersion: v1\n  ${more}\n${lines.length === 0 ? '' : `    annotations:\n${lines.join('')}`}`
  })
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${texts.join('')}`
}

const ITEM: PipelineItem = { object: KrmObject.fromDocument(OBJECT), folder: 'sub', path: 'a.yaml', index: '0' }
const SENT: readonly SentItem[] = [{ item: ITEM, id: '1', text: '' }]
const ID = { 'internal.config.kubernetes.io/id': '1' }
const PATH = 'internal.config.kubernetes.io/path'
const LEGACY_PATH = 'config.kubernetes.io/path'
const INDEX = 'internal.config.kubernetes.io/index'

/** Returns the place of each item in the output, and if it is the item that was sent; the message for an output that cannot be used. */
function placesIn(stdout: string, sent = SENT): unknown {
  try {
    return readOutput(stdout, { text: 'as sent', sent }, PLACE).map(({ item }) => {
      const place = `${item.folder}:${item.path}:${item.index}`
      return item.object === ITEM.object ? `sent ${place}` : `new ${place}`
    })
  } catch (error) {
    if (error instanceof OutputError) return error.message
    throw error
  }
}

test('the text that was sent is the items that were sent, unread', () => {
  expect(readOutput('as sent', { text: 'as sent', sent: SENT }, PLACE)).toEqual([{ item: ITEM }])
})

test('a function that prints nothing is refused, a list without items only if the function got some', () => {
  for (const stdout of ['', ' \n'])
    expect(placesIn(stdout)).toBe('printed nothing: a function that changes nothing must print the list that it got')
  const bare = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nresults: []\n'
  expect(placesIn(bare)).toBe('printed a ResourceList without `items`')
  expect(placesIn(bare, [])).toEqual([])
  expect(placesIn(`${bare}items: []\n`)).toEqual([])
  expect(placesIn(`${bare}"items": []\n`)).toEqual([])
  expect(placesIn('{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": []}')).toEqual([])
})

test.each([
  // [annotations, the place]
  [{ ...ID }, 'sent sub::'],
  [{ ...ID, [PATH]: 'a.yaml', [LEGACY_PATH]: 'a.yaml', [INDEX]: '0' }, 'sent sub:a.yaml:0'],
  [{ 'config.k8s.io/id': '1', [PATH]: 'a.yaml' }, 'sent sub:a.yaml:'],
  [{ ...ID, [PATH]: 'b.yaml', [LEGACY_PATH]: 'a.yaml' }, 'sent sub:b.yaml:'],
  [{ ...ID, [PATH]: 'a.yaml', [LEGACY_PATH]: 'b.yaml' }, 'sent sub:b.yaml:'],
  [{ ...ID, [LEGACY_PATH]: 'b.yaml' }, 'sent sub:b.yaml:'],
  [{ ...ID, [PATH]: 'b.yaml' }, 'sent sub:b.yaml:'],
  [{ ...ID, [PATH]: '' }, 'sent sub:a.yaml:'],
  [{ ...ID, [PATH]: 'a.yaml', [INDEX]: '7' }, 'sent sub:a.yaml:7'],
  [{ ...ID, [PATH]: 'a.yaml', [INDEX]: '-1' }, 'sent sub:a.yaml:-1'],
  [{ ...ID, [PATH]: 'a.yaml', 'internal.config.kubernetes.io/package-path': '/a' }, 'sent :a.yaml:'],
  [{ ...ID, [PATH]: 'a.yaml', 'internal.config.kubernetes.io/package-path': '/a/sub/deep' }, 'sent sub/deep:a.yaml:'],
  [{ ...ID, [PATH]: 'a.yaml', 'internal.config.kubernetes.io/package-path': '' }, 'sent sub:a.yaml:'],
  [{ 'internal.config.kubernetes.io/id': '9', [PATH]: 'a.yaml' }, 'new sub:a.yaml:'],
  [{ [LEGACY_PATH]: './d//b.yaml' }, 'new sub:d/b.yaml:'],
  [{}, 'new sub:configmap_a.yaml:'],
])('an item with the annotations %j is at %s', (annotations, place) => {
  // An item without a path and one that was sent without places gets a name of its own.
  const expected = place === 'sent sub::' ? 'sent sub:configmap_a.yaml:' : place
  expect(placesIn(listWith([annotations]))).toEqual([expected])
})

test('a new item in a namespace goes to a folder of the namespace', () => {
  expect(placesIn(listWith([{}, 'kind: RoleBinding\n  metadata:\n    name: a\n    namespace: ops']))).toEqual([
    'new sub:ops/rolebinding_a.yaml:',
  ])
})

test.each([
  [{ ...ID, [PATH]: 'b.yaml', [LEGACY_PATH]: 'c.yaml' }, "gives one resource two places: path 'b.yaml' and 'c.yaml'"],
  [{ ...ID, [INDEX]: '1', 'config.kubernetes.io/index': '2' }, "gives one resource two places: index '1' and '2'"],
  [{ ...ID, [PATH]: 'a.yaml', [INDEX]: 'x' }, "gives 'a.yaml' the index 'x', which must be a whole number"],
  [{ ...ID, [PATH]: 'a.yaml', [INDEX]: '1.5' }, "gives 'a.yaml' the index '1.5', which must be a whole number"],
  [{ ...ID, [PATH]: '../a.yaml' }, "puts a resource to '../a.yaml', which must not contain '..'"],
  [
    { 'internal.config.kubernetes.io/package-path': '/a/other' },
    "puts a resource into '/a/other', which is no package below the one that runs",
  ],
  [
    { 'internal.config.kubernetes.io/package-path': '/ab/sub' },
    "puts a resource into '/ab/sub', which is no package below the one that runs",
  ],
  [{ 'internal.config.kubernetes.io/package-path': '/' }, "puts a resource into '/', which is no package below the one that runs"],
])('an item with the annotations %j cannot be used: it %s', (annotations, message) => {
  expect(placesIn(listWith([annotations]))).toBe(message)
})

test('an item that is no resource cannot be used', () => {
  expect(placesIn(listWith([{ [PATH]: 'x.yaml' }, 'metadata:\n    name: a']))).toBe("printed a resource without `kind`, for 'x.yaml'")
})

test('of two items with one id the second is a new one', () => {
  expect(placesIn(listWith([{ ...ID, [PATH]: 'a.yaml' }], [{ ...ID, [PATH]: 'b.yaml' }]))).toEqual(['sent sub:a.yaml:', 'new sub:b.yaml:'])
})

test('documents without a list are resources, what is neither is refused', () => {
  expect(placesIn(`${OBJECT}---\n# nothing\n---\n${OBJECT}`)).toEqual(['new sub:configmap_a.yaml:', 'new sub:configmap_a.yaml:'])
  for (const stdout of ['hello', '- a\n', `${OBJECT}---\ntext\n`, 'kind: ResourceList\nitems: text\n'])
    expect(placesIn(stdout)).toMatch(/^printed what is no ResourceList: /)
  expect(() => placesIn('a: [\n')).toThrow(WireError)
})

test('two items at one path and index of a package are refused, and others are not', () => {
  const at = (folder: string, path: string, index: string): PipelineItem => ({ ...ITEM, folder, path, index })
  const items = [at('', 'a', '0'), at('', 'a', '1'), at('', 'b', '0'), at('sub', 'a', '0')]
  expect(() => checkPlaces(items)).not.toThrow()
  expect(() => checkPlaces([...items, at('sub', 'a', '0')])).toThrow(new OutputError("puts two resources at path 'sub/a' and index '0'"))
})

test('an output is written to the lines that differ, and one with the same values changes no byte', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap # why\nmetadata: {name: a}\ndata: {k:  v, l: w}\n'
  const after = (output: string) => {
    const object = KrmObject.fromDocument(text)
    const item = { ...ITEM, object }
    expect(applyOutput([{ item, output: KrmObject.fromDocument(output) }])).toEqual([item])
    return object.toText()
  }
  expect(after('data: {l: w, k: v}\nmetadata: {name: a}\nkind: ConfigMap\napiVersion: v1\n')).toBe(text)
  expect(after(text.replace('k:  v', 'k: x'))).toBe(text.replace('k:  v', 'k:  x'))
  expect(applyOutput([{ item: ITEM }])).toEqual([ITEM])
})
