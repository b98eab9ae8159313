import { expect, test } from 'vitest'
import { ResourceList } from '../resource-list/resource-list.ts'
import { itemsBelow, packagesOf, rootPackage } from './list-packages.ts'

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

test('a second document in any Kptfile is refused', () => {
  expect(() => packagesOf(list([['Kptfile'], ['sub/Kptfile'], ['sub/Kptfile']]))).toThrow('a second one')
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
