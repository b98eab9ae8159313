import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { deviceWithOwnClock, folderPrint, shortDigest } from './folder-print.ts'

function makeFolder(): string {
  const root = testFolder()
  const place = join(root, 'web')
  mkdirSync(join(place, 'sub/.git'), { recursive: true })
  mkdirSync(join(place, 'left.krm-variants-new'))
  for (const path of ['b.yaml', 'a.yaml', 'sub/c.yaml', 'z.krm-variants-new', 'left.krm-variants-new/d.yaml', 'sub/.git/e'])
    writeFileSync(join(place, path), path)
  chmodSync(join(place, 'b.yaml'), 0o755)
  writeFileSync(join(root, 'elsewhere'), '')
  symlinkSync(join(root, 'elsewhere'), join(place, 'link'))
  return place
}

test('a folder that is missing and a link to a folder have the digest of an empty folder', () => {
  const place = makeFolder()
  symlinkSync(place, `${place}-link`)
  mkdirSync(`${place}-empty`)
  const empty = folderPrint(`${place}-empty`)
  expect([folderPrint(join(place, 'nowhere')), folderPrint(`${place}-link`)]).toEqual([empty, empty])
  expect(folderPrint(place)).not.toBe(empty)
})

const CHANGES: Readonly<Record<string, (place: string) => void>> = {
  'a file with its old length and its old time of writing': (place) => {
    writeFileSync(join(place, 'a.yaml'), 'A.yaml')
    utimesSync(join(place, 'a.yaml'), 1, 1)
  },
  'a file that another one replaced': (place) => {
    writeFileSync(join(place, 'new'), 'a.yaml')
    utimesSync(join(place, 'new'), 1, 1)
    renameSync(join(place, 'new'), join(place, 'a.yaml'))
  },
  'a new file': (place) => writeFileSync(join(place, 'new.yaml'), ''),
  'a removed file': (place) => rmSync(join(place, 'sub/c.yaml')),
  'a moved file': (place) => renameSync(join(place, 'a.yaml'), join(place, 'sub/a.yaml')),
  'other permissions': (place) => chmodSync(join(place, 'a.yaml'), 0o600),
  'another link': (place) => {
    rmSync(join(place, 'link'))
    symlinkSync('a.yaml', join(place, 'link'))
  },
  'a changed file behind a link': (place) => writeFileSync(join(place, '../elsewhere'), 'changed'),
  'another temporary file': (place) => writeFileSync(join(place, 'y.krm-variants-new'), ''),
}

test.each(Object.keys(CHANGES))('%s gives a folder another digest', (change) => {
  const place = makeFolder()
  utimesSync(join(place, 'a.yaml'), 1, 1)
  const before = folderPrint(place)
  expect(folderPrint(place)).toBe(before)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  CHANGES[change]?.(place)
  expect(folderPrint(place)).not.toBe(before)
})

test('each time is shown with its file, the time behind a link without a path', () => {
  const place = makeFolder()
  utimesSync(join(place, 'a.yaml'), 1, 2)
  utimesSync(join(place, '../elsewhere'), 1, 3)
  const early: unknown[] = []
  folderPrint(place, (path, { written }) => {
    if (written < 10_000) early.push([path, written])
  })
  expect(early).toEqual([
    ['a.yaml', 2000],
    ['', 3000],
  ])
})

test('texts and bytes that are parted in another way have another digest', () => {
  const digests = [
    shortDigest('ab', 'c'),
    shortDigest('a', 'bc'),
    shortDigest('abc'),
    shortDigest('', 'abc'),
    shortDigest(Buffer.from('ab'), 'd'),
    shortDigest(Buffer.from('a'), 'bd'),
    shortDigest('a', Buffer.from('bd'), ''),
  ]
  expect(new Set(digests).size).toBe(digests.length)
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{32}$/)
  expect(shortDigest('ab', 'c')).toBe(digests[0])
})

test('the file system of a folder is known by the time of a new file, which is removed', () => {
  const folder = testFolder()
  expect(deviceWithOwnClock(folder, 1000)).toBe(statSync(folder).dev)
  expect(readdirSync(folder)).toEqual([])
  // A file that would have to be a day ahead of the clock.
  expect(deviceWithOwnClock(folder, -86_400_000)).toBeUndefined()
  expect(readdirSync(folder)).toEqual([])
  expect(deviceWithOwnClock(join(folder, 'nowhere'), 1000)).toBeUndefined()
})
