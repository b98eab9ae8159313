import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { FleetGit } from './fleet-git.ts'

/** Returns a repository with a fleet and a package beside it, and a function that runs git there. */
function repository() {
  const root = realpathSync(testFolder())
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' })
  for (const folder of ['fleet', 'packages/ams/web']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'packages/ams/web/Kptfile'), 'kind: Kptfile\n')
  git('init', '--quiet')
  git('add', '.')
  git('remote', 'add', 'origin', 'https://git.example.org/team/fleet.git')
  return { root, git, asked: new FleetGit(() => join(root, 'fleet')) }
}

test('git is asked once for the name of a fleet', () => {
  const { git, asked } = repository()
  expect(asked.name()).toBe('git.example.org/team/fleet//fleet')
  git('remote', 'set-url', 'origin', 'https://git.example.org/team/other.git')
  expect(asked.name()).toBe('git.example.org/team/fleet//fleet')
})

test('a folder outside of git has no name, and git is asked once for that too', () => {
  const folder = testFolder()
  const asked = new FleetGit(() => folder)
  expect(asked.name()).toBe(undefined)
  execFileSync('git', ['-C', folder, 'init', '--quiet'])
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', 'https://git.example.org/team/fleet.git'])
  expect(asked.name()).toBe(undefined)
})

test('git is asked once for the Kptfiles around a fleet and a folder of packages', () => {
  const { root, asked } = repository()
  const found = asked.kptfiles(join(root, 'packages'))
  expect(found).toEqual([{ folder: join(root, 'packages/ams/web'), isOnDisk: true, text: 'kind: Kptfile\n' }])
  expect(asked.kptfiles(join(root, 'packages'))).toBe(found)
  const other = repository()
  expect(asked.kptfiles(join(other.root, 'packages')).map(({ folder }) => folder)).toEqual([
    join(root, 'packages/ams/web'),
    join(other.root, 'packages/ams/web'),
  ])
})
