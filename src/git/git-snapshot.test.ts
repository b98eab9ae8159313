import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { diskFolder } from '../folder/whole-folder.ts'
import { findCommits } from './git.ts'
import { GitSnapshot, gitIdOf, gitTreeIdOf } from './git-snapshot.ts'
import { runGit } from './run-git.ts'

const FILES: Readonly<Record<string, string>> = {
  'top.yaml': 'top\n',
  'fleet/set.yaml': 'set\n',
  'fleet/sub/a.yaml': 'a\n',
  'fleet/sub/b.yaml': 'b\n',
  'fleet/sub-two/c.yaml': 'c\n',
  'catalog/web@v1/run.sh': '#!/bin/sh\n',
}

/** Makes a repository with the files and three links, and returns the folder and the snapshot of its commit. */
function makeSnapshot() {
  const dir = testFolder()
  runGit({ dir }, ['init', '--quiet'])
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  chmodSync(join(dir, 'catalog/web@v1/run.sh'), 0o755)
  symlinkSync('../set.yaml', join(dir, 'fleet/sub/link.yaml'))
  symlinkSync('link.yaml', join(dir, 'fleet/sub/twice.yaml'))
  symlinkSync('/etc/hostname', join(dir, 'fleet/sub/out.yaml'))
  runGit({ dir }, ['add', '--all'])
  runGit({ dir }, ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'one'])
  const [commit = ''] = findCommits({ dir }, ['HEAD'])
  return { dir, commit, snapshot: new GitSnapshot({ dir }, commit) }
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

test('a snapshot has the paths below each folder, not those of a folder whose name begins so', () => {
  const { snapshot } = makeSnapshot()
  expect(snapshot.pathsBelow('')).toHaveLength(9)
  expect(snapshot.pathsBelow('fleet/sub-two')).toEqual(['fleet/sub-two/c.yaml'])
  expect([...snapshot.pathsBelow('fleet/sub')].sort()).toEqual(['a', 'b', 'link', 'out', 'twice'].map((name) => `fleet/sub/${name}.yaml`))
  expect([snapshot.hasFolder(''), snapshot.hasFolder('fleet/sub'), snapshot.hasFolder('fleet/su'), snapshot.pathsBelow('none')]).toEqual([
    true,
    true,
    false,
    [],
  ])
  expect([...snapshot.idsBelow('fleet/sub-two')]).toEqual([['c.yaml', gitIdOf(Buffer.from('c\n'), '')]])
  expect([...snapshot.idsBelow('')].some(([path]) => path === 'top.yaml')).toBe(true)
})

test('a file is read as it is at the commit, a link to a file of the repository as that file, any other as nothing', () => {
  const { snapshot, dir } = makeSnapshot()
  writeFileSync(join(dir, 'top.yaml'), 'changed\n')
  expect(
    ['top.yaml', 'fleet/sub/link.yaml', 'fleet/sub/twice.yaml', 'fleet/sub/out.yaml', 'none'].map((path) => text(snapshot.read(path))),
  ).toEqual(['top\n', 'set\n', '', '', ''])
})

test('files that were loaded are read without git, and loaded once', () => {
  const { snapshot, dir } = makeSnapshot()
  snapshot.load(['top.yaml', 'fleet/sub/a.yaml', 'none'])
  snapshot.load([])
  renameSync(join(dir, '.git'), join(dir, 'gone'))
  snapshot.load(['top.yaml'])
  expect([text(snapshot.read('top.yaml')), text(snapshot.read('fleet/sub/a.yaml'))]).toEqual(['top\n', 'a\n'])
  expect(() => snapshot.read('fleet/sub/b.yaml')).toThrow('git')
})

test('a folder has its files in order, their modes and its links; as a tree, the links that lead to a file too', () => {
  const { snapshot } = makeSnapshot()
  const sub = snapshot.folder('fleet/sub')
  expect([[...sub.files.keys()], [...sub.links].sort()]).toEqual([
    ['a.yaml', 'b.yaml'],
    ['link.yaml', 'out.yaml', 'twice.yaml'],
  ])
  const [[, script] = ['', undefined]] = [...snapshot.folder('catalog/web@v1').files]
  expect([script?.mode, script?.size, script?.holds(Buffer.from('#!/bin/sh\n')), script?.holds(Buffer.from('x'))]).toEqual([
    0o755,
    10,
    true,
    false,
  ])
  expect(sub.files.get('a.yaml')?.mode).toBe(0o644)
  expect([...snapshot.folder('').files.keys()]).toEqual([...Object.keys(FILES)].sort())
  expect(snapshot.folder('none').files.size).toBe(0)
  const tree = snapshot.tree('fleet/sub')
  expect(tree.list('').map(({ name }) => name)).toEqual(['a.yaml', 'b.yaml', 'link.yaml'])
  expect(text(tree.read('link.yaml'))).toBe('set\n')
})

