import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { clusterObjects, packagesAmong } from './policy-packages.ts'

const config = (name: string, annotations: JsonRecord = {}): JsonRecord => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, annotations },
})
const LOCAL = { 'config.kubernetes.io/local-config': 'true' }
const kptfile = (name: string): JsonRecord => ({ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name } })

const objectOf = (value: JsonRecord, path = 'a.yaml') => KrmObject.fromDocument(JSON.stringify(value), { path, index: 0, line: 1 })
const namesOf = (objects: readonly KrmObject[]) => objects.map(({ name }) => name)

test('a cluster gets an object and the objects of a List, and none that only tools read', () => {
  const list = (...items: readonly JsonRecord[]) => objectOf({ apiVersion: 'v1', kind: 'List', items })
  expect(namesOf(clusterObjects(objectOf(config('a'))))).toEqual(['a'])
  expect(namesOf(clusterObjects(list(config('a'), config('b', LOCAL), config('c'))))).toEqual(['a', 'c'])
  expect(clusterObjects(objectOf(config('a', LOCAL)))).toEqual([])
  expect(clusterObjects(objectOf(kptfile('a')))).toEqual([])
})

test('the objects of a subpackage are those of the nearest package above that is wanted', () => {
  const items = [
    objectOf(kptfile('shop'), 'shop/Kptfile'),
    objectOf(config('a'), 'shop/a.yaml'),
    objectOf(kptfile('db'), 'shop/db/Kptfile'),
    objectOf(config('b'), 'shop/db/deep/b.yaml'),
    objectOf(config('c'), 'shop-2/c.yaml'),
  ]
  const found = (isWanted: (kptfile: KrmObject, folder: string) => boolean) =>
    packagesAmong(items)(isWanted).map(({ folder, objects }) => [folder, namesOf(objects())])
  expect(found(() => true)).toEqual([
    ['shop', ['a']],
    ['shop/db', ['b']],
  ])
  expect(found(({ name }) => name === 'shop')).toEqual([['shop', ['a', 'b']]])
  expect(found((_, folder) => folder === 'shop/db')).toEqual([['shop/db', ['b']]])
  expect(found(() => false)).toEqual([])
})
