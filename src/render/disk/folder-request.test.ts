import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../../testdata/test-folder.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { isBytes } from '../../merge/package-files.ts'
import { OPTIONS } from '../testing/render-of-texts.ts'
import { downstreamFolders, readContent } from './folder-request.ts'

/** Makes a package with a hidden file, a file that is no YAML, a link and a repository of its own. */
function makePackage(): string {
  const place = testFolder()
  mkdirSync(join(place, 'tools/.git'), { recursive: true })
  const files = { Kptfile: kptfileText('p'), 'a.yaml': configMapText('a'), 'b.yaml': configMapText('b'), '.krmignore': 'b.yaml\n' }
  for (const [path, text] of Object.entries({ ...files, 'logo.txt': 'x' })) writeFileSync(join(place, path), text)
  symlinkSync('a.yaml', join(place, 'link.yaml'))
  return place
}

test('all content of a package on disk is read, links and repositories by their paths', () => {
  const { files, layouts, others, read } = readContent({ disk: makePackage(), shown: 'out/p' }, { options: OPTIONS })
  expect([...files.keys()].sort()).toEqual(['.krmignore', 'Kptfile', 'a.yaml', 'b.yaml', 'logo.txt'])
  expect([...layouts.keys()]).toEqual(expect.arrayContaining(['Kptfile', 'a.yaml']))
  expect([...others].sort()).toEqual(['link.yaml', 'tools/.git'])
  expect(['logo.txt', 'link.yaml', 'nope'].map((path) => read(path)?.toString())).toEqual(['x', undefined, undefined])
})

test('a file that .krmignore hides is no resource for a clone by kpt, and one for a clone by Porch', () => {
  const disk = makePackage()
  const isResource = (clone: 'kpt' | 'porch', path: string) => {
    const content = readContent({ disk, shown: 'out/p' }, { options: { ...OPTIONS, clone } }).files.get(path)
    return content !== undefined && !isBytes(content)
  }
  expect([isResource('kpt', 'a.yaml'), isResource('kpt', 'b.yaml')]).toEqual([true, false])
  expect([isResource('porch', 'a.yaml'), isResource('porch', 'b.yaml')]).toEqual([true, true])
})

test('a downstream package is found below the folder of the packages, under the name that is shown', () => {
  const disk = testFolder()
  mkdirSync(join(disk, 'edge/shop'), { recursive: true })
  writeFileSync(join(disk, 'edge/shop/a.txt'), 'x')
  const folders = downstreamFolders({ disk, shown: 'out' })
  expect([...folders.folder('edge/shop').files.keys()]).toEqual(['a.txt'])
  expect(folders.shown('edge/shop')).toBe('out/edge/shop')
  expect(folders.tree?.('edge/shop', '0'.repeat(40))).toBeUndefined()
})
