import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { compareNames, type FileTree, type TreeEntry } from './file-tree.ts'
import { findLeftOutFiles, findNamedFiles, findPackageFiles, holdsResources, isInOtherCase } from './find-package-files.ts'

/** A folder that only exists here: text by path. */
function memoryTree(files: Readonly<Record<string, string>>): FileTree {
  const paths = Object.keys(files)
  return {
    list: (folder) => {
      const below = paths.map((path) => posix.relative(folder, path)).filter((path) => !path.startsWith('..'))
      const entries = new Map<string, TreeEntry>(
        below.map((path) => [path.split('/')[0] ?? '', { name: path.split('/')[0] ?? '', type: path.includes('/') ? 'folder' : 'file' }]),
      )
      return [...entries.values()].sort(compareNames)
    },
    read: (path) => Buffer.from(files[path] ?? ''),
  }
}

function find(...files: readonly (string | Readonly<Record<string, string>>)[]): readonly string[] {
  return findPackageFiles(memoryTree(Object.assign({}, ...files.map((file) => (typeof file === 'string' ? { [file]: '' } : file)))))
}

test('takes YAML, JSON and Kptfiles, hidden ones too, in the order of kpt', () => {
  expect(find('a.yaml', 'a/x.yml', 'Z.json', '.git/g.yaml', '.dot.yaml', 'Kptfile', 'sub/Kptfile', 'README.md', 'a.YAML')).toEqual([
    '.dot.yaml',
    '.git/g.yaml',
    'Kptfile',
    'Z.json',
    'a/x.yml',
    'a.yaml',
    'sub/Kptfile',
  ])
})

test('orders names by their bytes, as Go does', () => {
  expect(find('\u{1F600}.yaml', '\uFFEE.yaml', 'é.yaml', 'z.yaml')).toEqual(['z.yaml', 'é.yaml', '\uFFEE.yaml', '\u{1F600}.yaml'])
})

// Each seen with kpt 1.0.0-beta.56.
test.each([
  { reason: 'the one at the top counts', files: ['a.yaml', 'b.yaml'], ignore: { '.krmignore': 'a.yaml' }, found: ['b.yaml'] },
  { reason: 'one in a plain folder does not', files: ['in/a.yaml'], ignore: { 'in/.krmignore': 'a.yaml' }, found: ['in/a.yaml'] },
  {
    reason: 'one beside a Kptfile does, below it only',
    files: ['a.yaml', 'sub/Kptfile', 'sub/in/a.yaml'],
    ignore: { 'sub/.krmignore': 'a.yaml' },
    found: ['a.yaml', 'sub/Kptfile'],
  },
  {
    reason: 'one above a Kptfile does not count below it',
    files: ['a.yaml', 'sub/Kptfile', 'sub/a.yaml'],
    ignore: { '.krmignore': 'a.yaml' },
    found: ['sub/Kptfile', 'sub/a.yaml'],
  },
  {
    reason: 'it can leave out a whole subpackage',
    files: ['sub/Kptfile', 'sub/a.yaml', 'b.yaml'],
    ignore: { '.krmignore': 'sub' },
    found: ['b.yaml'],
  },
  {
    reason: 'a ! inside a folder that is left out comes too late',
    files: ['in/a.yaml'],
    ignore: { '.krmignore': 'in\n!a.yaml' },
    found: [],
  },
  {
    reason: 'after a subpackage the rules above hold again',
    files: ['edge/Kptfile', 'edge/a.yaml', 'west/a.yaml'],
    ignore: { '.krmignore': 'a.yaml' },
    found: ['edge/Kptfile', 'edge/a.yaml'],
  },
  {
    reason: 'a folder whose name begins with that of a subpackage is under its rules',
    files: ['edge/Kptfile', 'edge-01/a.yaml'],
    ignore: { '.krmignore': 'a.yaml', 'edge/.krmignore': 'b.yaml' },
    found: ['edge/Kptfile', 'edge-01/a.yaml'],
  },
])('.krmignore: $reason', ({ files, ignore, found }) => {
  expect([...find(...files, ignore)].sort()).toEqual([...found].sort())
})

test('a file whose name begins with that of a subpackage is under the rules of the folder that holds both', () => {
  const files = ['edge/Kptfile', 'edge/a.yaml', 'edge.yaml', 'edge-x.yaml']
  expect(find(...files, { 'edge/.krmignore': '*.yaml' })).toEqual(['edge/Kptfile', 'edge-x.yaml', 'edge.yaml'])
})

test('files that a .krmignore leaves out are listed, but none of git or of installed packages', () => {
  const files = { '.krmignore': '*.yaml', 'a.yaml': '', 'in/b.yaml': '', 'in/c.json': '', '.git/d.yaml': '', 'node_modules/e/f.yaml': '' }
  expect(findLeftOutFiles(memoryTree(files))).toEqual(['a.yaml', 'in/b.yaml'])
})

test('a .krmignore that is a broken link is not read, and leaves out nothing', () => {
  const tree = memoryTree({ '.krmignore': '*.yaml', 'a.yaml': '' })
  const broken = { severity: 'warning', reason: 'the symbolic link leads nowhere' } as const
  const list = (folder: string) => tree.list(folder).map((entry) => (entry.name === '.krmignore' ? { ...entry, broken } : entry))
  expect(findPackageFiles({ ...tree, list })).toEqual(['a.yaml'])
})

test.each([
  ['shared', { isHidden: true }, []],
  ['shared/', { isHidden: true }, []],
  ['/shared/', { isHidden: true }, []],
  ['shared/', {}, ['shared']],
  ['other/', { isHidden: true }, ['shared']],
])('the line %s of a .krmignore and a link %j leave %j', (line, more, found) => {
  const tree = memoryTree({ '.krmignore': `${line}\n` })
  const link: TreeEntry = { name: 'shared', type: 'file', isLink: true, ...more }
  const list = (folder: string) => [...tree.list(folder), link]
  expect(findNamedFiles({ ...tree, list }, (name) => name === 'shared')).toEqual(found)
})

test.each([
  ['Kptfile', true, false],
  ['a.yaml', true, false],
  ['a.yml', true, false],
  ['a.json', true, false],
  ['.yaml', true, false],
  ['KPTFILE', false, true],
  ['kptfile', false, true],
  ['A.YAML', false, true],
  ['a.Json', false, true],
  ['A.yaml', true, false],
  ['Kptfile.md', false, false],
  ['my-kptfile', false, false],
  ['a.yaml.bak', false, false],
  ['yaml', false, false],
])('kpt reads a file %s: %s; it does not for its case alone: %s', (name, isRead, isOtherCase) => {
  expect([holdsResources(name), isInOtherCase(name)]).toEqual([isRead, isOtherCase])
})
