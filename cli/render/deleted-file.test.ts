import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const set = (repositories: string) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [${repositories}]
`

test('the refusal to remove a package names a file that is missing from it as deleted', async () => {
  const folder = testFolder()
  const fleet = new TestRepository(folder)
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write('set.yaml', set('{name: ham}, {name: ber}'))
  await fleet.run('render', '.', '--out', 'clusters')
  fleet.remove('clusters/ber/web/package-context.yaml')
  fleet.write('clusters/ber/web/added.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: added}\n')
  fleet.write('set.yaml', set('{name: ham}'))
  const { stderr, exitCode } = await fleet.run('render', '.', '--out', 'clusters')
  expect(stderr).toContain("made or changed in it: 'added.yaml', deleted: 'package-context.yaml' [discard-edits]")
  expect(exitCode).toBe(1)
})

test('a removal with edits that are discarded is reported for programs with what was lost', async () => {
  const folder = testFolder()
  const fleet = new TestRepository(folder)
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write('set.yaml', set('{name: ham}, {name: ber}'))
  await fleet.run('render', '.', '--out', 'clusters')
  fleet.write('clusters/ber/web/added.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: added}\n')
  fleet.write('set.yaml', set('{name: ham}'))
  const { stdout, exitCode } = await fleet.run('render', '.', '--out', 'clusters', '--discard-edits', '--format', 'json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    counts: { remove: 1 },
    packages: [{ folder: 'ber/web', files: [{ op: 'delete', path: 'added.yaml', removed: 3 }] }],
  })
})
