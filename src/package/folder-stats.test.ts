import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FolderStats } from './folder-stats.ts'
import { diskFolder, type WholeFolder } from './whole-folder.ts'

function makeFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'krm-variants-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
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

function described({ files, links, gitFolders, leftovers }: WholeFolder): unknown {
  const contents = Array.from(files, ([path, file]) => [path, file.mode, file.size, Buffer.from(file.read()).toString()])
  return { contents, links, gitFolders, leftovers }
}

test('a folder is as it is without stats', () => {
  const place = makeFolder()
  expect(described(FolderStats.at(place).whole())).toEqual(described(diskFolder(place)))
  const missing = FolderStats.at(join(place, 'nowhere'))
  expect([described(missing.whole()), missing.everyTime(() => false)]).toEqual([described(diskFolder(join(place, 'nowhere'))), true])
})

test('a link to a folder has no content', () => {
  const place = makeFolder()
  symlinkSync(place, `${place}-link`)
  expect(FolderStats.at(`${place}-link`).whole().files.size).toBe(0)
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

test.each(Object.keys(CHANGES))('%s gives a folder another digest, and the first stats stay', (change) => {
  const place = makeFolder()
  utimesSync(join(place, 'a.yaml'), 1, 1)
  const before = FolderStats.at(place)
  const digest = before.digest()
  expect(FolderStats.at(place, before).digest()).toBe(digest)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  CHANGES[change]?.(place)
  const after = FolderStats.at(place, before)
  expect([after.digest() === digest, before.digest()]).toEqual([false, digest])
  expect(described(after.whole())).toEqual(described(diskFolder(place)))
})

test('after some files were written, a folder has the digest that another walk gives it', () => {
  const place = makeFolder()
  const before = FolderStats.at(place)
  writeFileSync(join(place, 'a.yaml'), 'longer than before')
  writeFileSync(join(place, 'sub/c.yaml'), '')
  expect(before.after(new Set(['a.yaml', 'sub/c.yaml'])).digest()).toBe(FolderStats.at(place).digest())
  rmSync(join(place, 'a.yaml'))
  writeFileSync(join(place, 'new.yaml'), '')
  expect(before.after(new Set(['a.yaml', 'new.yaml'])).digest()).toBe(FolderStats.at(place).digest())
})

test('each time is shown with its file, the time behind a link without a path', () => {
  const place = makeFolder()
  utimesSync(join(place, 'a.yaml'), 1, 2)
  utimesSync(join(place, '../elsewhere'), 1, 3)
  const early: unknown[] = []
  FolderStats.at(place).everyTime(({ written }, path) => {
    if (written < 10_000) early.push([path, written])
    return true
  })
  expect(early).toEqual([
    ['a.yaml', 2000],
    [undefined, 3000],
  ])
})
