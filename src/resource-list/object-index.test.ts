import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'
import { keyOfIdentity, ObjectIndex } from './object-index.ts'

/** An object in a file, whose name is also its text. */
function object(name: string, { path = 'a.yaml', index = 0, apiVersion = 'apps/v1', kind = 'A', namespace = '' } = {}): KrmObject {
  const inNamespace = namespace === '' ? '' : `, namespace: ${namespace}`
  return KrmObject.fromDocument(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}${inNamespace}}\n`, {
    path,
    index,
    line: 1,
  })
}

const KEY = { apiVersion: 'apps/v1', kind: 'A', name: 'a', namespace: '' }

function kptfile(path: string): KrmObject {
  return object('p', { path, apiVersion: 'kpt.dev/v1', kind: 'Kptfile' })
}

test('an object is found by group, kind, namespace and name in the package of its file', () => {
  const [there, other] = [object('a', { path: 'x/b.yaml' }), object('a', { path: 'sub/c.yaml' })]
  const index = new ObjectIndex([
    kptfile('sub/Kptfile'),
    there,
    other,
    object('a', { kind: 'B' }),
    object('a', { apiVersion: 'v1' }),
    object('b'),
  ])
  const find = (key: Partial<typeof KEY>, location: string) => index.find(index.keyFor({ ...KEY, ...key }, location))
  expect(find({}, 'new.yaml')).toBe(there)
  expect(find({}, 'y/new.yaml')).toBe(there)
  expect(find({}, 'sub/new.yaml')).toBe(other)
  expect(find({ apiVersion: 'apps/v1beta1' }, 'new.yaml')).toBe(there)
  expect(find({ namespace: 'default' }, 'new.yaml')).toBe(there)
  expect(find({ namespace: 'n' }, 'new.yaml')).toBeUndefined()
  expect(find({ name: 'c' }, 'new.yaml')).toBeUndefined()
  expect(find({ kind: 'C' }, 'new.yaml')).toBeUndefined()
})

test('an object without a file is not found', () => {
  const index = new ObjectIndex([KrmObject.fromDocument('apiVersion: apps/v1\nkind: A\nmetadata: {name: a}\n')])
  expect(index.find(index.keyFor(KEY, 'a.yaml'))).toBeUndefined()
})

test('two objects with one key are an error, which names both places', () => {
  const index = new ObjectIndex([object('a', { path: 'x.yaml' }), object('a', { path: 'y.yaml', namespace: 'default' })])
  expect(() => index.find(index.keyFor(KEY, 'z.yaml'))).toThrow('A default/a must be in the package once, is at x.yaml:1 and y.yaml:1')
})

test('an added object is found, and a deleted one no more', () => {
  const [there, added] = [object('a'), object('c')]
  const index = new ObjectIndex([there])
  index.add(added, index.keyFor({ ...KEY, name: 'c' }, 'a.yaml'))
  expect(index.find(index.keyFor({ ...KEY, name: 'c' }, 'a.yaml'))).toBe(added)
  index.delete(there)
  expect(index.find(index.keyFor(KEY, 'a.yaml'))).toBeUndefined()
  index.delete(added)
  index.delete(added)
  expect(index.find(index.keyFor({ ...KEY, name: 'c' }, 'a.yaml'))).toBeUndefined()
})

test('a deleted object leaves another of the same key', () => {
  const [one, two] = [object('a', { path: 'x.yaml' }), object('a', { path: 'y.yaml' })]
  const index = new ObjectIndex([one, two])
  index.keyFor(KEY, 'z.yaml')
  index.delete(one)
  expect(index.find(index.keyFor(KEY, 'z.yaml'))).toBe(two)
})

test('the next index of a file is above the highest, and each is given once', () => {
  const items = [
    object('a', { index: 3 }),
    object('b', { index: 1 }),
    object('c', { path: 'sub/a.yaml', index: 7 }),
    object('d', { path: 'b.yaml', index: 5 }),
  ]
  const index = new ObjectIndex(items)
  expect([index.takeIndex('a.yaml'), index.takeIndex('a.yaml')]).toEqual([4, 5])
  expect(index.takeIndex('sub/a.yaml')).toBe(8)
  expect([index.takeIndex('new/a.yaml'), index.takeIndex('new/a.yaml')]).toEqual([0, 1])
  expect([index.takeIndex('b.yaml'), index.takeIndex('b.yaml')]).toEqual([6, 7])
  expect(index.takeIndex('sub/b.yaml')).toBe(0)
  expect(index.takeIndex('a.yaml')).toBe(6)
})

test('the identity of a value has its texts, and missing parts are empty', () => {
  expect(keyOfIdentity({ apiVersion: 'v1', kind: 'A', metadata: { name: 1, namespace: 'n' } })).toEqual({
    apiVersion: 'v1',
    kind: 'A',
    name: '1',
    namespace: 'n',
  })
  expect(keyOfIdentity({ metadata: { name: null } })).toEqual({ apiVersion: '', kind: '', name: '', namespace: '' })
  expect(keyOfIdentity({ metadata: 'a' })).toEqual({ apiVersion: '', kind: '', name: '', namespace: '' })
})
