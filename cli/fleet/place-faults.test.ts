import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const OPTIONS = 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: {out: packages}\n'

const MATRIX = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: ams}, {name: ber}]
  rings: [{name: all}]
`

let rendered: TestRepository
beforeAll(async () => {
  rendered = new TestRepository(mkdtempSync(join(tmpdir(), 'krm-variants-place-faults-')))
  rendered.write('fleet/render.yaml', OPTIONS)
  rendered.write('fleet/web.yaml', MATRIX)
  rendered.write('fleet/catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  rendered.write('fleet/catalog/web@v1/cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n')
  rendered.commit('v1')
  await rendered.run('render', 'fleet')
})

afterAll(() => rmSync(rendered.folder, { recursive: true }))

let fleet: TestRepository
beforeEach(() => {
  fleet = rendered.copyTo(testFolder())
})

const COMMANDS = [
  ...['plan', 'render --dry-run', 'diff', 'check', 'explain --behind', 'explain ConfigMap/web', 'rings', 'rings --no-render', 'outdated'],
  ...['sync --for flux --dry-run', 'graph', 'resolve --dry-run', 'simulate'],
]

/** Runs a command on the fleet, on one cluster if it explains an object. */
function run(command: string) {
  return fleet.run(...command.split(' '), 'fleet', ...(command.includes('/') ? ['--cluster', 'ams'] : []))
}

test.each(COMMANDS)('%s says that a package was moved within the folder of packages', async (command) => {
  renameSync(join(fleet.folder, 'fleet/packages/ams/web'), join(fleet.folder, 'fleet/packages/ams/moved'))
  const { both } = await run(command)
  expect(both.match(/`spec.downstream` is 'ams\/web', and the package lies in 'ams\/moved'/g)).toHaveLength(1)
})

/** The commands that render in memory, or with the name of the former package, say it too. */
test.each(COMMANDS.filter((each) => each !== 'diff'))('%s refuses a package whose upstream got another name, once', async (command) => {
  fleet.git('mv', 'fleet/catalog/web@v1', 'fleet/catalog/site@v1')
  fleet.write('fleet/web.yaml', MATRIX.replace('package: web', 'package: site').replace(', {name: ber}', ''))
  const { exitCode, both } = await run(command)
  expect([exitCode, both.match(/ error: .* must not change from 'ams\/web' unsaid when the upstream package/g)?.length]).toEqual([1, 1])
})

/** Gives the packages the name of another fleet. */
function renameFleet(name: string): void {
  for (const cluster of ['ams', 'ber']) fleet.replace(`fleet/packages/${cluster}/web/Kptfile`, 'commit:', name)
}

test.each(COMMANDS)('%s refuses packages of another fleet, once', async (command) => {
  renameFleet('other:')
  const { exitCode, both } = await run(command)
  expect([exitCode, both.match(/^fleet\/web.yaml:\S+ error: .* must not be packages of another fleet/gm)?.length]).toEqual([1, 1])
})

test.each(COMMANDS.filter((each) => !each.startsWith('explain C')))('%s refuses two sets that want one place', async (command) => {
  fleet.write('fleet/second.yaml', MATRIX.replace('{name: web}', '{name: second}').replace(', {name: ber}', ''))
  const { exitCode, both } = await run(command)
  expect([exitCode, both.match(/ error: .* must not be that of .* as well: 'ams\/web' \[downstream-duplicate\]/g)?.length]).toEqual([1, 1])
})

test.each(COMMANDS)('%s warns of a package of a person at the place of a variant', async (command) => {
  fleet.write('fleet/packages/ams/web/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  const { both } = await run(command)
  expect(both.match(/must be 'adoptExisting' to take over what is at 'ams\/web', which no variant made/g)).toHaveLength(1)
})

test.each(COMMANDS)('%s warns of a cluster that looks like a former one under a new name', async (command) => {
  fleet.write('fleet/web.yaml', MATRIX.replace('{name: ber}', '{name: muc}'))
  const { both } = await run(command)
  expect(both.match(/looks like 'ber' under a new name: 1 package \(ber\/web\)/g)).toHaveLength(1)
})

test.each(COMMANDS)('%s refuses an `out` outside of the folder, unless it is allowed', async (command) => {
  renameSync(join(fleet.folder, 'fleet/packages'), join(fleet.folder, 'packages'))
  fleet.write('fleet/render.yaml', OPTIONS.replace('packages', '../packages'))
  const { exitCode, both } = await run(command)
  expect([exitCode, both.match(/'..\/packages' is outside; --allow-outside allows it/g)?.length]).toEqual([1, 1])
})

test.each(COMMANDS)('%s reads nothing in a folder outside that is not allowed, which may be the whole disk', async (command) => {
  renameFleet('other:')
  renameSync(join(fleet.folder, 'fleet/packages'), join(fleet.folder, 'packages'))
  fleet.write('packages/ams/web/broken.yaml', 'a: {')
  fleet.write('fleet/render.yaml', OPTIONS.replace('packages', '../packages'))
  const { exitCode, both } = await run(command)
  expect([exitCode, both.match(/another fleet|broken.yaml|ams\/web\//g)]).toEqual([1, null])
})

test.each(COMMANDS)('%s refuses two RenderVariants, of which none is named', async (command) => {
  fleet.write('fleet/second.yaml', OPTIONS)
  const { exitCode, both } = await run(command)
  expect([exitCode, both]).toEqual([1, expect.stringContaining("`kind` must not be 'RenderVariants' twice")])
})

test('check warns only of packages of another fleet in a copy of the files without git, whose name is that of its folder', async () => {
  rmSync(join(fleet.folder, '.git'), { recursive: true })
  const { exitCode, stdout } = await run('check')
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('warning: PackageVariant web-ams-web: `spec.downstream` must not')])
})

test('plan refuses packages of another fleet in such a copy, as render does', async () => {
  rmSync(join(fleet.folder, '.git'), { recursive: true })
  for (const command of ['plan', 'render']) {
    const { exitCode, both } = await run(command)
    expect([command, exitCode, both]).toEqual([command, 1, expect.stringMatching(/error: .* must not be packages of another fleet/)])
  }
})

test('plan refuses a published tag that moved, as render does', async () => {
  const catalog = new TestRepository(testFolder())
  const revision = (value: string) => {
    catalog.write('web/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    catalog.write('web/cm.yaml', `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  a: ${value}\n`)
    catalog.commit(value)
    catalog.git('tag', '--force', 'web/v1')
  }
  revision('one')
  for (const folder of ['packages', 'catalog']) rmSync(join(fleet.folder, 'fleet', folder), { recursive: true })
  fleet.write('fleet/render.yaml', OPTIONS.replace('packages', `packages, repositories: {catalog: {git: {repo: ${catalog.folder}}}}`))
  expect(await run('render')).toMatchObject({ exitCode: 0 })
  revision('two')
  for (const command of ['render', 'plan']) {
    const { exitCode, both } = await run(command)
    expect([command, exitCode, both]).toEqual([command, 1, expect.stringContaining('a published tag must not move')])
  }
})

test('explain --behind says that a shallow clone does not know whose packages it has, and exits with 1', async () => {
  fleet.commit('rendered')
  fleet.git('clone', '--quiet', '--depth', '1', `file://${fleet.folder}`, 'clone')
  const { exitCode, stderr } = await fleet.run('explain', '--behind', 'clone/fleet')
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/shallow clone.*\[other-fleet\]/)])
})

