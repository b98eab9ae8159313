import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { itemsBelow, packagesOf, rootPackage, secondDocument } from './list-packages.ts'
import { linesOf } from './testing/written-package.ts'

/** Items named for their files, as `kpt fn eval` sends them, or with a package path as `kpt fn render` does. */
function list(files: readonly (readonly [path: string, packagePath?: string])[]): ResourceList {
  const items = files.map(([path, packagePath]) => {
    const kind = path.endsWith('Kptfile') ? 'Kptfile' : 'ConfigMap'
    const wire = packagePath === undefined ? '' : `\n      internal.config.kubernetes.io/package-path: ${packagePath}`
    return `- apiVersion: v1\n  kind: ${kind}\n  metadata:\n    name: a\n    annotations:\n      internal.config.kubernetes.io/path: ${path}${wire}\n`
  })
  return ResourceList.parse(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join('')}`)
}

test.each([
  {
    reason: 'eval: paths below the folder',
    files: [['sub/Kptfile'], ['sub/a.yaml'], ['Kptfile'], ['nets/b.yaml'], ['sources/c.yaml']],
    own: ['Kptfile', 'nets/b.yaml'],
  },
  {
    reason: 'eval of a folder above the package',
    files: [['pkg/Kptfile'], ['pkg/a.yaml'], ['other.yaml'], ['pkg/sources/c.yaml']],
    own: ['Kptfile', 'a.yaml'],
  },
  {
    reason: 'render: a package path for each package',
    files: [
      ['Kptfile', '/p/sub'],
      ['a.yaml', '/p/sub'],
      ['Kptfile', '/p'],
      ['b.yaml', '/p'],
      ['sources/c.yaml', '/p'],
    ],
    own: ['Kptfile', 'b.yaml'],
  },
  {
    reason: 'a source folder that is a package itself',
    files: [
      ['Kptfile', '/p'],
      ['Kptfile', '/p/sources'],
      ['c.yaml', '/p/sources'],
    ],
    own: ['Kptfile'],
  },
  {
    reason: 'paths that are written with escapes',
    files: [['"Kptfil\\x65"'], ['"sub/Kptfil\\x65"'], ['"sub/a.yaml"'], ['"source\\x73/c.yaml"'], ['b.yaml']],
    own: ['Kptfile', 'b.yaml'],
  },
  {
    reason: 'a folder whose name begins like that of the sources',
    files: [['Kptfile'], ['sources-of-truth/c.yaml']],
    own: ['Kptfile', 'sources-of-truth/c.yaml'],
  },
] as const)('$reason', ({ files, own }) => {
  const read = list(files)
  const pkg = rootPackage(read)
  expect(pkg.files()).toEqual(own)
  expect(
    itemsBelow(read.items, pkg, ['sources']).every(({ file }) => file?.path.endsWith('c.yaml') || file?.path.endsWith('Kptfile')),
  ).toBe(true)
})

test('every package has the items that no other one is nearer to', () => {
  const read = list([
    ['Kptfile', '/p'],
    ['a.yaml', '/p'],
    ['catalog/loose.yaml', '/p'],
    ['Kptfile', '/p/catalog/upf'],
    ['nets/b.yaml', '/p/catalog/upf'],
    ['Kptfile', '/p/catalog/upf/db'],
    ['c.yaml', '/p/catalog/upf/db'],
    ['sources/d.yaml', '/p'],
  ])
  expect(packagesOf(read).map(({ folder, files }) => [folder, files()])).toEqual([
    ['/p', ['Kptfile', 'a.yaml', 'catalog/loose.yaml']],
    ['/p/catalog/upf', ['Kptfile', 'nets/b.yaml']],
    ['/p/catalog/upf/db', ['Kptfile', 'c.yaml']],
  ])
})

const SECOND = (file: string) =>
  `${file}:1:9: error: \`kind\` must be that of the only document in a Kptfile, got a second one: Kptfile a [kptfile-documents]`

/** Returns the findings with which packages are refused, without the lines of the list. */
const refused = (run: () => unknown) =>
  linesOf(() => {
    run()
    return []
  }).map((line) => line.replace(/:\d+:\d+: /, ':1:9: '))

test('each second document in a Kptfile is refused, but a package in the list does not hinder the root', () => {
  const ofSub = list([['Kptfile'], ['sub/Kptfile'], ['sub/Kptfile'], ['sub/Kptfile']])
  expect(refused(() => packagesOf(ofSub))).toEqual([SECOND('sub/Kptfile'), SECOND('sub/Kptfile')])
  expect(rootPackage(ofSub).files()).toEqual(['Kptfile'])
  expect(refused(() => rootPackage(list([['sub/Kptfile'], ['Kptfile'], ['Kptfile']])))).toEqual([SECOND('Kptfile')])
})

test('a second document without kind and name is named an object', () => {
  const result = secondDocument(writtenObject('metadata: {}\n', 'Kptfile'))
  expect(result.message).toBe('`kind` must be that of the only document in a Kptfile, got a second one: an object')
  expect(result.file?.path).toBe('Kptfile')
})

test.each([
  { rule: 'no Kptfile', files: [['a.yaml']], says: 'the Kptfile of the package, found none' },
  {
    rule: 'two Kptfiles side by side, which are named in order',
    files: [['b/Kptfile'], ['a/a/Kptfile'], ['b/c/Kptfile']],
    says: "one Kptfile that is above all others, found 'a/a/Kptfile', 'b/Kptfile'",
  },
  {
    rule: 'a folder whose name only begins alike',
    files: [['a/Kptfile'], ['ab/Kptfile']],
    says: "one Kptfile that is above all others, found 'a/Kptfile', 'ab/Kptfile'",
  },
] as const)('a list has no root package with $rule', ({ files, says }) => {
  expect(refused(() => rootPackage(list(files)))).toEqual([`error: \`items\` must contain ${says} [kptfile-missing]`])
})

test('the root is the package with the shortest path, wherever its Kptfile stands in the list', () => {
  expect(rootPackage(list([['a/b/c/Kptfile'], ['a/b/Kptfile'], ['a/Kptfile']])).folder).toBe('a')
})

test('items below other source folders are left out, also in the packages of a list', () => {
  const read = list([['Kptfile'], ['sources/a.yaml'], ['deep/in/b.yaml'], ['sub/Kptfile'], ['sub/deep/in/c.yaml'], ['sub/sources/d.yaml']])
  expect(rootPackage(read, ['deep/in']).files()).toEqual(['Kptfile', 'sources/a.yaml'])
  expect(packagesOf(read, ['deep/in']).map((pkg) => pkg.files())).toEqual([
    ['Kptfile', 'sources/a.yaml'],
    ['Kptfile', 'sources/d.yaml'],
  ])
  expect(itemsBelow(read.items, rootPackage(read), ['deep/in']).map(({ file }) => file?.path)).toEqual(['deep/in/b.yaml'])
})

test('an item without a file belongs to no package', () => {
  const { items } = list([['Kptfile'], ['a.yaml']])
  const loose = KrmObject.fromDocument('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose}\n')
  const read = ResourceList.of([...items, loose])
  expect(rootPackage(read).pick('ConfigMap', () => true)).toHaveLength(1)
  expect(packagesOf(read)[0]?.pick('ConfigMap', () => true)).toHaveLength(1)
})

test('a package picks its own items that hold a word and pass the test', () => {
  const read = list([['Kptfile'], ['a.yaml'], ['b.yaml'], ['sub/Kptfile'], ['sub/c.yaml']])
  const picked = (word: string, path: string) =>
    rootPackage(read)
      .pick(word, ({ file }) => file?.path !== path)
      .map(({ file }) => file?.path)
  expect(picked('ConfigMap', 'a.yaml')).toEqual(['b.yaml'])
  expect(picked('Elsewhere', 'a.yaml')).toEqual([])
})

test('the file of the functionConfig is a file of the package, each file once', () => {
  const { items } = list([['Kptfile'], ['a.yaml'], ['a.yaml']])
  const config = writtenObject('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n', 'config.yaml')
  expect(rootPackage(ResourceList.of(items, config)).files()).toEqual(['Kptfile', 'a.yaml', 'config.yaml'])
})

test('an object that is added to a subpackage goes to its folder', () => {
  const read = list([['Kptfile'], ['sub/Kptfile']])
  const [, sub] = packagesOf(read)
  sub?.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'nets/a.yaml')
  expect(read.items.map(({ file }) => file?.path)).toEqual(['Kptfile', 'sub/Kptfile', 'sub/nets/a.yaml'])
  expect(packagesOf(read).map(({ folder, files }) => [folder, files()])).toEqual([
    ['', ['Kptfile']],
    ['sub', ['Kptfile', 'nets/a.yaml']],
  ])
})
