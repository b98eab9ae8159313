import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { configMapText } from '../../testdata/written-objects.ts'
import { diskTree } from './file-tree.ts'
import { hidesObjects } from './linked-folder.ts'

const MAP = configMapText('a')

/** Returns a new folder with files: with the text at their paths, or with an object where only the path is given. */
function writeTree(files: readonly (string | readonly [path: string, text: string | Uint8Array])[]): string {
  const root = testFolder()
  for (const [path, text] of files.map((file) => (typeof file === 'string' ? ([file, MAP] as const) : file))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** Returns the links of the folder `fleet` that may hide objects, where one leads to a place. */
function hiddenIn(root: string, name: string, target: string, bounds = join(root, 'fleet')): readonly string[] {
  const fleet = join(root, 'fleet')
  mkdirSync(dirname(join(fleet, name)), { recursive: true })
  symlinkSync(target, join(fleet, name))
  const tree = diskTree(fleet, 'keep', { bounds })
  return tree.list(dirname(name) === '.' ? '' : dirname(name)).flatMap((entry) => (entry.isHidden === true ? [entry.name] : []))
}

const LONG = 'x'.repeat(70_000)
const README = Array.from({ length: 200 }, (_, at) => `${at}/README.md`)

test.each([
  ['files of objects', ['a.yaml'], true],
  ['such files further down', ['x/y/a.yml'], true],
  ['an object in JSON', [['a.json', '{\n  "apiVersion": "v1",\n  "kind": "ConfigMap"\n}\n']], true],
  ['an object on one line of JSON', [['a.json', '{"apiVersion":"v1","kind":"ConfigMap"}']], true],
  ['a list of objects', [['a.yaml', '- apiVersion: v1\n  kind: ConfigMap\n']], true],
  ['an object behind a byte order mark', [['a.yaml', `\uFEFF${MAP}`]], true],
  ['an object in UTF-16', [['a.yaml', Buffer.from(`\uFEFF${MAP}`, 'utf16le')]], true],
  ['an object with long data before its kind', [['a.json', `{"apiVersion":"v1","data":{"a":"${LONG}"},"kind":"ConfigMap"}`]], true],
  ['a long file without objects', [['package-lock.json', `{"name": "site", "a": "${LONG}"}`]], false],
  ['files that kpt does not read', ['README.md'], false],
  [
    'files without objects',
    [...['package.json', 'tsconfig.json'].map((path) => [path, '{"kind": "of"}'] as const), ['mkdocs.yml', 'site: a\n']],
    false,
  ],
  ['files that speak of objects', [['a.yaml', 'text: of apiVersion and kind\n']], false],
  ['packages only', ['web/Kptfile', 'web/a.yaml', 'web/sub/b.yaml'], false],
  ['a package itself', ['Kptfile', 'a.yaml'], false],
  ['a chart', ['Chart.yaml', 'templates/a.yaml'], false],
  ['charts further down', ['app/Chart.yaml', 'app/templates/a.yaml'], false],
  ['installed packages of others', ['node_modules/x/a.yaml'], false],
  ['more folders than are searched', README, true],
  ['as many folders as are searched', README.slice(1), false],
] as const)('a link to a folder outside with %s is kept if objects may be there', (_, files, isHidden) => {
  const root = writeTree(files.map((file) => (typeof file === 'string' ? `outside/${file}` : [`outside/${file[0]}`, file[1]])))
  expect(hiddenIn(root, 'v1.0', '../outside')).toEqual(isHidden ? ['v1.0'] : [])
  expect(diskTree(join(root, 'fleet')).list('')).toEqual([])
  const reason = 'the symbolic link leads to another folder, and such links are not followed, as in kpt'
  const broken = { severity: 'error', reason, rule: 'link-outside' }
  expect(diskTree(join(root, 'fleet'), 'keep').list('')).toEqual(
    isHidden ? [{ name: 'v1.0', type: 'file', isLink: true, broken, isHidden }] : [],
  )
})

test('a file behind a link that cannot be read may hold an object', () => {
  const root = writeTree(['fleet/a.yaml', ['outside/README.md', '']])
  symlinkSync('loop.yaml', join(root, 'outside/loop.yaml'))
  expect(hiddenIn(root, 'shared', '../outside')).toEqual(['shared'])
})

test('a file behind a link that is no file, or a link to nothing, holds no object', () => {
  const root = writeTree(['fleet/a.yaml', ['outside/README.md', '']])
  symlinkSync('nowhere', join(root, 'outside/lost.yaml'))
  symlinkSync('.', join(root, 'outside/folder.yaml'))
  expect(hiddenIn(root, 'shared', '../outside')).toEqual([])
})

test.each(['node_modules', '.git', 'node_modules/x', 'web/node_modules/@scope/x'])('a link %s hides nothing', (name) => {
  expect(hiddenIn(writeTree(['outside/a.yaml']), name, join('../'.repeat(name.split('/').length), 'outside'))).toEqual([])
  expect(hiddenIn(testFolder(), name, 'nowhere')).toEqual([])
})

test('a link to a folder above hides what is beside the fleet, and not the fleet itself', () => {
  const files = ['repo/fleet/a.yaml', ['repo/README.md', '']] as const
  expect(hiddenIn(join(writeTree(files), 'repo'), 'self', '..')).toEqual([])
  expect(hiddenIn(join(writeTree([...files, 'repo/other/b.yaml']), 'repo'), 'self', '..')).toEqual(['self'])
  expect(hiddenIn(writeTree(['fleet/a.yaml']), 'self', '.')).toEqual([])
})

test.each([
  ['folders', { folders: 3 }, false],
  ['folders', { folders: 2 }, true],
  ['entries', { entries: 5 }, false],
  ['entries', { entries: 4 }, true],
  ['files', { files: 2 }, false],
  ['files', { files: 1 }, true],
])('behind a link to more %s than %j there may be objects: %s', (_, limit, isHidden) => {
  const root = writeTree(['fleet/a.yaml', ['outside/x/a.json', '{}'], ['outside/y/b.json', '{}'], ['outside/c.md', '']])
  symlinkSync('../outside', join(root, 'fleet/link'))
  const most = { folders: 9, entries: 9, files: 9, ...limit }
  expect(hidesObjects(join(root, 'fleet/link'), join(root, 'fleet'), most)).toBe(isHidden)
})

test('a link to the root, or to a folder above the temporary folder, hides objects and is not searched', () => {
  const root = writeTree([['people/me/tmp/README.md', '']])
  expect(hiddenIn(root, 'people', '../people')).toEqual([])
  vi.stubEnv('TMPDIR', join(root, 'people/me/tmp'))
  expect(hiddenIn(root, 'above', '../people')).toEqual(['above', 'people'])
  expect(hiddenIn(root, 'machine', '/')).toEqual(['above', 'machine', 'people'])
  expect(hiddenIn(root, 'tmp', '../people/me/tmp')).toEqual(['above', 'machine', 'people'])
  vi.unstubAllEnvs()
})

test.each([
  ['a relative place', '../shared', ['lost']],
  ['a place in the fleet', 'ROOT/fleet/x', ['lost']],
  ['a place in the repository', 'ROOT/shared/x', ['lost']],
  ['another place of the machine', '/nowhere/store/x', []],
  ['a place whose name begins as that of the repository', 'ROOT-2/x', []],
])('a link to nothing in %s hides a folder: %s', (_, target, hidden) => {
  const root = testFolder()
  expect(hiddenIn(root, 'lost', target.replace('ROOT', root), root)).toEqual(hidden)
})

test('without a repository, a link to nothing in an absolute place beside the fleet hides no folder', () => {
  const root = testFolder()
  expect(hiddenIn(root, 'lost', join(root, 'shared'))).toEqual([])
})
