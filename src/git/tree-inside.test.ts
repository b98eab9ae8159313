import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { readTreeInSteps } from '../folder/read-package.ts'
import { finish } from '../progress.ts'
import { findingsOf, formatResult } from '../result.ts'
import { fleetTreeInside, packageTreeInside, type TreeInside, withLinks } from './tree-inside.ts'

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
function listed(inside: TreeInside): { readonly files: readonly string[]; readonly warnings: readonly string[] } {
  const files = inside.tree.list('').map(({ name }) => name)
  return { files, warnings: inside.links.map(({ message, file }) => `${file?.path}: ${message}`) }
}

test('a link of a fleet may lead to a file of the same git repository; one to another folder is an error', () => {
  mkdirSync(join(root, 'repository/.git'))
  expect(findings('link-outside')).toEqual([
    'fleet/secret.yaml: error: cannot be read: the symbolic link leads out of the git repository; remove the link, or name it in .krmignore [link-outside]',
  ])
})

test('without a repository, no link of a fleet may lead out of the folder; one in a package is a warning', () => {
  mkdirSync(join(root, 'repository/fleet/web'))
  writeFileSync(join(root, 'repository/fleet/web/Kptfile'), 'kind: Kptfile\n')
  symlinkSync('../../shared.yaml', join(root, 'repository/fleet/web/shared.yaml'))
  expect(findings('link-outside').map((text) => text.split(': cannot')[0])).toEqual([
    'fleet/secret.yaml: error',
    'fleet/shared.yaml: error',
    'fleet/web/shared.yaml: warning',
  ])
})

test('a link out of a package is left out, with a warning', () => {
  const inside = packageTreeInside(join(root, 'repository/fleet'), (path) => path)
  expect(listed(inside)).toEqual({
    files: ['own.yaml', 'same.yaml'],
    warnings: ['secret.yaml', 'shared.yaml'].map((path) => `${path}: is not read: the symbolic link leads out of the package`),
  })
})

/** Returns the findings of reading the fleet. */
function findings(rule = 'unreadable-file'): readonly string[] {
  const inside = fleetTreeInside(join(root, 'repository/fleet'), (path) => `fleet/${path}`)
  return findingsOf(
    () => finish(withLinks(inside, () => readTreeInSteps(inside.tree, (path) => `fleet/${path}`, { isFleet: true }))).results,
  )
    .filter(({ tags }) => tags.rule === rule)
    .map(formatResult)
}

test('a link of a fleet that leads nowhere is an error, but for the lock of an editor, and one that .krmignore names', () => {
  for (const name of ['gone.yaml', '.#own.yaml', 'ignored.yaml']) symlinkSync('nowhere.yaml', join(root, 'repository/fleet', name))
  writeFileSync(join(root, 'repository/fleet/.krmignore'), 'ignored.yaml\n')
  expect(findings()).toEqual([
    "fleet/gone.yaml: error: cannot be read: the symbolic link leads to 'nowhere.yaml', which does not exist; remove the link, or name it in .krmignore [unreadable-file]",
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
