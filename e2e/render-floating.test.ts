import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { testFolder } from '../testdata/test-folder.ts'
import { commit, git, makeCatalog } from './render/catalog.ts'
import { edit } from './render/edits.ts'
import { bundlePath, runProgram } from './run-program.ts'

interface Floating {
  readonly catalog: string
  /** The options and the variant. */
  readonly file: string
  readonly package: string
  render(...options: readonly string[]): Promise<{ readonly said: string; readonly stderr: string }>
}

/** A fleet of one variant that asks for what a tag or branch stands for. */
async function fleetAt(name: string): Promise<Floating> {
  const place = testFolder()
  const [catalog, fleet, clusters] = ['catalog', 'fleet', 'clusters'].map((folder) => join(place, folder)) as [string, string, string]
  await makeCatalog(catalog)
  mkdirSync(fleet)
  const options = `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata:\n  name: options\nspec:\n  repositories:\n    catalog: {git: {repo: ${catalog}}}\n`
  const upstream = `  upstream: {repo: catalog, package: tenant, workspaceName: ${name}}\n`
  const variant = `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: a\nspec:\n${upstream}  downstream: {repo: hub, package: team}\n`
  writeFileSync(join(fleet, 'fleet.yaml'), `${options}---\n${variant}`)
  return {
    catalog,
    file: join(fleet, 'fleet.yaml'),
    package: join(clusters, 'hub/team'),
    render: async (...more) => {
      const { stdout, stderr } = await runProgram(bundlePath('krm-variants'), ['render', fleet, '--out', clusters, ...more])
      return { said: stdout.toString(), stderr }
    },
  }
}

/** Seed 000 rule 29: when the tag moves, the package follows. */
test.each([
  { what: 'a tag of the package', name: 'stable', ref: 'refs/tags/tenant/stable' },
  { what: 'a tag of the repository', name: 'stable', ref: 'refs/tags/stable' },
  { what: 'a branch', name: 'next', ref: 'refs/heads/next' },
])('$what that moves takes its packages with it, edits kept (seed 000 rule 29)', async ({ name, ref }) => {
  const fleet = await fleetAt(name)
  await git(fleet.catalog, 'update-ref', ref, 'tenant/v1')
  expect((await fleet.render()).said).toBe('1 package: 1 created\n')
  edit(join(fleet.package, 'quota.yaml'), '8Gi', '16Gi')
  expect((await fleet.render()).said).toBe('1 package: 1 unchanged\n')
  await git(fleet.catalog, 'update-ref', ref, 'tenant/v2')
  expect(await fleet.render()).toEqual({ said: '1 package: 1 updated\n', stderr: '' })
  const quota = parse(readFileSync(join(fleet.package, 'quota.yaml'), 'utf8'))
  expect(quota.spec.hard).toMatchObject({ pods: '40', 'requests.memory': '16Gi' })
  const { upstream, upstreamLock } = parse(readFileSync(join(fleet.package, 'Kptfile'), 'utf8'))
  expect([upstream.git.ref, upstreamLock.git.commit]).toEqual([name, await git(fleet.catalog, 'rev-parse', 'tenant/v2')])
  expect((await fleet.render()).said).toBe('1 package: 1 unchanged\n')
})

test('where the history was rewritten, a branch is not taken for what it was', async () => {
  const fleet = await fleetAt('next')
  await git(fleet.catalog, 'update-ref', 'refs/heads/next', 'tenant/v1')
  await fleet.render()
  edit(join(fleet.package, 'Kptfile'), /commit: .*/, `commit: ${'c0ffee'.padEnd(40, '0')}`)
  const { said, stderr } = await fleet.render()
  expect(said).toBe('')
  expect(stderr).toMatch(
    /error: `upstreamLock\.git\.ref` must name an existing revision, commit c0ffee000000 is not in '.*', where 'next' is [0-9a-f]{12} now; without the revision/,
  )
})

test('a published tag that moves is not taken, until --allow-moved (seed 000 rule 36)', async () => {
  const fleet = await fleetAt('v1')
  await fleet.render()
  const before = readFileSync(join(fleet.package, 'Kptfile'), 'utf8')
  await git(fleet.catalog, 'tag', '--force', 'tenant/v1', 'tenant/v2')
  const { said, stderr } = await fleet.render()
  expect(said).toBe('')
  expect(stderr.replace(/^.*: error:/, 'error:').replaceAll(/[0-9a-f]{12}/g, 'COMMIT')).toBe(
    "error: `upstreamLock.git.commit` must be the commit of tag 'tenant/v1', which is COMMIT now and was COMMIT when the package was made: a published tag must not move; `allowMoved: true` (--allow-moved) accepts the new commit [upstream-moved]\n",
  )
  expect(readFileSync(join(fleet.package, 'Kptfile'), 'utf8')).toBe(before)
  expect((await fleet.render('--allow-moved')).said).toBe('1 package: 1 updated\n')
})

test.each([
  { what: 'a revision that is not there', asked: ['tenant', 'v7'], told: "; git has 'tenant/v2', 'tenant/v1' [upstream-missing]" },
  { what: 'a misspelt package', asked: ['tenannt', 'v1'], told: "; did you mean 'tenant'? [upstream-missing]" },
  {
    what: 'no revision',
    asked: ['tenant', "''"],
    told: "nor in git, since no revision is named, of 'CATALOG'; git has 'tenant/v2', 'tenant/v1' [upstream-missing]",
  },
])('for $what the nearest of git is named', async ({ asked: [packageName = '', name = ''], told }) => {
  const fleet = await fleetAt(name)
  if (packageName !== 'tenant') edit(fleet.file, 'package: tenant', `package: ${packageName}`)
  const { stderr } = await fleet.render()
  expect(stderr.replaceAll(fleet.catalog, 'CATALOG')).toContain(told)
})

test('a tag without the folder of the package says which packages it has', async () => {
  const fleet = await fleetAt('all')
  await git(fleet.catalog, 'mv', 'tenant', 'platform')
  await commit(fleet.catalog, 'platform')
  for (const tag of await git(fleet.catalog, 'tag').then((tags) => tags.split('\n'))) await git(fleet.catalog, 'tag', '--delete', tag)
  expect((await fleet.render()).stderr).toContain('; the repository has no tags [upstream-missing]')
  await git(fleet.catalog, 'tag', 'v1.0.0')
  expect((await fleet.render()).stderr).toContain("; its latest tags are 'v1.0.0' [upstream-missing]")
  await git(fleet.catalog, 'tag', 'all')
  expect((await fleet.render()).stderr).toContain(
    "; 'all' has the packages 'observability', 'platform', 'point-of-sale' [upstream-missing]",
  )
})