test.each(['explain --behind', 'rings'])(
  '%s counts the packages of a set that was renamed, since render takes them over',
  async (command) => {
    fleet.write('fleet/web.yaml', MATRIX.replace('{name: web}', '{name: website}').replace('revision: 1', 'revision: 2'))
    fleet.write('fleet/catalog/web@v2/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    const { stdout } = await fleet.run(...command.split(' '), 'fleet', '--format', 'json')
    const counts =
      command === 'rings' ? { packages: 2, there: 0, behind: [{ locked: 'v1' }, { locked: 'v1' }] } : { packages: 2, without: 0 }
    const view = JSON.parse(stdout)
    expect(command === 'rings' ? view.rings[0] : view).toMatchObject(counts)
  },
)

test('a copy of a package beside it does not answer for it', async () => {
  const kptfile = readFileSync(join(fleet.folder, 'fleet/packages/ams/web/Kptfile'), 'utf8')
  fleet.write('fleet/packages/zzz/web/Kptfile', kptfile.replace('ref: v1', 'ref: v0'))
  const { stdout } = await fleet.run('explain', '--behind', 'fleet')
  expect(stdout).toBe('0 of 2 packages behind\n')
})

test.each(['plan', 'check'])('%s refuses a set that matches nothing where that would remove the packages of the fleet', async (command) => {
  const selecting = MATRIX.replace('repositories: [{name: ams}, {name: ber}]', 'repositorySelector: {matchLabels: {env: none}}')
  const refusal =
    /(?:^| )error: `(?:spec\.)?allowEmpty` must be true to remove the packages of all variants: there is no PackageVariant \(/gm
  fleet.write('fleet/web.yaml', selecting)
  const named = await run(command)
  expect([named.exitCode, named.both.match(refusal)?.length, named.both.includes('[no-match]')]).toEqual([1, 1, true])
  // Without the folder of packages in the options, the packages of the folder are known by their annotations.
  fleet.remove('fleet/render.yaml')
  const found = await run(command)
  expect([found.exitCode, found.both.match(refusal)?.length]).toEqual([1, 1])
  expect(found.both).toContain('(fleet/packages/ams/web, fleet/packages/ber/web)')
})

test.each(['plan', 'check'])(
  '%s warns of a set that matches nothing, and refuses nothing, where the fleet has no packages',
  async (command) => {
    fleet.write(
      'fleet/web.yaml',
      MATRIX.replace('repositories: [{name: ams}, {name: ber}]', 'repositorySelector: {matchLabels: {env: none}}'),
    )
    rmSync(join(fleet.folder, 'fleet/packages'), { recursive: true })
    const { exitCode, both } = await run(command)
    expect([exitCode, / error: /.test(both), / warning: .*\[no-match\]/.test(both)]).toEqual([0, false, true])
  },
)