test.each([
  ['fleet', 'sub', false, 'fleet/sub'],
  ['fleet', 'sub/', false, 'fleet/sub'],
  ['fleet', '.', false, 'fleet'],
  ['fleet', '../catalog', true, 'catalog'],
  ['', 'catalog', false, 'catalog'],
  ['fleet', '..', true, ''],
])('below %j the folder %j is found (outside allowed: %s) at %j', (base, path, allowOutside, expected) => {
  expect(makeSnapshot().snapshot.locate(base, path, { allowOutside })).toBe(expected)
})

test.each([
  ['fleet', '../catalog', false],
  ['fleet', '../fleet-two', false],
  ['fleet', '../../x', true],
  ['', '../x', true],
  ['fleet', '/etc', true],
  ['', '/etc', true],
])('below %j the folder %j is outside (outside allowed: %s)', (base, path, allowOutside) => {
  expect(() => makeSnapshot().snapshot.locate(base, path, { allowOutside })).toThrow(`'${path}' is outside`)
})

test('the folders beside a folder are sorted, by their whole paths, without files', () => {
  const { snapshot } = makeSnapshot()
  expect(snapshot.foldersBeside('', 'any')).toEqual(['catalog', 'fleet'])
  expect(snapshot.foldersBeside('fleet', 'any')).toEqual(['sub', 'sub-two'])
  expect(snapshot.foldersBeside('fleet', '../any')).toEqual(['../catalog', '../fleet'])
  expect(snapshot.foldersBeside('', 'catalog/any')).toEqual(['catalog/web@v1'])
  expect(snapshot.foldersBeside('', 'none/any')).toEqual([])
})

test('the id of a folder is the one that git gives it', () => {
  const { dir, commit, snapshot } = makeSnapshot()
  const idOf = (path: string) =>
    runGit({ dir }, ['rev-parse', `${commit}:${path}`])
      .toString('utf8')
      .trim()
  expect(gitTreeIdOf(snapshot.folder('catalog').files)).toBe(idOf('catalog'))
  expect(gitTreeIdOf(diskFolder(join(dir, 'catalog/web@v1')).files)).toBe(idOf('catalog/web@v1'))
  const names = { 'a.b': 'x', 'a/c': 'y', 'a/d/e': 'z', a0: 'w' }
  const order = testFolder()
  runGit({ dir: order }, ['init', '--quiet'])
  for (const [path, content] of Object.entries(names)) {
    mkdirSync(dirname(join(order, path)), { recursive: true })
    writeFileSync(join(order, path), content)
  }
  runGit({ dir: order }, ['add', '--all'])
  expect(gitTreeIdOf(diskFolder(order).files)).toBe(runGit({ dir: order }, ['write-tree']).toString('utf8').trim())
})

test('the id of a file is that of its content, by the hash of the repository', () => {
  expect(gitIdOf(Buffer.from(''), '')).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
  expect(gitIdOf(Buffer.from(''), '0'.repeat(40))).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
  expect(gitIdOf(Buffer.from(''), '0'.repeat(64))).toBe('473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813')
})

test('the names of files that hold a word are read without the colours that people have switched on', () => {
  const { dir, snapshot } = makeSnapshot()
  for (const setting of ['color.ui', 'color.grep']) runGit({ dir }, ['config', setting, 'always'])
  expect([...(snapshot.tree('catalog').holding?.('bin/sh') ?? [])]).toEqual(['web@v1/run.sh'])
})

test('a tree of a snapshot knows which of its files hold a word, without reading them; a link may', () => {
  const { snapshot } = makeSnapshot()
  const holding = (folder: string, word: string) => [...(snapshot.tree(folder).holding?.(word) ?? ['unknown'])].sort()
  expect(holding('fleet/sub', 'a')).toEqual(['a.yaml', 'link.yaml', 'out.yaml', 'twice.yaml'])
  expect(holding('catalog', 'bin/sh')).toEqual(['web@v1/run.sh'])
  expect(holding('', 'set')).toEqual(expect.arrayContaining(['fleet/set.yaml']))
  expect(holding('', 'no such word')).toEqual(['unknown'])
})
