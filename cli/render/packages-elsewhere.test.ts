import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const variant = (name: string, upstream: string, downstream: string) =>
  `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: ${name}\nspec:\n  upstream: {repo: catalog, package: ${upstream}, revision: 1}\n  downstream: {repo: ${downstream}, package: ${upstream}}\n`

const optionsWith = (out: string) =>
  `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata:\n  name: options\nspec:\n  out: ${out}\n`

let fleet: TestRepository
beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-elsewhere-'))
  fleet = new TestRepository(folder)
  fleet.write('fleet/render.yaml', optionsWith('packages'))
  for (const repo of ['ams', 'nyc']) fleet.write(`fleet/${repo}.yaml`, variant(repo, 'web', repo))
  fleet.write('fleet/catalog/web@1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write('fleet/catalog/web@1/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {x: "1"}\n')
  await fleet.run('render', 'fleet')
  fleet.replace('fleet/packages/nyc/web/a.yaml', 'data: {x: "1"}', 'data: {x: "1", person: mine}')
  return () => rmSync(folder, { recursive: true })
}, 60_000)

const has = (path: string): boolean => existsSync(join(fleet.folder, path))

const ELSEWHERE =
  /^error: 'fleet\/packages\/ams\/web' and 1 other package of the fleet are below 'fleet\/packages', .* `git mv fleet\/packages fleet\/clusters`/

test.each([false, true])('packages that are elsewhere since `out` was renamed are not made anew (committed: %s)', async (isCommitted) => {
  if (isCommitted) fleet.commit('start')
  fleet.write('fleet/render.yaml', optionsWith('clusters'))
  for (const args of [['--dry-run'], []]) {
    const { exitCode, stderr } = await fleet.run('render', 'fleet', ...args)
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(ELSEWHERE)])
  }
  expect(has('fleet/clusters')).toBe(false)
  const { exitCode, stderr } = await fleet.run('render', 'fleet', '--discard-edits')
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^warning: 'fleet\/packages\/ams\/web' and 1 other/)])
})

test('the command that moves packages quotes a folder with a blank', async () => {
  fleet.write('fleet/render.yaml', optionsWith('my clusters'))
  const { stderr } = await fleet.run('render', 'fleet', '--dry-run')
  expect(stderr).toContain("move them by `git mv fleet/packages 'fleet/my clusters'`")
})

test('packages that are elsewhere since their folder was moved are not made anew', async () => {
  renameSync(join(fleet.folder, 'fleet/packages'), join(fleet.folder, 'clusters'))
  fleet.commit('moved')
  const { exitCode, stderr } = await fleet.run('render', 'fleet')
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringContaining("error: 'clusters/ams/web' and 1 other package of the fleet are below 'clusters'"),
  ])
  fleet.git('mv', 'clusters', 'fleet/packages')
  expect(await fleet.run('render', 'fleet')).toMatchObject({ exitCode: 0, stdout: '2 packages: 2 unchanged\n' })
})

test('a folder of a cluster that was moved within `out` is named with its place, and goes back', async () => {
  const move = (from: string, to: string): void =>
    renameSync(join(fleet.folder, `fleet/packages/${from}`), join(fleet.folder, `fleet/packages/${to}`))
  move('nyc', 'nyc2')
  const { exitCode, stderr } = await fleet.run('render', 'fleet')
  expect([exitCode, has('fleet/packages/nyc')]).toEqual([1, false])
  expect(stderr).toContain("is 'nyc/web', and the package lies in 'nyc2/web'")
  expect(stderr).toContain('a folder that was only moved goes back by `git mv`')
  move('nyc2', 'nyc')
  expect(await fleet.run('render', 'fleet')).toMatchObject({ exitCode: 0, stdout: '2 packages: 2 unchanged\n' })
})

test('a package that only the index of git has, in another place, is not made anew', async () => {
  fleet.commit('start')
  fleet.remove('fleet/packages')
  fleet.write('fleet/render.yaml', optionsWith('clusters'))
  const { exitCode, stderr } = await fleet.run('render', 'fleet')
  expect([exitCode, stderr]).toEqual([
    1,
    "error: 'fleet/packages/ams/web' and 1 other package of the fleet are below 'fleet/packages', by git's index, and not on disk, and would be made anew below 'fleet/clusters', without what people changed: `git restore fleet/packages` brings the files back; `git rm -r --cached fleet/packages` and --discard-edits make new ones [package-elsewhere]\n",
  ])
  fleet.git('rm', '-r', '--quiet', 'fleet/packages')
  expect((await fleet.run('render', 'fleet')).exitCode).toBe(0)
})

test('a package that was deleted in its place is made anew, and another folder of the command line is a warning', async () => {
  fleet.commit('start')
  fleet.remove('fleet/packages/ams')
  expect(await fleet.run('render', 'fleet')).toMatchObject({ exitCode: 0, stdout: '2 packages: 1 created, 1 unchanged\n' })
  const { exitCode, stderr } = await fleet.run('render', 'fleet', '--out', 'other')
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^warning: 'fleet\/packages\/ams\/web' and 1 other package/)])
})

test('a package that a variant of the run is made from is not removed', async () => {
  fleet.write('fleet/render.yaml', optionsWith('.'))
  fleet.remove('fleet/packages')
  fleet.remove('fleet/nyc.yaml')
  await fleet.run('render', 'fleet')
  renameSync(join(fleet.folder, 'fleet/ams/web'), join(fleet.folder, 'fleet/catalog/tool@1'))
  fleet.write('fleet/user.yaml', variant('user', 'tool', 'nyc'))
  fleet.remove('fleet/ams.yaml')
  const { exitCode, stderr } = await fleet.run('render', 'fleet')
  expect(stderr).toContain(
    'error: `metadata.annotations["krm-variants.dev/package-variant"]` must not name PackageVariant default/ams, which does not want \'catalog/tool@1\' any more: the package would go, and PackageVariant default/user is made from it; remove the annotation to keep the package as an upstream package [upstream-in-use]\n',
  )
  expect([exitCode, has('fleet/catalog/tool@1/Kptfile')]).toEqual([1, true])
})

test.each(['rings', 'outdated --no-render', 'explain --behind', 'check', 'diff'])(
  '%s refuses packages that are elsewhere since `out` was renamed, as render does',
  async (command) => {
    // These commands need a set.
    fleet.write(
      'fleet/set.yaml',
      'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: set}\nspec:\n  upstream: {repo: catalog, package: web, revision: 1}\n  targets:\n  - repositories: [{name: ber}]\n',
    )
    await fleet.run('render', 'fleet')
    fleet.commit('start')
    fleet.write('fleet/render.yaml', optionsWith('clusters'))
    const found = await fleet.run(...command.split(' '), 'fleet')
    expect([found.exitCode, found.both]).toEqual([
      1,
      expect.stringMatching(/error: 'fleet\/packages\/ams\/web' and 2 other packages of the fleet are below/),
    ])
  },
)

test('explain of one object says that the packages are elsewhere, and explains it', async () => {
  expect(await fleet.run('explain', 'ConfigMap/a', 'fleet', '--cluster', 'ams')).toMatchObject({ exitCode: 0, stderr: '' })
  fleet.write('fleet/render.yaml', optionsWith('clusters'))
  const { exitCode, stderr, stdout } = await fleet.run('explain', 'ConfigMap/a', 'fleet', '--cluster', 'ams')
  expect([exitCode, stderr, stdout]).toEqual([1, expect.stringMatching(ELSEWHERE), expect.stringContaining('cluster  ams')])
})
