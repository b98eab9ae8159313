import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ListFolders } from './list-folders.ts'
import { nameFolder } from './list-places.ts'

const itemAt = (path: string, index = 0, kind = 'ConfigMap') =>
  KrmObject.fromDocument(JSON.stringify({ kind, metadata: { name: `${path}#${index}` } }), { path, index, line: 1 })

const FOLDERS = new ListFolders([
  itemAt('a/shop/Kptfile', 0, 'Kptfile'),
  itemAt('a/shop/two.yaml', 1),
  itemAt('a/shop/two.yaml', 0),
  itemAt('a/shop/db/Kptfile', 0, 'Kptfile'),
  itemAt('a/shop2/x.yaml'),
  itemAt('top.yaml'),
  KrmObject.fromDocument('{"kind":"ConfigMap","metadata":{"name":"placeless"}}'),
])

test('a folder is there if an item is in it or below it', () => {
  expect(['', 'a', 'a/shop', 'a/shop/db', 'a/sho', 'shop', 'a/shop/two.yaml'].map((folder) => FOLDERS.has(folder))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

test('the folders beside a folder are those of its parent, with itself', () => {
  expect(FOLDERS.beside('a/shop')).toEqual(['a/shop', 'a/shop2'])
  expect(FOLDERS.beside('b')).toEqual(['a'])
  expect(FOLDERS.beside('b/c')).toEqual([])
})

test('a package has its files and those of its subpackages, the objects of a file by their indexes', () => {
  const files = FOLDERS.package('a/shop')
  expect([...files.keys()].toSorted()).toEqual(['Kptfile', 'db/Kptfile', 'two.yaml'])
  expect(FOLDERS.below('a/shop').map(({ path, item }) => [path, item.name])).toContainEqual(['db/Kptfile', 'a/shop/db/Kptfile#0'])
  expect([files.get('two.yaml') ?? []].flat().map((each) => (each instanceof KrmObject ? each.name : ''))).toEqual([
    'a/shop/two.yaml#0',
    'a/shop/two.yaml#1',
  ])
})

test('the Kptfile of a folder is its first one, and only packages have one', () => {
  const twice = new ListFolders([itemAt('a/Kptfile', 0, 'Kptfile'), itemAt('a/Kptfile', 1, 'Kptfile'), itemAt('b/x.yaml')])
  expect(twice.kptfile('a')?.name).toBe('a/Kptfile#0')
  expect(twice.kptfile('b')).toBeUndefined()
  expect(FOLDERS.kptfiles().map(({ folder }) => folder)).toEqual(['a/shop', 'a/shop/db'])
})

test('paths begin below the folder that the list was read from, and not below one whose name begins so', () => {
  const folders = new ListFolders([itemAt('fleet/a/x.yaml'), itemAt('fleet2/b/y.yaml'), itemAt('fleet')], 'fleet')
  expect(['a', 'fleet2/b', 'fleet/a'].map((folder) => folders.has(folder))).toEqual([true, true, false])
  expect(folders.pathOf(itemAt('fleet/a/x.yaml'))).toBe('a/x.yaml')
  expect(folders.pathOf(itemAt('fleet'))).toBe('fleet')
})

test.each([
  ['./a//b/', 'a/b'],
  ['.', ''],
  ['/a', 'a'],
  ['a/../b', 'a/../b'],
  ['.a', '.a'],
])('the folder %j is named %j in the paths of a list', (folder, expected) => {
  expect(nameFolder(folder)).toBe(expected)
})
