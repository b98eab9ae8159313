import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

test('an object that is for tools on disk only is on no cluster', async () => {
  const fleet = new TestRepository(testFolder())
  const variant = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: web}\n'
  fleet.write('web.yaml', `${variant}spec: {upstream: {repo: catalog, package: web, revision: 1}, downstream: {repo: ams, package: web}}\n`)
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n')
  fleet.write('catalog/web@v1/cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n')
  const local = "annotations: {config.kubernetes.io/local-config: 'true'}"
  fleet.write('catalog/web@v1/local.yaml', `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: local, ${local}}\n`)
  const { exitCode, stderr } = await fleet.run('explain', 'ConfigMap/local', '.')
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("no cluster gets ConfigMap 'local'; there is 'web'")])
})
