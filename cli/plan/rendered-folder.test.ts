import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { configMapText, kptfileText } from '../../testdata/written-objects.ts'

/** A rendered fleet of one variant whose set asks for a newer revision. */
async function outdatedFleet(out: string): Promise<TestRepository> {
  const fleet = new TestRepository(testFolder())
  fleet.write('fleet/catalog/web@v1/Kptfile', kptfileText('web'))
  fleet.write('fleet/catalog/web@v1/a.yaml', configMapText('a', 'data: {a: one}\n'))
  const set = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: web}\n'
  fleet.write(
    'fleet/set.yaml',
    `${set}spec: {upstream: {repo: catalog, package: web, revision: 1}, targets: [{repositories: [{name: ams}]}]}\n`,
  )
  await fleet.run('fn', 'fan-out', 'fleet', '--write')
  const { exitCode } = await fleet.run('render', 'fleet', '--out', out)
  expect(exitCode).toBe(0)
  fleet.git('add', '.')
  fleet.git('commit', '-qm', 'one')
  fleet.write('fleet/catalog/web@v2/Kptfile', kptfileText('web'))
  fleet.write('fleet/catalog/web@v2/a.yaml', configMapText('a', 'data: {a: two}\n'))
  fleet.replace('fleet/set.yaml', 'revision: 1', 'revision: 2')
  return fleet
}

const updates = async (fleet: TestRepository, ...args: readonly string[]) =>
  JSON.parse((await fleet.run('plan', 'fleet', '--format', 'json', ...args)).stdout).packages?.counts?.update

test('packages below the fleet are found by the variant that a Kptfile names as its owner', async () => {
  expect(await updates(await outdatedFleet('fleet/deep/out'))).toBe(1)
})

test('packages beside the fleet are found in the repository of the revision that a plan is compared with', async () => {
  const fleet = await outdatedFleet('packages')
  expect(await updates(fleet)).toBeUndefined()
  expect(await updates(fleet, '--against', 'HEAD')).toBe(1)
})
