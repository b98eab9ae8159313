import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { bufferSource, folderFiles, sha256, tarFiles, withFile } from './image-files.ts'
import { ArchiveError } from './tar.ts'
import { type PackedEntry, packTar } from './testing/pack-image.ts'

const ROOM = 1000

let root = ''
beforeEach(() => {
  root = testFolder()
  mkdirSync(join(root, 'image/blobs'), { recursive: true })
  writeFileSync(join(root, 'image/blobs/a'), 'abcd')
  writeFileSync(join(root, 'outside'), 'secret')
  symlinkSync('blobs/a', join(root, 'image/link'))
  symlinkSync('blobs', join(root, 'image/away'))
  symlinkSync('nowhere', join(root, 'image/broken'))
})

const inFolder = () => folderFiles(join(root, 'image'))

test('the files of a folder are read by their paths', () => {
  expect(inFolder().read('blobs/a', ROOM).toString()).toBe('abcd')
  expect(['blobs/a', 'blobs', 'broken', 'blobs/b'].map((path) => inFolder().has(path))).toEqual([true, true, true, false])
})

test('the folder itself may be reached through a link', () => {
  symlinkSync('image', join(root, 'named'))
  expect(folderFiles(join(root, 'named')).read('blobs/a', ROOM).toString()).toBe('abcd')
})

test.each([
  ['../outside', 'a path that leads out of the image, or round about in it'],
  ['blobs/../blobs/a', 'a path that leads out of the image, or round about in it'],
  ['./blobs/a', 'a path that leads out of the image, or round about in it'],
  ['/blobs/a', 'a path that leads out of the image, or round about in it'],
  ['blobs//a', 'a path that leads out of the image, or round about in it'],
  ['link', 'a link'],
  ['away/a', 'a link'],
  ['broken', 'a link'],
  ['blobs', 'no file'],
  ['blobs/b', 'missing'],
  ['none/b', 'missing'],
])('the path %s of a folder is refused as %s', (path, found) => {
  expect(() => inFolder().read(path, ROOM)).toThrow(new ArchiveError(`'${path}' must be a file, is ${found}`))
})

const ENTRIES: readonly PackedEntry[] = [
  { path: 'one', bytes: 'abcd' },
  { path: 'twice', bytes: 'first' },
  { path: 'folder/', type: '5' },
  { path: 'link', type: '2' },
  { path: 'device', type: '3' },
  { path: 'twice', bytes: 'second' },
  { path: 'two', bytes: 'efgh' },
]
const inArchive = () => tarFiles(bufferSource(packTar(ENTRIES)))

test('the files of an archive are read by their paths', () => {
  expect(['one', 'two'].map((path) => inArchive().read(path, ROOM).toString())).toEqual(['abcd', 'efgh'])
  expect(['one', 'twice', 'folder', 'link', 'none'].map((path) => inArchive().has(path))).toEqual([true, true, true, true, false])
})

test.each([
  ['none', "'none' must be a file, is missing"],
  ['folder', "'folder' must be a file, is no file"],
  ['device', "'device' must be a file, is no file"],
  ['link', "'link' must be a file, is a link"],
  ['twice', "'twice' must be in the archive once, is there twice"],
])('the path %s of an archive is refused', (path, message) => {
  expect(() => inArchive().read(path, ROOM)).toThrow(new ArchiveError(message))
})

test.each([
  ['a folder', inFolder, 'blobs/a'],
  ['an archive', inArchive, 'one'],
])('a file of %s may have as many bytes as are asked for, and no more', (_what, files, path) => {
  expect(files().read(path, 4)).toHaveLength(4)
  expect(() => files().read(path, 3)).toThrow(new ArchiveError(`'${path}' must have at most 3 bytes, has 4`))
})

test('a file on disk is read in pieces from any place, and must not become shorter', () => {
  const place = join(root, 'image/blobs/a')
  const pieces = withFile(place, ({ size, read }) => [String(size), read(0, 2).toString(), read(1, 3).toString(), read(4, 0).toString()])
  expect(pieces).toEqual(['4', 'ab', 'bcd', ''])
  const shorten = () =>
    withFile(place, ({ size, read }) => {
      truncateSync(place, 2)
      return read(0, size)
    })
  expect(shorten).toThrow(new ArchiveError('must not change while it is read, became shorter'))
})

test('a buffer is read in pieces, and its digest has the algorithm in front', () => {
  const { size, read } = bufferSource(Buffer.from('abcd'))
  expect([size, read(1, 2).toString()]).toEqual([4, 'bc'])
  expect(sha256(Buffer.from('abc'))).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
