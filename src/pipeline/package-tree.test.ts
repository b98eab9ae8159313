import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { missingField, type PackageTree, type PipelineItem, packagesInTree, pathBelow, readPackageTree } from './package-tree.ts'
import { writtenFiles } from './written-files.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n'
const object = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`

type Files = Readonly<Record<string, string>>

function read(files: Files): PackageTree {
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  return readPackageTree(tree, (path) => `shop/${path}`)
}

/** Returns each package with the files of its items. */
function packages(files: Files): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    packagesInTree(read(files).root).map(({ folder, items }) => [folder, items.map(({ path, index }) => `${path} ${index}`)]),
  )
}

/** Returns the messages of the error that refuses a package. */
function refused(files: Files): readonly string[] {
  try {
    read(files)
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(({ file, message }) => `${file?.path}: ${message}`)
    throw error
  }
  return []
}

test('a package has its own files, and each folder with a Kptfile is a package of its own', () => {
  expect(
    packages({
      Kptfile: KPTFILE,
      'a.yaml': `${object('a')}---\n${object('b')}`,
      'plain/c.yaml': object('c'),
      'plain/sub/Kptfile': KPTFILE,
      'plain/sub/d.yaml': object('d'),
      'plain/sub/deep/Kptfile': KPTFILE,
      'z/Kptfile': KPTFILE,
      'readme.md': 'text',
    }),
  ).toEqual({
    '': ['Kptfile 0', 'a.yaml 0', 'a.yaml 1', 'plain/c.yaml 0'],
    'plain/sub': ['Kptfile 0', 'd.yaml 0'],
    'plain/sub/deep': ['Kptfile 0'],
    z: ['Kptfile 0'],
  })
})

// As kpt's DirectSubpackages sorts them: by the bytes of the whole paths.
test.each([
  { reason: 'by their names', sorted: ['a', 'b', 'c'] },
  { reason: 'capitals first', sorted: ['B', 'a'] },
  { reason: 'a dash is before the slash of a plain folder', sorted: ['a-b', 'a/b'] },
  { reason: 'a dot is, too, also deeper', sorted: ['x/a.b/c', 'x/a/b/c'] },
  { reason: 'a digit is behind the slash', sorted: ['a/z', 'a0'] },
  { reason: 'by bytes, not by UTF-16 units', sorted: ['\uff5a', '\u{1f600}'] },
  { reason: 'what is in a package is with the package', sorted: ['a', 'a/z', 'a-b'] },
])('the packages below a package are sorted: $reason', ({ sorted }) => {
  for (const folders of [sorted, sorted.toReversed()]) {
    const files = Object.fromEntries(['', ...folders].map((folder) => [pathBelow(folder, 'Kptfile'), KPTFILE]))
    expect(packagesInTree(read(files).root).map(({ folder }) => folder)).toEqual(['', ...sorted])
  }
})

test('a git folder holds no package and no resources', () => {
  expect(packages({ Kptfile: KPTFILE, '.git/a.yaml': object('a'), '.git/x/Kptfile': KPTFILE, '.github/a.yaml': object('a') })).toEqual({
    '': ['.github/a.yaml 0', 'Kptfile 0'],
  })
})

test('.krmignore hides files of its package, and no subpackage nor its files', () => {
  expect(
    packages({
      Kptfile: KPTFILE,
      '.krmignore': 'sub\nhid*\n',
      'hidden.yaml': 'a: b\n',
      'sub/Kptfile': KPTFILE,
      'sub/hidden.yaml': object('h'),
    }),
  ).toEqual({ '': ['Kptfile 0'], sub: ['Kptfile 0', 'hidden.yaml 0'] })
  expect(packages({ Kptfile: KPTFILE, '.krmignore': 'Kptfile\n', 'a.yaml': object('a') })).toEqual({ '': ['a.yaml 0'] })
})

test('a folder without a Kptfile is refused, with the packages below it', () => {
  expect(refused({ 'a.yaml': object('a') })).toEqual(['shop/: must be the folder of a package, has no Kptfile'])
  expect(refused({ 'a/Kptfile': KPTFILE, 'b/c/Kptfile': KPTFILE, 'a/d/Kptfile': KPTFILE })).toEqual([
    "shop/: must be the folder of a package, has no Kptfile; the packages below it are 'shop/a', 'shop/b/c'",
  ])
})

test('a Kptfile that holds nothing is refused, also one that .krmignore hides', () => {
  const message = 'shop/Kptfile: must hold a Kptfile, holds no map'
  expect(refused({ Kptfile: '# nothing\n' })).toEqual([message])
  expect(refused({ Kptfile: '# nothing\n', '.krmignore': 'Kptfile\n', 'a.yaml': object('a') })).toEqual([message])
  expect(refused({ Kptfile: KPTFILE, 'sub/Kptfile': '' })).toEqual(['shop/sub/Kptfile: must hold a Kptfile, holds no map'])
})

test('a document that is no map refuses a package, one that lacks a field only the function that gets it', () => {
  expect(refused({ Kptfile: KPTFILE, 'sub/Kptfile': KPTFILE, 'sub/a.yaml': '- x\n' })).toEqual([
    expect.stringContaining('shop/sub/a.yaml: must be a map'),
  ])
  const { root, results } = read({ Kptfile: KPTFILE, 'a.yaml': `kind: A\n---\n${object('b')}` })
  expect(results).toEqual([])
  expect([...root.notResources].map(([{ path, index }, { message }]) => `${path} ${index} ${message}`)).toEqual([
    expect.stringContaining('a.yaml 0 must have `apiVersion`'),
  ])
  // Where the package is refused for another error, all of them are said.
  expect(refused({ Kptfile: KPTFILE, 'a.yaml': 'kind: A\n', 'b.yaml': '- x\n' })).toHaveLength(2)
})

test.each([
  ['apiVersion: v1\nkind: A\nmetadata: {name: a}\n', 'a.yaml', undefined],
  ['kind: A\nmetadata: {name: a}\n', 'a.yaml', '`apiVersion`'],
  ['apiVersion: v1\nmetadata: {name: a}\n', 'a.yaml', '`kind`'],
  ['apiVersion: v1\nkind: A\n', 'a.yaml', '`metadata.name`'],
  ['apiVersion: v1\nkind: AList\nitems: []\n', 'a.yaml', undefined],
  ['apiVersion: v1\nkind: AList\n', 'a.yaml', '`metadata.name`'],
  ['apiVersion: v1\nkind: A\nitems: []\n', 'a.yaml', '`metadata.name`'],
  ['resources: []\n', 'kustomization.yaml', undefined],
  ['resources: []\n', 'sub/kustomization.yml', undefined],
  ['resources: []\n', 'sub/Kustomization', undefined],
  ['resources: []\n', 'my-kustomization.yaml', '`apiVersion`'],
  ['kind: Kustomization\n', 'a.yaml', undefined],
  ['apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Component\n', 'a.yaml', undefined],
  ['apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n', 'a.yaml', '`metadata.name`'],
])('the object %j in %s lacks %s', (text, path, expected) => {
  expect(missingField(KrmObject.fromDocument(text), path)).toBe(expected)
})

test('the path below the top is the path itself, and that of no file the folder', () => {
  expect([pathBelow('', 'a'), pathBelow('s', 'a'), pathBelow('s', ''), pathBelow('', '')]).toEqual(['a', 's/a', 's', ''])
})

const TWO = { Kptfile: KPTFILE, 'a.yaml': `${object('a')}---\n${object('b')}`, 'sub/Kptfile': KPTFILE, 'sub/c.yaml': object('c') }

/** Returns the operation, path and names of each change. */
function changes(change: (items: readonly PipelineItem[]) => readonly PipelineItem[], deletes = true) {
  const { root } = read(TWO)
  const written = writtenFiles(root, change(itemsOf(root)), deletes)
  return written.map(({ op, path, text }) => `${op} ${path} ${[...text.matchAll(/name: (\w+)/g)].map(([, name]) => name).join(' ')}`.trim())
}

function itemsOf(root: PackageTree['root']) {
  return packagesInTree(root).flatMap(({ items }) => items)
}

test('files whose items are as they were read do not change', () => {
  expect(changes((items) => [...items])).toEqual([])
})

test('a file without items is deleted, unless the run failed', () => {
  const withoutA = (items: readonly PipelineItem[]) => items.filter(({ path }) => path !== 'a.yaml')
  expect(changes(withoutA)).toEqual(['delete a.yaml'])
  expect(changes(withoutA, false)).toEqual([])
  expect(changes((items) => items.filter(({ path }) => path !== 'c.yaml'))).toEqual(['delete sub/c.yaml'])
})

test('an item that is gone leaves the other one, and items are ordered by their index, those without one last', () => {
  const added = { object: KrmObject.fromDocument(object('n')), folder: '', path: 'a.yaml', index: '' }
  expect(changes((items) => items.filter(({ path, index }) => path !== 'a.yaml' || index === '0'))).toEqual(['update a.yaml a'])
  expect(changes((items) => [added, ...items])).toEqual(['update a.yaml a n b'])
  expect(changes((items) => [...items, added])).toEqual(['update a.yaml a b n'])
  expect(changes((items) => [...items, { ...added, index: '0' }])).toEqual(['update a.yaml a n b'])
  expect(changes((items) => [...items, { ...added, path: 'new.yaml' }])).toEqual(['create new.yaml n'])
  expect(changes((items) => [...items, { ...added, folder: 'sub', path: 'c.yaml' }])).toEqual(['update sub/c.yaml c n'])
})
