import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const CASE = fileURLToPath(new URL('../../testdata/cli/outdated/input', import.meta.url))

let folder = ''
beforeEach(() => {
  folder = testFolder()
})

const read = (path: string) => readFileSync(join(folder, path), 'utf8')

test('--write changes the line of each revision and nothing else; a second run changes nothing', async () => {
  const fleet = new TestRepository(folder)
  cpSync(CASE, folder, { recursive: true })
  fleet.commit('start')
  expect((await fleet.run('outdated', '--write', '.')).exitCode).toBe(0)
  const changed = fleet
    .git('diff', '--unified=0')
    .split('\n')
    .filter((line) => /^[+-]/.test(line))
  expect(changed).toEqual([
    '--- a/sets.yaml',
    '+++ b/sets.yaml',
    '-    revision: 3 # raised by the payments team',
    '+    revision: 4 # raised by the payments team',
    '-  upstream: {repo: catalog, package: tills, revision: v3}',
    '+  upstream: {repo: catalog, package: tills, revision: v4}',
  ])
  const written = read('sets.yaml')
  const second = await fleet.run('outdated', '--write', '.')
  expect([second.exitCode, second.stdout, read('sets.yaml')]).toEqual([0, '0 of 3 upstreams outdated\n', written])
  expect((await fleet.run('render', '.')).exitCode).toBe(0)
  expect(read('clusters/store-ber-01/tills/app.yaml')).toContain('image: example/tills:4.0.0')
})

test('a package that keeps what people changed and upstream removed is not clean, as the warning of render says', async () => {
  const fleet = new TestRepository(folder)
  cpSync(CASE, folder, { recursive: true })
  fleet.write('catalog/tills@v3/notes.md', 'theirs\n')
  fleet.write('clusters/store-ber-01/tills/notes.md', 'theirs\n')
  for (const cluster of ['store-kel-01', 'store-ham-01']) fleet.write(`clusters/${cluster}/tills/notes.md`, 'mine\n')
  fleet.commit('start')
  const passed = (folder: string) =>
    `clusters/store-ham-01/tills/notes.md: warning: \`notes.md\` is changed here, and stays so; upstream removed it; the same for ${folder} [change-passed-over]`
  const { stdout } = await fleet.run('outdated', '--write', '--set', 'tills', '.')
  expect(stdout.split('\n').slice(3, 6)).toEqual([
    '  the update: 1 package clean, 1 package with edits that lose, 1 package with changes passed over',
    expect.stringMatching(/^ {4}clusters\/store-ham-01\/tills\/app\.yaml:8:13: warning: .* \[edit-lost\]$/),
    `    ${passed('store-kel-01/tills')}`,
  ])
  expect((await fleet.run('render', '.')).stderr).toContain(`${passed('clusters/store-kel-01/tills')}\n`)
})

test('a newer revision that cannot be written behind an alias is an error beside the table', async () => {
  const fleet = new TestRepository(folder)
  cpSync(CASE, folder, { recursive: true })
  const shared = 'status:\n  seen: &shared {repo: catalog, package: tills, revision: v3}\nspec:\n  upstream: *shared\n'
  fleet.write('sets.yaml', read('sets.yaml').replace('spec:\n  upstream: {repo: catalog, package: tills, revision: v3}\n', shared))
  fleet.commit('start')
  const { exitCode, stdout, stderr } = await fleet.run('outdated', '.')
  expect(stderr).toContain('alias')
  expect(stdout).toContain('2 of 3 upstreams outdated')
  expect(exitCode).toBe(1)
})

