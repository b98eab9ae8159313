import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { runGit } from './run-git.ts'
import { kptfilesIn, shownPlace, trackedKptfiles } from './tracked-kptfiles.ts'

function write(root: string, ...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${path}\n`)
  }
}

/** Makes a checkout that tracks files. */
function makeCheckout(...paths: readonly string[]): string {
  const root = testFolder()
  runGit({ dir: root }, ['init', '--quiet'])
  write(root, ...paths)
  runGit({ dir: root }, ['add', '--all'])
  return root
}

/** Returns the Kptfiles as PLACE FOLDER TEXT. */
const shown = (root: string, found: ReturnType<typeof kptfilesIn>) =>
  found.map(({ folder, isOnDisk, text }) => `${isOnDisk ? 'disk' : 'index'} ${folder.slice(root.length)} ${text.trim()}`)

test('the Kptfiles of folders are read, folders without one are left out', () => {
  const root = testFolder()
  write(root, 'a/Kptfile', 'b/README.md')
  expect(shown(root, kptfilesIn(root, ['b', 'a', 'missing']))).toEqual(['disk /a a/Kptfile'])
})

test('tracked Kptfiles are those on disk, else those of the index; other files and untracked ones do not count', () => {
  const root = makeCheckout('Kptfile', 'a/Kptfile', 'a b/c/Kptfile', 'a/NotAKptfile', 'gone/Kptfile')
  write(root, 'untracked/Kptfile')
  writeFileSync(join(root, 'a/Kptfile'), 'edited\n')
  rmSync(join(root, 'gone'), { recursive: true })
  expect(shown(root, trackedKptfiles([join(root, 'a')])).sort()).toEqual([
    'disk  Kptfile',
    'disk /a b/c a b/c/Kptfile',
    'disk /a edited',
    'index /gone gone/Kptfile',
  ])
})

test('each checkout is asked once, a folder outside of git and a repository that git refuses give nothing', () => {
  const [one, two] = [makeCheckout('a/Kptfile'), makeCheckout('b/Kptfile')]
  expect(trackedKptfiles([join(one, 'a'), one, two, testFolder()]).map(({ text }) => text.trim())).toEqual(['a/Kptfile', 'b/Kptfile'])
  writeFileSync(join(one, '.git/config'), 'no config')
  expect(trackedKptfiles([one, two]).map(({ text }) => text.trim())).toEqual(['b/Kptfile'])
})

test('a Kptfile in a conflict is left out', () => {
  const root = makeCheckout('a/Kptfile')
  const id = runGit({ dir: root }, ['rev-parse', ':a/Kptfile']).toString('utf8').trim()
  runGit({ dir: root }, ['update-index', '--force-remove', 'a/Kptfile'])
  runGit({ dir: root }, ['update-index', '--index-info'], { input: `100644 ${id} 1\ta/Kptfile\n100644 ${id} 2\ta/Kptfile\n` })
  expect(trackedKptfiles([root])).toEqual([])
})

test('a place is shown by its way from a folder', () => {
  const root = testFolder()
  mkdirSync(join(root, 'fleet'))
  expect(shownPlace({ disk: join(root, 'fleet'), shown: 'fleet' }, join(root, 'clusters/ams'))).toBe('clusters/ams')
  expect(shownPlace({ disk: join(root, 'fleet'), shown: 'fleet' }, join(root, 'fleet/ams'))).toBe('fleet/ams')
})
