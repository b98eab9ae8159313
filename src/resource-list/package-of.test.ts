import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'
import {
  folderOf,
  foldersAbove,
  isKptfile,
  joinPath,
  kptfilesByFolder,
  locate,
  nearestFolder,
  packageFinder,
  packageFolders,
  shortestPath,
} from './package-of.ts'

const objectAt = (path: string, kind = 'ConfigMap') =>
  KrmObject.fromDocument(`apiVersion: v1\nkind: ${kind}\nmetadata: {name: a}\n`, { path, index: 0, line: 1 })

test('a Kptfile makes its folder a package, a file that only ends so does not', () => {
  expect(['Kptfile', 'a/Kptfile', 'a/MyKptfile', 'Kptfile/a'].map(isKptfile)).toEqual([true, true, false, false])
})

test('paths are put together and taken apart, with the empty path for the top', () => {
  expect([locate('a.yaml', 'pkg'), locate('a.yaml', undefined)]).toEqual(['pkg/a.yaml', 'a.yaml'])
  expect(['a/b/c.yaml', 'a/c.yaml', 'c.yaml'].map(folderOf)).toEqual(['a/b', 'a', ''])
  expect([joinPath('a', 'b.yaml'), joinPath('', 'b.yaml')]).toEqual(['a/b.yaml', 'b.yaml'])
  expect(['a/b/c.yaml', 'c.yaml'].map(foldersAbove)).toEqual([['a', 'a/b'], []])
})

test.each([
  ['./a//b.yaml', 'a/b.yaml'],
  ['a/../b.yaml', 'b.yaml'],
  ['../a/./b', '../a/b'],
  ['../../a', '../../a'],
  ['a/../../b', '../b'],
  ['a/b/../..', ''],
])('the shortest form of %s is %j', (path, shortest) => {
  expect(shortestPath(path)).toBe(shortest)
})

test('of the thousands of folders above a file, only those as long as one of the given folders are looked up', () => {
  const looked: string[] = []
  class Folders extends Set<string> {
    override has(folder: string): boolean {
      looked.push(folder)
      return super.has(folder)
    }
  }
  const folderAbove = nearestFolder(new Folders(['', 'a', 'a/b/c', 'x/y/z', 'ab']))
  const paths = ['a/x.yaml', 'a/b/x.yaml', 'a/b/c/x.yaml', 'a/b/cd/x.yaml', 'ab/x.yaml', 'b/x.yaml', 'x.yaml', '/x.yaml']
  expect(paths.map(folderAbove)).toEqual(['a', 'a', 'a/b/c', 'a', 'ab', '', '', ''])
  looked.length = 0
  expect(folderAbove(`${'x/'.repeat(2000)}x.yaml`)).toBe('')
  expect(looked).toEqual(['x/x/x', 'x'])
})

test('the packages of a list are the folders of its Kptfiles', () => {
  const kptfile = objectAt('c/Kptfile', 'Kptfile')
  expect([...kptfilesByFolder([objectAt('c/x.yaml'), kptfile])]).toEqual([['c', kptfile]])
  expect([...packageFolders([objectAt('a/Kptfile', 'Kptfile'), objectAt('b/x.yaml'), objectAt('Kptfile', 'Kptfile')])]).toEqual(['a', ''])
})

test('items that follow each other get each the package of its own folder; an item without a file gets none', () => {
  const items = [objectAt('a/Kptfile', 'Kptfile'), objectAt('a/x.yaml'), objectAt('a/b/y.yaml'), objectAt('c/z.yaml'), objectAt('a/z.yaml')]
  const packageOf = packageFinder(items)
  expect(items.map((item) => packageOf(item))).toEqual(['a', 'a', 'a', '', 'a'])
  expect(packageOf(KrmObject.fromDocument('kind: A\n'))).toBe('')
})
