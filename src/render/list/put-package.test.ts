import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import type { RenderedContent, RenderedObject } from '../clone/rendered-package.ts'
import { placeOf, putPackage } from './put-package.ts'

const config = (name: string, value = '1') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: "${value}"\n`

/** Returns a list with the package of `a/shop`: the names of the objects of each file. */
function listOf(files: Readonly<Record<string, readonly string[]>>) {
  const placed = Object.entries(files).flatMap(([path, names]) => names.map((name, index) => ({ path: `a/shop/${path}`, name, index })))
  const items = placed.map(({ path, name, index }) => {
    const wire = { 'config.kubernetes.io/path': path, 'config.kubernetes.io/index': String(index) }
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations: wire }, data: { a: '1' } }
  })
  const lines = items.map((item) => `- ${JSON.stringify(item)}\n`)
  const list = ResourceList.parse(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${lines.join('')}`)
  const of = (path: string) => list.items.filter(({ file }) => file?.path === `a/shop/${path}`)
  return { list, downstream: new Map(Object.keys(files).map((path) => [path, of(path)])) }
}

const kept = (source: KrmObject): RenderedObject => ({ from: 'ours', source, object: source })
const fresh = (name: string): RenderedObject => {
  const object = KrmObject.fromDocument(config(name))
  return { from: 'theirs', source: object, object }
}

/** Returns the items of a list as FILE#INDEX NAME. */
const placesIn = (list: ResourceList) =>
  ResourceList.parse(list.toString())
    .items.map(({ file, name }) => `${file?.path}#${file?.index} ${name}`)
    .sort()

const PLACE = { folder: 'a/shop', near: undefined, isMoved: false }

test('an object that upstream puts in front of others gives these the next indexes', () => {
  const { list, downstream } = listOf({ 'x.yaml': ['a', 'b'] })
  const [a, b] = downstream.get('x.yaml') ?? []
  if (a === undefined || b === undefined) throw new Error('two objects')
  putPackage(list, new Map([['x.yaml', [fresh('new'), kept(a), kept(b)]]]), downstream, PLACE)
  expect(placesIn(list)).toEqual(['a/shop/x.yaml#0 new', 'a/shop/x.yaml#1 a', 'a/shop/x.yaml#2 b'])
})

test('an object behind the others keeps their indexes', () => {
  const { list, downstream } = listOf({ 'x.yaml': ['a', 'b'] })
  const own = (downstream.get('x.yaml') ?? []).map(kept)
  putPackage(
    list,
    new Map([
      ['x.yaml', [...own, fresh('new')]],
      ['y.yaml', [fresh('other')]],
    ]),
    downstream,
    PLACE,
  )
  expect(placesIn(list)).toEqual(['a/shop/x.yaml#0 a', 'a/shop/x.yaml#1 b', 'a/shop/x.yaml#2 new', 'a/shop/y.yaml#0 other'])
})

test('an object that the package no longer has leaves the list, and the indexes of the others stay', () => {
  const { list, downstream } = listOf({ 'x.yaml': ['a', 'b'], 'y.yaml': ['c'] })
  const [, b] = downstream.get('x.yaml') ?? []
  if (b === undefined) throw new Error('two objects')
  putPackage(list, new Map([['x.yaml', [kept(b)]]]), downstream, PLACE)
  expect(placesIn(list)).toEqual(['a/shop/x.yaml#1 b'])
})

test('a package in another folder moves with all its objects, numbered from 0', () => {
  const { list, downstream } = listOf({ 'x.yaml': ['a', 'b'] })
  const [, b] = downstream.get('x.yaml') ?? []
  if (b === undefined) throw new Error('two objects')
  putPackage(list, new Map([['x.yaml', [kept(b)]]]), downstream, { folder: 'b/shop', near: undefined, isMoved: true })
  expect(placesIn(list)).toEqual(['b/shop/x.yaml#0 b'])
})

test('a changed object has its new text, and no file of bytes is an item', () => {
  const { list, downstream } = listOf({ 'x.yaml': ['a'] })
  const [a] = downstream.get('x.yaml') ?? []
  if (a === undefined) throw new Error('one object')
  const changed = a.draft()
  changed.set(['data', 'a'], '2')
  const files = new Map<string, RenderedContent>([
    ['x.yaml', [{ from: 'ours', source: a, object: changed }]],
    ['README.md', new Uint8Array()],
  ])
  putPackage(list, files, downstream, PLACE)
  expect(list.items.map((item) => item.get(['data', 'a']))).toEqual(['2'])
})

test('objects that changed places are all numbered from 0', () => {
  const { list, downstream } = listOf({ 'x.yaml': ['a', 'b', 'c'] })
  const [a, b, c] = downstream.get('x.yaml') ?? []
  if (a === undefined || b === undefined || c === undefined) throw new Error('three objects')
  putPackage(list, new Map([['x.yaml', [kept(b), kept(a), kept(c)]]]), downstream, PLACE)
  expect(placesIn(list)).toEqual(['a/shop/x.yaml#0 b', 'a/shop/x.yaml#1 a', 'a/shop/x.yaml#2 c'])
})

test.each([
  ['Kptfile', ''],
  ['shop/Kptfile', 'shop'],
  ['a/shop/Kptfile', 'a/shop'],
  [undefined, ''],
])('the package of the Kptfile at %s is in the folder %j, near the Kptfile', (path, folder) => {
  const kptfile = KrmObject.fromDocument('kind: Kptfile\n', path === undefined ? undefined : { path, index: 0, line: 1 })
  expect(placeOf(kptfile)).toEqual({ folder, near: kptfile, isMoved: false })
})
