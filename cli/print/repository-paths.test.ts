import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runGit } from '../../src/git/run-git.ts'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const FAULT =
  'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s}\nspec:\n  upstream: {repo: a, package: b, revision: 1}\n  targts: []\n'

function makeFleet(): string {
  const folder = testFolder()
  mkdirSync(join(folder, 'fleets/eu'), { recursive: true })
  writeFileSync(join(folder, 'fleets/eu/set.yaml'), FAULT)
  return folder
}

const fileOf = async (folder: string, dir: string) => {
  const { stdout } = await recordRun(folder, ['check', dir, '--format', 'github'])
  return /file=(.*?),/.exec(stdout)?.[1]
}

test.each([
  ['.', 'fleets/eu'],
  ['fleets', 'eu'],
  ['fleets/eu', '.'],
  ['fleets/eu', '../../fleets/eu'],
])('the path is from the top of the repository in %s for %s', async (current, dir) => {
  const folder = makeFleet()
  runGit({ dir: folder }, ['init', '--quiet'])
  expect(await fileOf(join(folder, current), dir)).toBe('fleets/eu/set.yaml')
  expect(await fileOf(join(folder, current), join(folder, 'fleets/eu'))).toBe('fleets/eu/set.yaml')
})

test('outside of a repository the path is from the current folder', async () => {
  const folder = makeFleet()
  expect(await fileOf(join(folder, 'fleets'), join(folder, 'fleets/eu'))).toBe('eu/set.yaml')
})
