import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

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
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-revision-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
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
