import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: options
spec:
  fleet: stores
  out: clusters
`

const set = (name: string) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: ${name}
spec:
  upstream: {repo: catalog, package: ${name}, revision: 1}
  targets:
  - repositorySelector: {matchLabels: {env: prod}}
`

const repositories = (...names: readonly string[]) =>
  names
    .map((name) => `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: ${name}\n  labels: {env: prod}\n`)
    .join('---\n')

const WARNING =
  "warning: PackageVariant shop-eu-north-1-shop: `spec.downstream` looks like 'eu-1' under a new name: 2 packages (eu-1/shop, eu-1/till) are removed and made anew for 'eu-north-1', without what people changed; if it is the same target, keep the changes by `git mv clusters/eu-1 clusters/eu-north-1` before render [target-renamed]"

let folder: string
let fleet: TestRepository

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'krm-variants-renamed-'))
  fleet = new TestRepository(folder)
  fleet.write('render.yaml', OPTIONS)
  for (const name of ['shop', 'till']) {
    fleet.write(`${name}.yaml`, set(name))
    fleet.write(`catalog/${name}@1/Kptfile`, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n`)
    fleet.write(`catalog/${name}@1/app.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  color: red\n`)
  }
  fleet.write('repositories.yaml', repositories('eu-1', 'eu-2', 'us-1'))
  await recordRun(folder, ['render', '.'])
  fleet.replace('clusters/eu-1/shop/app.yaml', 'color: red', 'color: blue')
  fleet.commit('start')
})

afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  ['render', ['render', '.', '--dry-run'], 1],
  ['diff', ['diff', 'start', '.'], 2],
  ['plan', ['plan', '.'], 1],
])('%s names the command that keeps what people changed in the packages of a target under a new name', async (_, args, code) => {
  fleet.write('repositories.yaml', repositories('eu-north-1', 'eu-2', 'us-1'))
  const { stderr, exitCode } = await recordRun(folder, args)
  expect(stderr).toContain(WARNING)
  expect([exitCode, stderr.includes('[discard-edits]')]).toEqual([code, code === 1])
})

test('after the command the packages are those of the new name, with what people changed', async () => {
  fleet.write('repositories.yaml', repositories('eu-north-1', 'eu-2', 'us-1'))
  fleet.git('mv', 'clusters/eu-1', 'clusters/eu-north-1')
  const { stderr, exitCode } = await recordRun(folder, ['render', '.'])
  expect(stderr).not.toContain('target-renamed')
  expect(exitCode).toBe(0)
  expect(readFileSync(join(folder, 'clusters/eu-north-1/shop/app.yaml'), 'utf8')).toContain('color: blue')
  expect(readFileSync(join(folder, 'clusters/eu-north-1/shop/Kptfile'), 'utf8')).toContain('default/shop-eu-north-1-shop')
})

test('two targets that go while two come are not paired', async () => {
  fleet.write('repositories.yaml', repositories('eu-north-1', 'eu-north-2', 'us-1'))
  const { stderr } = await recordRun(folder, ['render', '.', '--dry-run'])
  expect(stderr).not.toContain('target-renamed')
})

test('a package beside others that stay is moved alone', async () => {
  fleet.write('repositories.yaml', repositories('eu-1', 'eu-2', 'us-1', 'eu-north-1'))
  for (const [name, repo] of [
    ['shop', 'eu-north-1'],
    ['till', 'eu-1'],
  ])
    fleet.write(
      `${name}.yaml`,
      set(name ?? '').replace(
        'repositorySelector: {matchLabels: {env: prod}}',
        `repositories: [{name: ${repo}}, {name: eu-2}, {name: us-1}]`,
      ),
    )
  const { stderr } = await recordRun(folder, ['render', '.', '--dry-run'])
  expect(stderr).toContain('`mkdir -p clusters/eu-north-1 && git mv clusters/eu-1/shop clusters/eu-north-1/shop`')
})
