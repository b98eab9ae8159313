import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { findingsOf, formatResult } from '../result.ts'
import { readTree } from './read-package.ts'
import { fleetTreeInside, packageTreeInside, type TreeInside, withLinksNow } from './tree-inside.ts'

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

/** Returns the findings of reading the fleet. */
function findings(): readonly string[] {
  const inside = fleetTreeInside(join(root, 'repository/fleet'), (path) => `fleet/${path}`)
  return findingsOf(() => withLinksNow(inside, () => readTree(inside.tree, (path) => `fleet/${path}`)).results)
    .filter(({ tags }) => tags.rule === 'unreadable-file')
    .map(formatResult)
}

test('a link of a fleet that leads nowhere is a warning, but for the lock of an editor, and one that .krmignore names', () => {
  for (const name of ['gone.yaml', '.#own.yaml', 'ignored.yaml']) symlinkSync('nowhere.yaml', join(root, 'repository/fleet', name))
  writeFileSync(join(root, 'repository/fleet/.krmignore'), 'ignored.yaml\n')
  expect(findings()).toEqual([
    "fleet/gone.yaml: warning: cannot be read: the symbolic link leads to 'nowhere.yaml', which does not exist; remove the link, or name it in .krmignore [unreadable-file]",
  ])
})

test('a link of a fleet that leads to itself is an error', () => {
  symlinkSync('loop.yaml', join(root, 'repository/fleet/loop.yaml'))
  expect(findings()).toEqual([
    'fleet/loop.yaml: error: cannot be read: the symbolic link leads back to itself; remove the link, or name it in .krmignore [unreadable-file]',
  ])
})

test.skipIf(process.getuid?.() === 0)('a link of a fleet into a folder that must not be read is an error of the link alone', () => {
  mkdirSync(join(root, 'repository/closed'))
  symlinkSync('../closed/a.yaml', join(root, 'repository/fleet/link.yaml'))
  chmodSync(join(root, 'repository/closed'), 0)
  expect(findings()).toEqual([
    "fleet/link.yaml: error: cannot be read: the symbolic link leads to '../closed/a.yaml', which must not be read; remove the link, or name it in .krmignore [unreadable-file]",
  ])
  chmodSync(join(root, 'repository/closed'), 0o755)
})

test('the lock file of an editor that leads to itself is left out', () => {
  symlinkSync('.#own.yaml', join(root, 'repository/fleet/.#own.yaml'))
  expect(findings()).toEqual([])
})

test.skipIf(process.getuid?.() === 0)('a folder and a file of a fleet that must not be read are errors, reported together', () => {
  mkdirSync(join(root, 'repository/fleet/closed'))
  chmodSync(join(root, 'repository/fleet/closed'), 0)
  chmodSync(join(root, 'repository/fleet/own.yaml'), 0)
  expect(findings()).toEqual(
    [
      'own.yaml: error: cannot be read: permission denied; make the file',
      'same.yaml: error: cannot be read: permission denied; make the file',
      'closed: error: cannot be read: permission denied; make the folder',
    ].map((text) => `fleet/${text} readable, or name it in .krmignore [unreadable-file]`),
  )
  chmodSync(join(root, 'repository/fleet/closed'), 0o755)
})
