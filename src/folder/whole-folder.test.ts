import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { DiskFile, diskFolder, fileHolds, foldersBeside, gatedDiskFolder, treeOf } from './whole-folder.ts'

function folderOf(...paths: readonly string[]): string {
  const root = testFolder()
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
  return root
}

test('a folder has its files in order, and what is carried by no package apart', () => {
  const root = folderOf('b', 'a/d', 'a/c', '.git/config', 'sub/.git', 'x.krm-variants-new', 'sub/y.krm-variants-old/z')
  symlinkSync('b', join(root, 'link'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  const { files, links, others, gitFolders, leftovers } = diskFolder(root)
  expect([...files.keys()]).toEqual(['a/c', 'a/d', 'b'])
  expect({ links, others, gitFolders, leftovers }).toEqual({
    links: ['link'],
    others: ['pipe'],
    gitFolders: ['.git', 'sub/.git'],
    leftovers: ['sub/y.krm-variants-old', 'x.krm-variants-new'],
  })
})

test('a missing folder, a file and a link to a folder have no files', () => {
  const root = folderOf('web/a')
  symlinkSync('web', join(root, 'link'))
  for (const path of ['nowhere', 'web/a', 'link']) expect([...diskFolder(join(root, path)).files]).toEqual([])
})

test('of a folder from others, what is no file, folder or link is refused, and so are unsafe paths', () => {
  const root = folderOf('a', 'b', 'B', 'c\\d')
  execFileSync('mkfifo', [join(root, 'pipe')])
  const { files, gate } = gatedDiskFolder(root)
  expect([...files.keys()]).toEqual(['B', 'a'])
  const found = gate?.results('place') ?? []
  expect(found.map(({ file, severity }) => `${severity} ${file?.path}`).sort()).toEqual([
    'error place/b',
    expect.stringMatching(/^error place\/c/),
    'error place/pipe',
  ])
  expect(found.find(({ file }) => file?.path === 'place/pipe')).toMatchObject({
    message: '`path` must be a file, a folder or a symbolic link',
    tags: { rule: 'tree-entry' },
  })
})

test('a file has the permissions, size and bytes that it has on disk', () => {
  const root = folderOf('a')
  chmodSync(join(root, 'a'), 0o754)
  const file = new DiskFile(join(root, 'a'))
  expect([file.mode, file.size, Buffer.from(file.read()).toString()]).toEqual([0o754, 1, 'a'])
  expect([file.holds(Buffer.from('a')), file.holds(Buffer.from('b'))]).toEqual([true, false])
})

test.each<[string, (place: string) => void]>([
  ['has another length', (place) => writeFileSync(place, 'aa')],
  [
    'has another content and its old time',
    (place) => {
      writeFileSync(place, 'b')
      utimesSync(place, 1, 1)
    },
  ],
  ['has another time', (place) => utimesSync(place, 2, 2)],
  [
    'was replaced',
    (place) => {
      writeFileSync(`${place}2`, 'a')
      utimesSync(`${place}2`, 1, 1)
      renameSync(`${place}2`, place)
    },
  ],
  ['is gone', (place) => renameSync(place, `${place}2`)],
])('a file that was read is not as it was read if it %s', (_, change) => {
  const place = join(folderOf('a'), 'a')
  utimesSync(place, 1, 1)
  const [read, unread] = [new DiskFile(place), new DiskFile(place)]
  read.read()
  expect(read.isAsRead()).toBe(true)
  // The kernel's clock has steps, in which two changes have one time.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  change(place)
  expect([read.isAsRead(), unread.isAsRead()]).toEqual([false, true])
})

test('a file holds exactly its bytes, whatever larger file was compared before', () => {
  const root = folderOf('a', 'long')
  writeFileSync(join(root, 'empty'), '')
  writeFileSync(join(root, 'long'), 'x'.repeat(1000))
  expect(fileHolds(join(root, 'long'), Buffer.from('x'.repeat(1000)))).toBe(true)
  for (const text of ['x'.repeat(999), 'x'.repeat(1001), `${'x'.repeat(999)}y`])
    expect(fileHolds(join(root, 'long'), Buffer.from(text))).toBe(false)
  expect([fileHolds(join(root, 'a'), Buffer.from('a')), fileHolds(join(root, 'a'), Buffer.from(''))]).toEqual([true, false])
  expect([fileHolds(join(root, 'empty'), Buffer.from('')), fileHolds(join(root, 'empty'), Buffer.from('x'))]).toEqual([true, false])
})

test('a file that was compared and then changed is not as it was read', () => {
  const root = folderOf('a')
  const file = new DiskFile(join(root, 'a'))
  expect(file.holds(Buffer.from('a'))).toBe(true)
  writeFileSync(join(root, 'a'), 'changed')
  expect(file.isAsRead()).toBe(false)
})

test('the folders beside a folder are sorted, without files and the folders of interrupted runs', () => {
  const root = folderOf('a/web@v2/x', 'a/web@v1/x', 'a/file', 'a/left.krm-variants-new/x', 'top/x')
  symlinkSync('web@v1', join(root, 'a/link'))
  expect(foldersBeside(root, 'a/any')).toEqual(['a/web@v1', 'a/web@v2'])
  expect(foldersBeside(root, 'any')).toEqual(['a', 'top'])
  expect([foldersBeside(root, 'nowhere/any'), foldersBeside(root, 'a/file/any')]).toEqual([[], []])
})

test('the tree of a folder reads its files', () => {
  const tree = treeOf(diskFolder(folderOf('a/b', 'c')))
  expect(tree.list('').map(({ name, type }) => [name, type])).toEqual([
    ['a', 'folder'],
    ['c', 'file'],
  ])
  expect(Buffer.from(tree.read('a/b')).toString()).toBe('a/b')
})
