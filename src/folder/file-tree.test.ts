import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { compareNames, diskTree, folderTree } from './file-tree.ts'

/** Returns a folder with files, folders, links that lead somewhere or nowhere, and a pipe. */
function makeFolder(): string {
  const root = testFolder()
  const place = join(root, 'web')
  mkdirSync(join(place, 'sub'), { recursive: true })
  for (const path of ['b.yaml', 'a.yaml', 'sub/c.yaml']) writeFileSync(join(place, path), path)
  symlinkSync('a.yaml', join(place, 'file'))
  symlinkSync('sub', join(place, 'folder'))
  symlinkSync('nowhere', join(place, 'lost'))
  symlinkSync('loop', join(place, 'loop'))
  symlinkSync('user@host.1', join(place, '.#a.yaml'))
  execFileSync('mkfifo', [join(place, 'pipe')])
  return place
}

test('a folder on disk has its files, its folders and the links to files, in order', () => {
  const place = makeFolder()
  // A link that leads to itself is an error unless broken links are kept.
  execFileSync('rm', [join(place, 'loop')])
  expect(diskTree(place).list('')).toEqual([
    { name: 'a.yaml', type: 'file' },
    { name: 'b.yaml', type: 'file' },
    { name: 'file', type: 'file', isLink: true },
    { name: 'sub', type: 'folder' },
  ])
  expect(diskTree(place).list('sub')).toEqual([{ name: 'c.yaml', type: 'file' }])
  expect(Buffer.from(diskTree(place).read('sub/c.yaml')).toString()).toBe('sub/c.yaml')
  expect(Buffer.from(diskTree(place).read('file')).toString()).toBe('a.yaml')
})

test('a link that leads to itself cannot be listed unless broken links are kept', () => {
  expect(() => diskTree(makeFolder()).list('')).toThrow(/ELOOP/)
})

test('broken links and what is no file are kept with the reason, but for the lock files of editors', () => {
  const kept = diskTree(makeFolder(), 'keep').list('')
  expect(kept.map(({ name }) => name)).toEqual(['a.yaml', 'b.yaml', 'file', 'loop', 'lost', 'pipe', 'sub'])
  expect(kept.filter(({ broken }) => broken !== undefined)).toEqual([
    {
      name: 'loop',
      type: 'file',
      isLink: true,
      broken: { severity: 'error', reason: 'the symbolic link leads back to itself' },
      isHidden: true,
    },
    {
      name: 'lost',
      type: 'file',
      isLink: true,
      broken: { severity: 'warning', reason: "the symbolic link leads to 'nowhere', which does not exist" },
      isHidden: true,
    },
    { name: 'pipe', type: 'file', broken: { severity: 'error', reason: 'expected a file, found a pipe, a socket or a device' } },
  ])
})

test('a broken link whose name has an ending is the link of a file, and hides no folder', () => {
  const root = testFolder()
  symlinkSync('nowhere', join(root, 'a.txt'))
  expect(diskTree(root, 'keep').list('')).toEqual([expect.not.objectContaining({ isHidden: true })])
})

test('a folder that is missing is no tree', () => {
  expect(() => diskTree(join(testFolder(), 'nowhere'))).toThrow(/ENOENT/)
})

test('names are ordered by their bytes', () => {
  const names = ['\u{1F600}', '\uFF5E', 'é', 'b', 'B', 'a.b', 'a-b', 'a']
  const entries = names.map((name) => ({ name, type: 'file' as const }))
  const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(sorted.at(-1)).toBe('\u{1F600}')
  expect(entries.sort(compareNames).map(({ name }) => name)).toEqual(sorted)
})

test('the tree of given files has the folders above them', () => {
  const tree = folderTree(['b/d/e.yaml', 'b/c.yaml', 'a.yaml'], (path) => Buffer.from(path))
  expect(tree.list('')).toEqual([
    { name: 'a.yaml', type: 'file' },
    { name: 'b', type: 'folder' },
  ])
  expect(tree.list('b')).toEqual([
    { name: 'c.yaml', type: 'file' },
    { name: 'd', type: 'folder' },
  ])
  expect(tree.list('b/d')).toEqual([{ name: 'e.yaml', type: 'file' }])
  expect([tree.list('nowhere'), folderTree([], () => new Uint8Array()).list('')]).toEqual([[], []])
  expect(Buffer.from(tree.read('b/c.yaml')).toString()).toBe('b/c.yaml')
})
