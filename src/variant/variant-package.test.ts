import { expect, test } from 'vitest'
import { ResourceList } from '../resource-list/resource-list.ts'
import { itemsBelow, pathInPackage, rootPackage } from './variant-package.ts'

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
  const { items } = list(files)
  const pkg = rootPackage(items)
  expect(pkg.pick(() => true).map((item) => pathInPackage(item, pkg))).toEqual(own)
  expect(itemsBelow(items, pkg, ['sources']).every(({ file }) => file?.path.endsWith('c.yaml') || file?.path.endsWith('Kptfile'))).toBe(
    true,
  )
})
