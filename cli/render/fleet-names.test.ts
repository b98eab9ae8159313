import { chownSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: ham}, {name: ber}, {name: muc}, {name: kel}]
`

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {fleet: mine}
`

let fleet: TestRepository
beforeEach(() => {
  const folder = testFolder()
  fleet = new TestRepository(folder)
  fleet.write('fleet/catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write('fleet/set.yaml', SET)
})

const render = (dir = 'fleet') => fleet.run('render', dir, '--out', 'clusters')

test('packages that were made before the first commit keep the name of the fleet by its folder, and change nothing', async () => {
  await render()
  fleet.commit('first')
  expect(await render()).toMatchObject({ exitCode: 0, stdout: '4 packages: 4 unchanged\n' })
})

test('a fleet that was renamed is one error for all packages, with both folders and the option', async () => {
  fleet.commit('first')
  await render()
  fleet.git('mv', 'fleet', 'fl')
  const { stderr, exitCode } = await render('fl')
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /must not be packages of another fleet: 4 packages, 'ham\/web', 'ber\/web', 'muc\/web' and 1 more, are of '(commit:\w+\/\/fleet)', this fleet is 'commit:\w+\/\/fl'; the fleet moved from '\/\/fleet' to '\/\/fl': where both are one fleet, write `spec\.fleet` '\1' into the RenderVariants in its folder; else take another folder/,
    ),
  ])
  expect(exitCode).toBe(1)
})

test('a tree without its repository says so in the error', async () => {
  fleet.commit('first')
  await render()
  rmSync(join(fleet.folder, '.git'), { recursive: true })
  const { stderr } = await render()
  expect(stderr).toContain('there is no git repository here, whose name the packages have: where both are one fleet, write `spec.fleet`')
})

test.skipIf(process.getuid?.() !== 0)('a repository of another user is an error in the words of git, and nothing is written', async () => {
  fleet.commit('first')
  for (const path of ['.', '.git']) chownSync(join(fleet.folder, path), 65_534, 65_534)
  const { both, exitCode } = await render()
  expect(both).toContain('git refuses its repository, which another user owns: git rev-parse: fatal: detected dubious ownership')
  expect(both.split('safe.directory PATH allows it')).toHaveLength(2)
  expect(exitCode).toBe(1)
  expect(readdirSync(fleet.folder)).not.toContain('clusters')
  for (const args of [
    ['diff', 'HEAD', 'fleet', '--out', 'clusters'],
    ['check', 'fleet', '--against', 'HEAD'],
    ['plan', 'fleet', '--against', 'HEAD'],
  ]) {
    const { stderr } = await fleet.run(...args)
    expect(stderr).toContain('; git config --global --add safe.directory PATH allows it, with the path of the repository\n')
  }
})

test.skipIf(process.getuid?.() !== 0)('a fleet with a name of its own is rendered in the repository of another user', async () => {
  fleet.write('fleet/options.yaml', OPTIONS)
  fleet.commit('first')
  for (const path of ['.', '.git']) chownSync(join(fleet.folder, path), 65_534, 65_534)
  const environment = { XDG_CACHE_HOME: join(fleet.folder, 'cache') }
  const rendered = await recordRun(fleet.folder, ['render', 'fleet', '--out', 'clusters'], { environment })
  expect(rendered).toMatchObject({ exitCode: 0, stdout: '4 packages: 4 created\n' })
})
