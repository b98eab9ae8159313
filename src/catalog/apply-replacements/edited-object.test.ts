import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { EditedObject } from './edited-object.ts'
import { type Field, memberField, plainScalar } from './field-tree.ts'

const TEXT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: {a: x, n: 5, m: {}}
spec:
  mode: 0644 # octal
  other: 1
`

const edited = (text = TEXT) => new EditedObject(writtenObject(text))

test('the identity follows what a replacement writes into the head, also after it was read', () => {
  const object = edited()
  expect(object.identity).toEqual({ group: 'apps', version: 'v1', kind: 'Deployment', name: 'web', namespace: 'shop' })
  object.put(['metadata', 'name'], plainScalar('till'))
  object.put(['apiVersion'], plainScalar('v1'))
  object.put(['kind'], plainScalar('Pod'))
  expect(object.identity).toEqual({ group: '', version: 'v1', kind: 'Pod', name: 'till', namespace: 'shop' })
})

test.each([
  [['apiVersion'], { version: 'new' }],
  [['kind'], { kind: 'new' }],
  [['metadata', 'name'], { name: 'new' }],
])('the identity is read anew after %j was written alone', ([...path], changed) => {
  const object = edited()
  expect(object.identity).toMatchObject({ group: 'apps', kind: 'Deployment', name: 'web' })
  object.put(path, plainScalar('new'))
  expect(object.identity).toMatchObject(changed)
})

test('null and a missing field in the head are no text', () => {
  const object = edited('kind: A\nmetadata:\n  name: ~\n')
  expect(object.root.type).toBe('map')
  expect(object.identity).toEqual({ group: '', version: '', kind: 'A', name: '', namespace: '' })
})

test('labels are those of this moment, and a value that is no scalar is an empty text', () => {
  const object = edited()
  object.put(['metadata', 'labels', 'a'], plainScalar('y'))
  expect([...object.pairs('labels')]).toEqual([
    ['a', 'y'],
    ['n', '5'],
    ['m', ''],
  ])
  expect(object.pairs('annotations').size).toBe(0)
})

test.each<[string, Field, string]>([
  ['a text stays a text', { type: 'scalar', text: '5', value: '5' }, 'other: "5"'],
  ['a number is written as spelled', plainScalar('0755'), 'other: 0755'],
  ['a number in decimal too', plainScalar('80'), 'other: 80'],
  ['null', plainScalar(''), 'other: null'],
  ['a map with members', { type: 'map', entries: new Map([['k', plainScalar('v')]]) }, 'k: v'],
  ['an empty map', { type: 'map', entries: new Map() }, 'other: {}'],
  ['an empty list', { type: 'list', items: [] }, 'other: []'],
])('%s', (_, field, line) => {
  const object = edited()
  object.put(['spec', 'other'], field)
  expect(object.item.toText()).toContain(line)
  expect(memberField(memberField(object.root, 'spec') ?? object.root, 'other')).toEqual(field)
})

test('a field that is copied keeps the spelling of its origin', () => {
  const object = edited()
  object.put(['spec', 'other'], plainScalar('0644'), { item: writtenObject('a: 0o644\n'), path: ['a'] })
  expect(object.item.toText()).toContain('other: 0o644\n')
})

test('nothing is written at the root', () => {
  const object = edited()
  object.put([], plainScalar('a'))
  expect(object.item.toText()).toBe(TEXT)
  expect(object.root.type).toBe('map')
})

test('a path that fails leaves nothing of what it made in the tree', () => {
  const object = edited()
  const act = () => {
    object.make(['spec', 'new'], { type: 'map', entries: new Map() })
    object.make(['spec', 'new', 'deep'], plainScalar('a'))
    throw new Error('wrong type')
  }
  expect(() => object.attempt(act)).toThrow('wrong type')
  expect(memberField(memberField(object.root, 'spec') ?? object.root, 'new')).toBeUndefined()
  object.attempt(() => object.make(['spec', 'kept'], plainScalar('a')))
  expect(() =>
    object.attempt(() => {
      throw new Error('later')
    }),
  ).toThrow('later')
  expect(memberField(memberField(object.root, 'spec') ?? object.root, 'kept')).toMatchObject({ text: 'a' })
})