describe('the newest revision in git', () => {
  const options = (repo: string, tags: string) => `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: options
  annotations: {config.kubernetes.io/local-config: "true"}
spec:
  out: clusters
  repositories:
    catalog: {git: {repo: "${repo}"}${tags}}
`
  const set = (revision: string) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: tills
spec:
  upstream: {repo: catalog, package: tills, revision: ${revision}}
  targets:
  - repositories: [{name: store-ber-01}]
`

  test.each([
    { tags: ['tills/v1', 'tills/v2', 'tills/v10', 'other/v30'], from: '2', line: 'revision: 10}' },
    { tags: ['v1.2.0', 'v1.10.0', 'v2.0.0-rc.1'], from: 'v1.2.0', line: 'revision: v1.10.0}' },
  ])('is $line of the tags $tags', async ({ tags, from, line }) => {
    const catalog = new TestRepository(join(folder, 'catalog.git'))
    for (const tag of tags) {
      catalog.write('tills/Kptfile', `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: tills\ninfo:\n  description: ${tag}\n`)
      catalog.write('other/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: other\n')
      catalog.commit(tag)
    }
    const fleet = new TestRepository(join(folder, 'fleet'))
    fleet.write('render.yaml', options(catalog.folder, ''))
    fleet.write('set.yaml', set(from))
    const { both, exitCode } = await fleet.run('outdated', '--write', '--allow-outside', '.')
    expect({ both, exitCode }).toMatchObject({ exitCode: 0 })
    expect(read('fleet/set.yaml')).toContain(line)
  })
})

test('--tag raises sets and PackageVariants to the revision at the commit of a git tag, and follows the tag when it moves', async () => {
  const catalog = new TestRepository(join(folder, 'catalog.git'))
  for (const tag of ['tills/v1', 'tills/v2', 'tills/v3']) {
    catalog.write('tills/Kptfile', `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: tills\ninfo:\n  description: ${tag}\n`)
    catalog.commit(tag)
    catalog.git('tag', '--force', tag)
  }
  catalog.git('tag', 'tills/stable', 'tills/v2')
  const fleet = new TestRepository(join(folder, 'fleet'))
  const porch = 'apiVersion: config.porch.kpt.dev/v1alpha'
  fleet.write(
    'render.yaml',
    `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: options}\nspec:\n  out: clusters\n  repositories:\n    catalog: {git: {repo: "${catalog.folder}"}}\n`,
  )
  fleet.write(
    'set.yaml',
    `${porch}2\nkind: PackageVariantSet\nmetadata: {name: tills}\nspec:\n  upstream: {repo: catalog, package: tills, revision: 1} # kept\n  targets:\n  - repositories: [{name: store-ber-01}]\n`,
  )
  fleet.write(
    'alone.yaml',
    `${porch}1\nkind: PackageVariant\nmetadata: {name: alone}\nspec:\n  upstream: {repo: catalog, package: tills, revision: 1}\n  downstream: {repo: store-ham-01, package: tills}\n`,
  )
  const track = (tag: string) => fleet.run('outdated', '--write', '--no-render', '--tag', tag, '--allow-outside', '.')
  expect(await track('stable')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('2 revisions changed in 2 files') })
  expect(read('fleet/set.yaml')).toContain('revision: 2} # kept')
  expect(read('fleet/alone.yaml')).toContain('revision: 2}')
  expect(await track('stable')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('0 revisions changed') })
  catalog.git('tag', '--force', 'tills/stable', 'tills/v3')
  expect(await track('stable')).toMatchObject({ exitCode: 0 })
  expect(read('fleet/set.yaml')).toContain('revision: 3} # kept')
  const written = read('fleet/set.yaml')
  expect(await track('stabel')).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining("did you mean 'stable'?") })
  expect(read('fleet/set.yaml')).toBe(written)
})

test('the revision of a PackageRevisionSet is changed where it is written, once for all matrices that name the set', async () => {
  const fleet = new TestRepository(folder)
  cpSync(join(CASE, 'catalog'), join(folder, 'catalog'), { recursive: true })
  const own = 'apiVersion: fleet.krm-variants.dev/v1alpha1\n'
  fleet.write(
    'base.yaml',
    `${own}kind: PackageRevisionSet\nmetadata: {name: base}\nspec:\n  upstreams:\n  - {repo: catalog, package: tills, revision: 3} # base\n`,
  )
  const matrix = (name: string, repo: string) =>
    `${own}kind: PackageVariantMatrix\nmetadata: {name: ${name}}\nspec:\n  upstreams:\n  - packageRevisionSet: base\n  targets:\n  - repositories: [{name: ${repo}}]\n`
  fleet.write('a.yaml', matrix('a', 'store-ber-01'))
  fleet.write('b.yaml', matrix('b', 'store-ham-01'))
  const { stdout, stderr, exitCode } = await fleet.run('outdated', '--write', '.')
  expect({ stdout, stderr, exitCode }).toMatchObject({ exitCode: 0 })
  expect(stdout).toContain('2 of 2 upstreams outdated')
  expect(stderr).toContain('1 revision changed in 1 file')
  expect(read('base.yaml')).toContain('revision: 4} # base')
})
