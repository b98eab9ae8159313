import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const POLICY =
  'apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: FleetPolicy\nmetadata: {name: p}\nspec:\n  forEach: objects\n  where: "item.kind == \'ConfigMap\'"\n  validations:\n  - expression: "item.metadata.name != \'web\'"\n    message: not allowed here\n'

let fleet: TestRepository
beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-rendered-'))
  fleet = new TestRepository(folder)
  fleet.write(
    'fleet/render.yaml',
    'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: {out: ../packages}\n',
  )
  fleet.write(
    'fleet/web.yaml',
    'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: web}\nspec:\n  upstream: {repo: catalog, package: web, revision: 1}\n  downstream: {repo: ams, package: web}\n',
  )
  fleet.write('fleet/catalog/web@1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write('fleet/catalog/web@1/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n')
  fleet.write('fleet/policy.yaml', POLICY)
  await fleet.run('render', 'fleet', '--allow-outside')
  return () => rmSync(folder, { recursive: true })
}, 60_000)

test.each([[['--allow-outside']], [['--allow-outside', '--out', 'packages']]])(
  'check judges rendered packages that are outside of the fleet by its policies (%j)',
  async (options) => {
    const { exitCode, stdout } = await fleet.run('check', 'fleet', ...options)
    expect(stdout).toContain('packages/ams/web/a.yaml:')
    expect(stdout).toContain('not allowed here')
    expect(stdout).not.toContain('makes them')
    expect(exitCode).toBe(1)
  },
)

test('a broken file of a package that is outside of the fleet is an error of check', async () => {
  fleet.remove('fleet/policy.yaml')
  expect((await fleet.run('check', 'fleet', '--allow-outside')).exitCode).toBe(0)
  fleet.write('packages/ams/web/a.yaml', '# {{ docs }}\nkind: ConfigMap\nspec\n')
  const { exitCode, stdout } = await fleet.run('check', 'fleet', '--allow-outside')
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('packages/ams/web/a.yaml:3:1: error: ')])
})

test.each(['check', 'resolve', 'simulate', 'graph', 'rings', 'explain --behind'])(
  '%s refuses a folder of packages that does not exist, as a misspelt one would look like one without packages',
  async (command) => {
    const { exitCode, both } = await fleet.run(...command.split(' '), 'fleet', '--out', 'pakages')
    expect([exitCode, both]).toEqual([1, "krm-variants: no folder 'pakages'\n"])
  },
)
