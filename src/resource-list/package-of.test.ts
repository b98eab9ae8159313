import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitsOf } from '../../testdata/processor-time.ts'
import { randomRuns } from '../../testdata/random-runs.ts'
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

const PARTS = fc.array(fc.constantFrom('a', 'a-', 'b', 'a@v1'), { maxLength: 4 })

test('a file belongs to the nearest of some folders above it', () => {
  const check = (folders: readonly string[][], above: readonly string[]) => {
    const known = new Set(folders.map((parts) => parts.join('/')))
    const location = [...above, 'x.yaml'].join('/')
    expect(nearestFolder(known)(location)).toBe(foldersAbove(location).findLast((folder) => known.has(folder)) ?? '')
  }
  fc.assert(fc.property(fc.array(PARTS, { maxLength: 8 }), PARTS, check), { numRuns: randomRuns(500) })
})

test('to find the folder of a file among thousands of nested ones takes a moment', () => {
  const nested = (name: string, depth: number) => `${name}/`.repeat(depth)
  const folderAbove = nearestFolder(new Set(Array.from({ length: 2000 }, (_, at) => `${nested('a', at)}a`)))
  const paths = Array.from({ length: 3000 }, (_, at) => `${nested('a', 1000)}b/${nested('a', 900)}${at}.yaml`)
  const { value, units } = unitsOf(() => new Set(paths.map(folderAbove)))
  expect(value).toEqual(new Set([nested('a', 1000).slice(0, -1)]))
  expect(units).toBeLessThan(100)
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
