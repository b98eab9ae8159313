import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { packageOfTexts } from '../../testdata/package-of-texts.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { EMPTY_FOLDER, fileInMemory } from '../folder/whole-folder.ts'
import { findCommits } from '../git/git.ts'
import { GitSnapshot } from '../git/git-snapshot.ts'
import { runGit } from '../git/run-git.ts'
import { diskPackageSource, snapshotPackageSource, sourcePackageOf } from './disk-package-source.ts'
import { permissionsOf } from './source-package.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n'

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function sourceIn(root: string, allowOutside = false) {
  const base = { disk: join(root, 'fleet'), shown: 'fleet' }
  return diskPackageSource(base, { allowOutside, base: base.disk, cache: join(root, 'cache'), offline: true }, 'kpt')
}

test('the package of a folder has its files, its place as people name it, and its real path', () => {
  const root = testFolder()
  write(root, { 'fleet/catalog/web@v1/Kptfile': KPTFILE, 'fleet/catalog/web@v1/a.yaml': 'kind: A\n', 'fleet/catalog/dns/Kptfile': KPTFILE })
  const source = sourceIn(root)
  const found = source.folder('catalog/web@v1')
  expect([found?.place, found?.disk, found?.faults]).toEqual(['fleet/catalog/web@v1', join(root, 'fleet/catalog/web@v1'), []])
  expect([...(found?.files.keys() ?? [])]).toEqual(['Kptfile', 'a.yaml'])
  expect([...(found?.modes.keys() ?? [])]).toEqual(['Kptfile', 'a.yaml'])
  expect(source.beside('catalog/web@v2')).toEqual(['catalog/dns', 'catalog/web@v1'])
})

test('a folder that is missing or empty is no package, one with an unsafe path alone is one with a fault', () => {
  const root = testFolder()
  mkdirSync(join(root, 'fleet/empty'), { recursive: true })
  write(root, { 'fleet/unsafe/a:b.yaml': 'kind: A\n' })
  const source = sourceIn(root)
  expect([source.folder('empty'), source.folder('missing')]).toEqual([undefined, undefined])
  const unsafe = source.folder('unsafe')
  expect([unsafe?.files.size, unsafe?.faults.length]).toEqual([0, 1])
})

test('a folder outside of the fleet is read only where that is allowed', () => {
  const root = testFolder()
  write(root, { 'outside/Kptfile': KPTFILE, 'fleet/fleet.yaml': 'kind: A\n' })
  symlinkSync(join(root, 'outside'), join(root, 'fleet/link'))
  expect(() => sourceIn(root).folder('../outside')).toThrow("'../outside' is outside")
  expect(() => sourceIn(root).folder('link')).toThrow('through a symbolic link')
  expect(sourceIn(root, true).folder('../outside')?.files.size).toBe(1)
})

test('a submodule that is not checked out is a fault of the package, also if the folder is empty', () => {
  const root = testFolder()
  write(root, { 'fleet/catalog/web/Kptfile': KPTFILE, '.gitmodules': '' })
  runGit({ dir: root }, ['init', '--quiet'])
  for (const folder of ['fleet/catalog/web/lib', 'fleet/catalog/whole'])
    runGit({ dir: root }, ['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},${folder}`])
  mkdirSync(join(root, 'fleet/catalog/web/lib'))
  mkdirSync(join(root, 'fleet/catalog/whole'))
  const source = sourceIn(root)
  expect(source.folder('catalog/web')?.faults).toMatchObject([
    { file: { path: 'fleet/catalog/web/lib' }, tags: { rule: 'not-checked-out' } },
  ])
  expect(source.folder('catalog/whole')?.faults).toHaveLength(1)
})

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']

test('the packages of a git repository are read at a commit, with the place of the address, the commit and the folder', () => {
  const root = testFolder()
  const repo = join(root, 'repo')
  write(repo, { Kptfile: KPTFILE, 'web/Kptfile': KPTFILE, 'net/upf/Kptfile': KPTFILE, 'net/NotAKptfile': 'text', 'docs/README.md': 'text' })
  runGit({ dir: repo }, ['init', '--quiet'])
  runGit({ dir: repo }, ['add', '--all'])
  runGit({ dir: repo }, [...IDENTITY, 'commit', '--quiet', '--message', 'one'])
  runGit({ dir: repo }, ['tag', 'web/v1'])
  const { git } = sourceIn(root)
  const [commit = '', missing] = git?.commits(repo, ['refs/tags/web/v1', 'v9']) ?? []
  expect([commit, missing]).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/), undefined])
  expect(git?.packages(repo, commit)).toEqual(['.', 'net/upf', 'web'])
  expect(git?.tags(repo)).toEqual(['web/v1'])
  runGit({ dir: repo }, ['tag', 'web/v2'])
  expect(git?.tags(repo)).toEqual(['web/v1'])
  const found = git?.folder(repo, commit, 'web')
  expect([found?.place, [...(found?.files.keys() ?? [])]]).toEqual([`${repo}@${commit.slice(0, 12)}:web`, ['Kptfile']])
  expect(git?.folder(repo, commit, 'missing')).toBeUndefined()
})

