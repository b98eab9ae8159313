import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RenderOptions } from '../../src/render/options.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { outFolder, packagesFolder, searchOf } from './packages-folder.ts'

const OPTIONS: RenderOptions = {
  ...{ repositories: new Map(), clone: 'kpt', status: false, followRenames: false },
  ...{ discardEdits: false, allowMoved: false, allowEmpty: false },
}

const LINKS = [
  ['to-folder', '.'],
  ['to-file', 'file'],
  ['to-nothing', 'gone/packages'],
] as const

/** Returns the folder for packages of a fleet in a new folder, below that folder. */
function folderOf(out: string | undefined, options: Partial<RenderOptions> = {}, find: typeof packagesFolder = outFolder) {
  const root = testFolder()
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, 'file'), '')
  for (const [link, target] of LINKS) symlinkSync(target, join(root, link))
  const host = { locate: (path: string) => join(root, path) }
  const found = find({ disk: root, shown: 'fleet' }, { ...(out !== undefined && { out }) }, { ...OPTIONS, ...options }, host)
  return found && { ...found, disk: found.disk.slice(root.length) }
}

test('the folder of the caller comes before that of the options, which is below the fleet', () => {
  expect(folderOf('mine', { out: 'packages' })).toEqual({ disk: '/mine', shown: 'mine' })
  expect(folderOf(undefined, { out: 'packages' })).toEqual({ disk: '/packages', shown: 'fleet/packages' })
})

test('without a folder there is none, or an error for a command that needs one', () => {
  expect(folderOf(undefined, {}, packagesFolder)).toBeUndefined()
  expect(() => folderOf(undefined)).toThrow('`--out` must name the folder for the packages')
})

test.each([
  ['', '`--out` must name the folder for the packages, got an empty text'],
  ['file', "'file' must be a folder for the packages, got a file"],
  ['to-file', "'to-file' must be a folder for the packages, got a symbolic link to 'file', a file"],
  ['to-nothing', "'to-nothing' must be a folder for the packages, got a symbolic link to 'gone/packages', which does not exist"],
  ['.git/packages', "'.git/packages' must be a folder for the packages, not within .git"],
])("'%s' is no folder for packages", (out, message) => {
  expect(() => folderOf(out)).toThrow(message)
})

test('a link to a folder is a folder for packages', () => {
  expect(folderOf('to-folder')).toEqual({ disk: '/to-folder', shown: 'to-folder' })
})

test('a folder counts as asked for unless the caller names another one than the options', () => {
  const root = testFolder()
  const folder = (name: string) => ({ disk: join(root, name), shown: name })
  const isAsked = (out: string | undefined, name: string) =>
    searchOf([], { dir: { disk: root, shown: '.' }, out: folder(name) }, { ...OPTIONS, ...(out !== undefined && { out }) }).isOutAsked
  expect([isAsked(undefined, 'a'), isAsked('b', 'a'), isAsked('a', 'a')]).toEqual([true, true, false])
})
