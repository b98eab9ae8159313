import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { configMapText, kptfileText } from '../../testdata/written-objects.ts'

/** A fleet of two variants in two repositories, with a plan that is saved. */
async function plannedFleet(): Promise<TestRepository> {
  const fleet = new TestRepository(testFolder())
  fleet.write('fleet/catalog/web@v1/Kptfile', kptfileText('web'))
  fleet.write('fleet/catalog/web@v1/a.yaml', configMapText('a'))
  fleet.write(
    'fleet/set.yaml',
    'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: web}\nspec:\n  upstream: {repo: catalog, package: web, revision: 1}\n  targets: [{repositories: [{name: ams}, {name: ber}]}]\n',
  )
  const { exitCode, stderr } = await fleet.run('plan', 'fleet', '--packages', 'fleet/out', '--out', 'plan.json')
  expect(stderr).not.toContain('error')
  expect([0, 2]).toContain(exitCode)
  return fleet
}

test('a part of a saved plan may be rendered after another part', async () => {
  const fleet = await plannedFleet()
  for (const only of ['ams', 'ber']) {
    const { exitCode, stderr } = await fleet.run('render', 'fleet', '--plan', 'plan.json', '--only', `repository=${only}`)
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('error')])
  }
})

test('an upstream package that changed since a plan was saved refuses the plan', async () => {
  const fleet = await plannedFleet()
  fleet.replace('fleet/catalog/web@v1/a.yaml', 'name: a', 'name: b')
  const { exitCode, stderr } = await fleet.run('render', 'fleet', '--plan', 'plan.json')
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('catalog/web@v1')])
})
