import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const set = (revision: number) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream:
    repo: catalog
    package: web
    revision: ${revision}
  targets:
  - repositories: [{name: ham}]
`

test('a package that was not rendered since its set got another revision is at one revision, and the set asks for another', async () => {
  const folder = testFolder()
  const fleet = new TestRepository(folder)
  for (const revision of [1, 2]) {
    fleet.write(`catalog/web@v${revision}/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    fleet.write(`catalog/web@v${revision}/web.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  a: "${revision}"\n`)
  }
  fleet.write('set.yaml', set(2))
  await fleet.run('render', '.', '--out', 'clusters')
  fleet.write('set.yaml', set(1))
  fleet.commit('asks-for-1')
  const { stdout } = await fleet.run('diff', '.', '--out', 'clusters')
  expect(stdout).toContain('because the package is at catalog/web 2, the set asks for 1  set.yaml:8\n')
})

test('a revision that a shallow clone lacks is refused with the way to fetch it', async () => {
  const folder = testFolder()
  const fleet = new TestRepository(join(folder, 'whole'))
  fleet.write('set.yaml', set(1))
  fleet.commit('one')
  fleet.write('set.yaml', set(2))
  fleet.commit('two')
  fleet.git('clone', '--quiet', '--depth', '1', `file://${fleet.folder}`, join(folder, 'shallow'))
  const shallow = new TestRepository(join(folder, 'shallow'))
  for (const args of [
    ['diff', 'HEAD~1'],
    ['diff', 'one..HEAD'],
    ['plan', '--against', 'HEAD~1'],
    ['check', '--against', 'HEAD~1'],
  ]) {
    const { stderr, stdout, exitCode } = await shallow.run(...args, '.')
    expect([args.join(' '), exitCode, `${stderr}${stdout}`]).toEqual([
      args.join(' '),
      1,
      expect.stringContaining('`git fetch --unshallow`'),
    ])
  }
})

test('an upstream that cannot be read is named at its line of the set, once for all packages', async () => {
  const folder = testFolder()
  const fleet = new TestRepository(folder)
  fleet.write('set.yaml', set(1).replace('{name: ham}', '{name: ham}, {name: ber}'))
  const options = '{out: clusters, repositories: {catalog: {git: {repo: ../nowhere}}}}'
  fleet.write('options.yaml', `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: ${options}\n`)
  fleet.commit('one')
  const { stderr, exitCode } = await fleet.run('diff', 'one', '.', '--allow-outside')
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^set\.yaml:\d+:\d+: error: PackageVariant fleet\/web-ham-web: .*\n$/)])
})

test('packages in a git repository of their own, such as a submodule, are rendered in memory for both states', async () => {
  const fleet = new TestRepository(testFolder())
  for (const revision of [1, 2]) {
    fleet.write(`catalog/web@v${revision}/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    fleet.write(`catalog/web@v${revision}/web.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  a: "${revision}"\n`)
  }
  fleet.write('set.yaml', set(1))
  await fleet.run('render', '.', '--out', 'clusters')
  new TestRepository(join(fleet.folder, 'clusters')).commit('rendered')
  fleet.commit('fleet')
  expect(await fleet.run('diff', '.', '--out', 'clusters')).toMatchObject({ exitCode: 0, stdout: 'Fleet: no package changes\n' })
  fleet.write('set.yaml', set(2))
  const { stdout } = await fleet.run('diff', '.', '--out', 'clusters')
  expect(stdout).toContain('1 cluster  ConfigMap web  data.a: "1" → "2"')
})

test('a revision that git does not know is refused with the nearest name, and without any commit with the reason', async () => {
  const fleet = new TestRepository(testFolder())
  const refusal = async (...args: readonly string[]) => (await fleet.run(...args, '.')).stderr
  expect(await refusal('diff', 'HEAD')).toContain("'HEAD': git knows no such revision; the current branch has no commit yet\n")
  fleet.write('set.yaml', set(1))
  fleet.commit('start')
  expect(await refusal('diff', 'strat')).toContain("'strat': git knows no such revision; did you mean 'start'?\n")
  expect(await refusal('check', '--against', 'mian')).toContain("--against 'mian': git knows no such revision; did you mean 'main'?\n")
})

test('a package that a set asked for before it was rendered is new for that reason, with the line of the target', async () => {
  const fleet = new TestRepository(testFolder())
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write('catalog/web@v1/web.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n')
  fleet.write('set.yaml', set(1))
  fleet.commit('asked')
  await fleet.run('render', '.', '--out', 'clusters')
  fleet.commit('rendered')
  const { stdout } = await fleet.run('diff', 'asked..rendered', '.', '--out', 'clusters')
  expect(stdout.split('\n').slice(2, 5)).toEqual([
    '1 cluster  ConfigMap web is created',
    '    ham',
    '    because the package was not rendered before, though set web asked for it  set.yaml:10',
  ])
})