test('the packages of a commit are read from the folder of the fleet, whatever is on disk, and outside only where that is allowed', () => {
  const root = testFolder()
  write(root, { 'fleet/catalog/web@v1/Kptfile': KPTFILE, 'fleet/catalog/dns/Kptfile': KPTFILE, 'outside/Kptfile': KPTFILE })
  runGit({ dir: root }, ['init', '--quiet'])
  runGit({ dir: root }, ['add', '--all'])
  runGit({ dir: root }, [...IDENTITY, 'commit', '--quiet', '--message', 'one'])
  write(root, { 'fleet/catalog/later/Kptfile': KPTFILE, 'fleet/catalog/dns/later.yaml': 'kind: A\n' })
  const [commit = ''] = findCommits({ dir: root }, ['HEAD'])
  const snapshot = new GitSnapshot({ dir: root }, commit)
  const { git } = sourceIn(root)
  if (git === undefined) throw new Error('must have git')
  const sourceOf = (allowOutside: boolean) => snapshotPackageSource({ snapshot, prefix: 'fleet', shown: 'shown', allowOutside }, git, 'kpt')
  const source = sourceOf(false)
  const found = source.folder('catalog/dns')
  expect([found?.place, found?.disk, [...(found?.files.keys() ?? [])]]).toEqual(['shown/catalog/dns', undefined, ['Kptfile']])
  expect(source.folder('catalog/later')).toBeUndefined()
  expect(source.beside('catalog/web@v2')).toEqual(['catalog/dns', 'catalog/web@v1'])
  expect(() => source.folder('../outside')).toThrow("'../outside' is outside")
  expect(sourceOf(true).folder('../outside')?.files.size).toBe(1)
  expect(source.git).toBe(git)
})

const folderOf = (files: Readonly<Record<string, string>>, mode = 0o644) => ({
  ...EMPTY_FOLDER,
  files: new Map(Object.entries(files).map(([path, text]) => [path, fileInMemory(Buffer.from(text), mode)])),
})

test('kpt carries what .krmignore names as bytes, Porch reads it', () => {
  const files = { '.krmignore': 'b.yaml\n', 'a.yaml': 'kind: A\n', 'b.yaml': 'kind: B\n' }
  const bytesOf = (flavour: 'kpt' | 'porch') =>
    [...sourcePackageOf(folderOf(files), 'p', flavour).files].flatMap(([path, content]) => (content instanceof Uint8Array ? [path] : []))
  expect(bytesOf('kpt')).toEqual(['.krmignore', 'b.yaml'])
  expect(bytesOf('porch')).toEqual(['.krmignore'])
})

test('links are left out of a package, with a finding', () => {
  const { results, files } = sourcePackageOf({ ...folderOf({ 'a.yaml': 'kind: A\n' }), links: ['l.yaml'] }, 'p', 'kpt')
  expect([files.size, results.map(({ file }) => file?.path)]).toEqual([1, ['p/l.yaml']])
})

test('the permissions of a file are those of both revisions; a new file had none', () => {
  const source = (modes: Readonly<Record<string, number>>) => ({
    ...{ place: 'p', files: packageOfTexts({}), layouts: new Map(), results: [], faults: [] },
    modes: new Map(Object.entries(modes)),
  })
  expect([...permissionsOf(source({ a: 0o644, gone: 0o644 }), source({ a: 0o755, b: 0o600 }))]).toEqual([
    ['a', { base: 0o644, theirs: 0o755 }],
    ['b', { base: undefined, theirs: 0o600 }],
  ])
})
