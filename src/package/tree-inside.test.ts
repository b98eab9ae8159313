import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fleetTreeInside, packageTreeInside, type TreeInside } from './tree-inside.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'tree-inside-'))
  mkdirSync(join(root, 'repository/fleet'), { recursive: true })
  writeFileSync(join(root, 'secret.yaml'), 'password: s3cr3t\n')
  writeFileSync(join(root, 'repository/shared.yaml'), 'a: 1\n')
  writeFileSync(join(root, 'repository/fleet/own.yaml'), 'a: 1\n')
  symlinkSync('own.yaml', join(root, 'repository/fleet/same.yaml'))
  symlinkSync('../shared.yaml', join(root, 'repository/fleet/shared.yaml'))
  symlinkSync('../../secret.yaml', join(root, 'repository/fleet/secret.yaml'))
  return () => rmSync(root, { recursive: true })
})

/** The files that are listed, and the warnings about links. */
function listed({ tree, links }: TreeInside): { readonly files: readonly string[]; readonly warnings: readonly string[] } {
  const files = tree.list('').map(({ name }) => name)
  return { files, warnings: links.map(({ message, file }) => `${file?.path}: ${message}`) }
}

test('a link of a fleet may lead to a file of the same git repository, not of another folder', () => {
  mkdirSync(join(root, 'repository/.git'))
  const inside = fleetTreeInside(join(root, 'repository/fleet'), (path) => `fleet/${path}`)
  const { files } = listed(inside)
  expect(files).toEqual(['own.yaml', 'same.yaml', 'shared.yaml'])
  expect(listed(inside).warnings).toEqual(['fleet/secret.yaml: is not read: the symbolic link leads out of the git repository'])
})

test('without a repository, and in a package, no link may lead out of the folder', () => {
  for (const [treeInside, what] of [
    [fleetTreeInside, 'the folder'],
    [packageTreeInside, 'the package'],
  ] as const) {
    const inside = treeInside(join(root, 'repository/fleet'), (path) => path)
    expect(listed(inside).files).toEqual(['own.yaml', 'same.yaml'])
    expect(listed(inside).warnings).toEqual(
      ['secret.yaml', 'shared.yaml'].map((path) => `${path}: is not read: the symbolic link leads out of ${what}`),
    )
  }
})
