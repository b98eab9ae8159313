import { expect, test } from 'vitest'
import { configMapText, kptfileText, writtenObject } from '../../testdata/written-objects.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { PackageItems, packageFolder } from './package-items.ts'

const kptfile = (path: string) => writtenObject(kptfileText('k'), path)
const map = (name: string, path: string) => writtenObject(configMapText(name), path)

const TOP = kptfile('Kptfile')
const APP = kptfile('app/Kptfile')
const SUB = kptfile('app/sub/Kptfile')
const ITEMS = new PackageItems([
  TOP,
  map('top', 'top.yaml'),
  APP,
  map('one', 'app/a.yaml'),
  map('two', 'app/a.yaml'),
  map('deep', 'app/folder/b.yaml'),
  SUB,
  map('inner', 'app/sub/a.yaml'),
  map('beside', 'app-2/a.yaml'),
  KrmObject.fromDocument(configMapText('without a file')),
])

/** Returns the names of the items of a package, by the path of their file. */
const namesIn = (of: KrmObject) => Object.fromEntries([...ITEMS.of(of)].map(([path, items]) => [path, items.map(({ name }) => name)]))

test('the items of a package have the paths of their files from its folder, without the items of subpackages', () => {
  expect(namesIn(APP)).toEqual({ Kptfile: ['k'], 'a.yaml': ['one', 'two'], 'folder/b.yaml': ['deep'] })
  expect(namesIn(SUB)).toEqual({ Kptfile: ['k'], 'a.yaml': ['inner'] })
})

test('the package at the top has the items that are in no other package, and none without a file', () => {
  expect(namesIn(TOP)).toEqual({ Kptfile: ['k'], 'top.yaml': ['top'], 'app-2/a.yaml': ['beside'] })
})

test('a Kptfile that is not among the items has no items, and each answer is kept', () => {
  expect(namesIn(kptfile('other/Kptfile'))).toEqual({})
  expect(ITEMS.of(APP)).toBe(ITEMS.of(APP))
})

test.each([
  ['Kptfile', ''],
  ['app/Kptfile', 'app'],
  ['app/sub/Kptfile', 'app/sub'],
])('the folder of the package with %s is %j', (path, folder) => {
  expect(packageFolder(kptfile(path))).toBe(folder)
})
