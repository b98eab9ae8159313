import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../testdata/test-folder.ts'
import { commit, git } from './render/catalog.ts'
import { edit } from './render/edits.ts'
import { bundlePath, type Finished, runProgram } from './run-program.ts'

interface Fleet {
  readonly clusters: string
  readonly set: string
  render(...options: readonly string[]): Promise<Finished>
  plan(): Promise<Finished>
}

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: sites}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: ams}, {name: fra}]
`

/** A rendered fleet of the package `web`, in which people worked; then the catalog calls the package `shop`, and the set follows. */
async function webIsShop(): Promise<Fleet> {
  const place = testFolder()
  const [catalog, fleet, clusters] = ['catalog', 'fleet', 'clusters'].map((folder) => join(place, folder)) as [string, string, string]
  mkdirSync(join(catalog, 'web'), { recursive: true })
  mkdirSync(join(fleet, 'sets'), { recursive: true })
  writeFileSync(join(catalog, 'web/Kptfile'), 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  writeFileSync(
    join(catalog, 'web/settings.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: fast\n  workers: "2"\n',
  )
  await git(catalog, 'init', '--quiet')
  await commit(catalog, 'web')
  await git(catalog, 'tag', 'web/v1')
  await git(catalog, 'mv', 'web', 'shop')
  edit(join(catalog, 'shop/settings.yaml'), 'fast', 'safe')
  await commit(catalog, 'shop')
  await git(catalog, 'tag', 'shop/v1')
  const options = `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: options}\nspec:\n  repositories:\n    catalog: {git: {repo: ${catalog}}}\n`
  writeFileSync(join(fleet, 'options.yaml'), options)
  const set = join(fleet, 'sets/sites.yaml')
  writeFileSync(set, SET)
  const tool = (...args: readonly string[]) => runProgram(bundlePath('krm-variants'), args)
  const render = (...more: readonly string[]) => tool('render', fleet, '--out', clusters, ...more)
  expect((await render()).exitCode).toBe(0)
  await tool('fn', 'fan-out', fleet, '--write')
  edit(join(clusters, 'ams/web/settings.yaml'), '"2"', '"16" # peak hours')
  writeFileSync(join(clusters, 'ams/web/NOTES.md'), 'Ask Anna.\n')
  edit(set, 'package: web', 'package: shop')
  return { clusters, set, render, plan: () => tool('plan', fleet) }
}

test('plan shows packages whose upstream package is renamed as renamed, and render makes none of them anew', async () => {
  const { clusters, render, plan } = await webIsShop()
  expect((await plan()).stdout.toString()).toMatch(/^Plan: 2 to rename\n/)
  for (const options of [['--dry-run'], []]) {
    const { stderr, exitCode } = await render(...options)
    expect(exitCode).toBe(1)
    expect(stderr).toContain("must not change from 'ams/web' unsaid when the upstream package 'web' becomes 'shop'")
    expect(stderr).toMatch(/followRenames \(--follow-renames\).*`template\.downstream\.package`/)
  }
  expect([existsSync(join(clusters, 'ams/web/NOTES.md')), existsSync(join(clusters, 'ams/shop'))]).toEqual([true, false])
})

test('with --follow-renames the packages move with what people made in them, and take what upstream changed', async () => {
  const { clusters, render } = await webIsShop()
  expect((await render('--follow-renames')).stdout.toString()).toBe('2 packages: 2 moved\n')
  expect(existsSync(join(clusters, 'ams/web'))).toBe(false)
  expect(readFileSync(join(clusters, 'ams/shop/NOTES.md'), 'utf8')).toBe('Ask Anna.\n')
  const settings = readFileSync(join(clusters, 'ams/shop/settings.yaml'), 'utf8')
  expect(settings).toContain('mode: safe\n  workers: "16" # peak hours\n')
  expect((await render()).stdout.toString()).toBe('2 packages: 2 unchanged\n')
})

test('with template.downstream.package the packages stay where they are', async () => {
  const { clusters, set, render } = await webIsShop()
  edit(set, '[{name: ams}, {name: fra}]\n', '[{name: ams}, {name: fra}]\n    template: {downstream: {package: web}}\n')
  expect((await render()).stdout.toString()).toBe('2 packages: 2 updated\n')
  const settings = readFileSync(join(clusters, 'ams/web/settings.yaml'), 'utf8')
  expect(settings).toContain('mode: safe\n  workers: "16" # peak hours\n')
})
