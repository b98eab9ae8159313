import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { holdsAnything, type SearchedFolders, scanPackages } from './scan-packages.ts'

/** Returns a folder with empty files, `a/b` with the text of its own path. */
function folderOf(...paths: readonly string[]): string {
  const root = testFolder()
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), path)
  }
  return root
}

/** Returns the packages that are found, with the texts of their Kptfiles, and the leftovers. */
function scan(root: string, goesOn: (folder: string) => boolean = () => true, searched?: SearchedFolders) {
  const found: string[] = []
  const leftovers = scanPackages(
    root,
    (folder, text) => {
      found.push(`${folder}: ${text}`)
      return goesOn(folder)
    },
    searched,
  )
  return { found: found.sort(), leftovers: [...leftovers].sort() }
}

test('each folder with a Kptfile is a package, the top too, and a package is searched if the visit asks for it', () => {
  const root = folderOf('Kptfile', 'a/Kptfile', 'a/sub/Kptfile', 'b/c/Kptfile', 'b/Kptfile.yaml', 'd/x.yaml')
  expect(scan(root).found).toEqual([': Kptfile', 'a/sub: a/sub/Kptfile', 'a: a/Kptfile', 'b/c: b/c/Kptfile'])
  expect(scan(root, (folder) => folder !== 'a').found).toEqual([': Kptfile', 'a: a/Kptfile', 'b/c: b/c/Kptfile'])
  expect(scan(root, () => false).found).toEqual([': Kptfile'])
})

test('a missing folder, a file and a link to nothing have no packages, and a link to a folder has those of the folder', () => {
  const root = folderOf('web/a/Kptfile')
  symlinkSync(join(root, 'web'), join(root, 'link'))
  symlinkSync('gone', join(root, 'broken'))
  for (const path of ['nowhere', 'web/a/Kptfile', 'broken']) expect(scan(join(root, path))).toEqual({ found: [], leftovers: [] })
  expect(scan(join(root, 'link')).found).toEqual(['a: web/a/Kptfile'])
})

test("links and git's own folder are not followed, and a folder or link named Kptfile makes no package", () => {
  const root = folderOf('.git/a/Kptfile', 'a/.git/Kptfile', 'b/Kptfile/x', 'real/Kptfile')
  symlinkSync('real', join(root, 'link'))
  mkdirSync(join(root, 'c'))
  symlinkSync('../real/Kptfile', join(root, 'c/Kptfile'))
  expect(scan(root).found).toEqual(['real: real/Kptfile'])
})

test('the files of interrupted runs are returned and not searched, except in packages that are not searched', () => {
  const root = folderOf('a.krm-variants-new', 'b.krm-variants-old/Kptfile', 'c/Kptfile', 'c/d.krm-variants-new')
  expect(scan(root)).toEqual({
    found: ['c: c/Kptfile'],
    leftovers: ['a.krm-variants-new', 'b.krm-variants-old', 'c/d.krm-variants-new'],
  })
  expect(scan(root, () => false).leftovers).toEqual(['a.krm-variants-new', 'b.krm-variants-old'])
})

test('only the asked folders at the top are searched, whatever the folders below them are named', () => {
  const root = folderOf('a/b/Kptfile', 'b/a/Kptfile', 'b.krm-variants-new')
  expect(scan(root, undefined, { isSearched: (name) => name === 'a' })).toEqual({ found: ['a/b: a/b/Kptfile'], leftovers: [] })
})

test('a folder that is known to be a package is read without a list of its content, and searched if the visit asks for it', () => {
  const root = folderOf('a/Kptfile', 'a/sub/Kptfile')
  const isPackage = (folder: string) => folder === 'a'
  expect(scan(root, () => false, { isPackage }).found).toEqual(['a: a/Kptfile'])
  expect(scan(root, () => true, { isPackage }).found).toEqual(['a/sub: a/sub/Kptfile', 'a: a/Kptfile'])
})

test('a folder holds something if it has more than files of interrupted runs, and a file or link in its place counts', () => {
  const root = folderOf('file', 'full/a', 'both/a', 'both/b.krm-variants-new', 'left/a.krm-variants-new')
  mkdirSync(join(root, 'empty'))
  symlinkSync('nowhere', join(root, 'link'))
  const held = ['file', 'full', 'both', 'link', 'left', 'empty', 'nowhere'].filter((folder) => holdsAnything(root, folder))
  expect(held).toEqual(['file', 'full', 'both', 'link'])
})
