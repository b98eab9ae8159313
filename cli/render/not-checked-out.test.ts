import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const variant = (repo: string, revision = 1) =>
  `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: web-${repo}\nspec:\n  upstream: {repo: catalog, package: web, revision: ${revision}}\n  downstream: {repo: ${repo}, package: web}\n`

const OPTIONS = 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata:\n  name: options\nspec:\n  out: packages\n'

let fleet: TestRepository
beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-gaps-'))
  fleet = new TestRepository(folder)
  fleet.write('render.yaml', OPTIONS)
  for (const repo of ['ams', 'nyc']) fleet.write(`${repo}.yaml`, variant(repo))
  for (const revision of [1, 2]) {
    fleet.write(`catalog/web@${revision}/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    fleet.write(`catalog/web@${revision}/a.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {x: "${revision}"}\n`)
  }
  await fleet.run('render', '.')
  fleet.replace('packages/nyc/web/a.yaml', 'data: {x: "1"}', 'data: {x: "1", person: mine}')
  fleet.commit('start')
  return () => rmSync(folder, { recursive: true })
}, 60_000)

function leaveOut(...patterns: readonly string[]): void {
  fleet.git('sparse-checkout', 'set', '--no-cone', '/*', ...patterns.map((pattern) => `!${pattern}`))
}

const COMMANDS = ['render', 'plan', 'check', 'rings', 'outdated', 'graph', 'explain', 'sync', 'diff start'] as const

test.each([
  ['a package', '/packages/nyc'],
  ['a file of a package', '/packages/nyc/web/a.yaml'],
  ['a file of the fleet', '/nyc.yaml'],
  ['an upstream package', '/catalog/web@1'],
  ['a file of an upstream package', '/catalog/web@1/a.yaml'],
])('no command counts %s that a sparse checkout leaves out as deleted', async (_, pattern) => {
  fleet.write('ams.yaml', variant('ams', 2))
  leaveOut(pattern)
  for (const command of COMMANDS) {
    const { exitCode, stderr, stdout } = await fleet.run(...command.split(' '), '.')
    expect(`${command}: ${exitCode} ${stderr}${stdout}`).toMatch(/: 1 [\s\S]*\[not-checked-out\]/)
  }
  expect(existsSync(join(fleet.folder, 'packages/ams/web/a.yaml'))).toBe(true)
  expect(fleet.git('diff', 'HEAD', '--name-only')).toBe('ams.yaml')
})

test('a part of the fleet that is checked out is rendered with --only', async () => {
  fleet.write('ams.yaml', variant('ams', 2))
  leaveOut('/packages/nyc')
  const { exitCode } = await fleet.run('render', '.', '--only', 'repository=ams')
  expect(exitCode).toBe(0)
  expect(readFileSync(join(fleet.folder, 'packages/ams/web/a.yaml'), 'utf8')).toContain('x: "2"')
  expect((await fleet.run('render', '.', '--only', 'repository=nyc')).exitCode).toBe(1)
})

test('a file of the fleet that was deleted, or that .krmignore names, is no gap', async () => {
  fleet.write('notes.yaml', 'kind: Note\n')
  fleet.write('.krmignore', 'notes.yaml\n')
  fleet.commit('notes')
  leaveOut('/notes.yaml')
  expect(await fleet.run('render', '.')).toMatchObject({ exitCode: 0, stderr: '' })
})

test('a submodule of the fleet that is not checked out is an error', async () => {
  const id = fleet.git('rev-parse', 'HEAD')
  fleet.git('update-index', '--add', '--cacheinfo', `160000,${id},clusters`)
  fleet.write('.gitmodules', '[submodule "clusters"]\n\tpath = clusters\n\turl = ../clusters\n')
  const { exitCode, stderr } = await fleet.run('render', '.')
  expect(stderr).toBe(
    'clusters: error: is not read: its submodule is not checked out; `git submodule update --init` brings it; what is no part of the fleet can be named in .krmignore [not-checked-out]\n',
  )
  expect(exitCode).toBe(1)
})
