import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../testdata/test-folder.ts'
import { differingFiles, readFolder } from './folder-copy.ts'
import { commit, git } from './render/catalog.ts'
import { edit } from './render/edits.ts'
import { bundlePath, type Finished, runProgram } from './run-program.ts'

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: ams}, {name: fra}]
`

/** A folder with two fleets whose sets have one name: the second wants one of the packages of the first, and another one. */
function makeFleets(): string {
  const place = testFolder()
  const [first, second] = [join(place, 'a/fleet'), join(place, 'b/fleet')]
  mkdirSync(join(first, 'catalog/web@v1'), { recursive: true })
  writeFileSync(join(first, 'catalog/web@v1/Kptfile'), 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  writeFileSync(join(first, 'set.yaml'), SET)
  cpSync(first, second, { recursive: true })
  edit(join(second, 'set.yaml'), '[{name: ams}, {name: fra}]', '[{name: ham}]')
  return place
}

function render(place: string, fleet: string): Promise<Finished> {
  return runProgram(bundlePath('krm-variants'), ['render', join(place, fleet), '--out', join(place, 'out')])
}

test.each([
  { what: 'folders outside of git', prepare: async () => {} },
  {
    what: 'repositories with a remote',
    prepare: async (place: string) => {
      for (const name of ['a', 'b']) {
        await git(join(place, name), 'init', '--quiet')
        await git(join(place, name), 'config', 'remote.origin.url', `https://me:secret@git.example.com/${name}.git`)
      }
    },
  },
  {
    what: 'folders of one repository',
    prepare: async (place: string) => {
      await git(place, 'init', '--quiet')
      await commit(place, 'fleets')
    },
  },
])('a second fleet with the same set names leaves the packages of the first alone: $what', async ({ prepare }) => {
  const place = makeFleets()
  await prepare(place)
  expect((await render(place, 'a/fleet')).exitCode).toBe(0)
  const before = readFolder(join(place, 'out'))
  expect(before.get('ams/web/Kptfile')).toMatch(/krm-variants\.dev\/fleet: \S+/)
  expect(before.get('ams/web/Kptfile')).not.toMatch(/secret|tmp/)
  expect((await render(place, 'b/fleet')).stdout.toString()).toBe('1 package: 1 created\n')
  edit(join(place, 'b/fleet/set.yaml'), '[{name: ham}]', '[{name: ham}, {name: ams}]')
  const { stderr, exitCode } = await render(place, 'b/fleet')
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("must not be the package of another fleet: 'ams/web' is of")])
  const after = readFolder(join(place, 'out'))
  expect(differingFiles(before, after).filter((path) => !path.startsWith('ham/'))).toEqual([])
  expect((await render(place, 'a/fleet')).stdout.toString()).toBe('2 packages: 2 unchanged\n')
})

test('a fleet that moved is refused, and goes on under its old name, also with removals', async () => {
  const place = makeFleets()
  await render(place, 'a/fleet')
  cpSync(join(place, 'a/fleet'), join(place, 'moved'), { recursive: true })
  expect((await render(place, 'moved')).exitCode).toBe(1)
  const [, name = ''] = /krm-variants\.dev\/fleet: (\S+)/.exec(readFileSync(join(place, 'out/ams/web/Kptfile'), 'utf8')) ?? []
  const options = `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: options}\nspec: {fleet: '${name}'}\n`
  writeFileSync(join(place, 'moved/options.yaml'), options)
  edit(join(place, 'moved/set.yaml'), ', {name: fra}', '')
  expect((await render(place, 'moved')).stdout.toString()).toBe('1 package: 1 unchanged; 1 removed\n')
})
