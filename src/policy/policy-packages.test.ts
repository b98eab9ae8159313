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

test('what is no map, and what has no kind, reaches no cluster', () => {
  const written = (text: string) => KrmObject.fromDocument(text)
  expect(clusterObjects(written('- a\n'))).toEqual([])
  expect(clusterObjects(written('replicas: 1\n'))).toEqual([])
  const list = { apiVersion: 'v1', kind: 'List', metadata: { annotations: LOCAL }, items: [config('a')] }
  expect(clusterObjects(objectOf(list))).toEqual([])
})

test('a package is a folder with a Kptfile of that name and kind, the top folder too', () => {
  const foldersOf = (...items: readonly KrmObject[]) =>
    packagesAmong(items)(() => true).map(({ folder, kptfile: { name } }) => [folder, name])
  expect(foldersOf(objectOf(kptfile('top'), 'Kptfile'), objectOf(kptfile('a'), 'a/Kptfile'))).toEqual([
    ['', 'top'],
    ['a', 'a'],
  ])
  expect(foldersOf(objectOf(kptfile('a'), 'a/kptfile.yaml'), objectOf(config('b'), 'b/Kptfile'))).toEqual([])
  expect(foldersOf(KrmObject.fromDocument(JSON.stringify(kptfile('a'))))).toEqual([])
})

test('an object outside of every package that is wanted, or without a file, is in none', () => {
  const items = [
    objectOf(kptfile('a'), 'a/Kptfile'),
    objectOf(config('b'), 'b/b.yaml'),
    KrmObject.fromDocument(JSON.stringify(config('c'))),
  ]
  expect(packagesAmong(items)(() => true).map(({ objects }) => namesOf(objects()))).toEqual([[]])
})
