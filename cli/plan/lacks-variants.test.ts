import { expect, onTestFinished, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestFleet } from '../../testdata/test-fleet.ts'

test('a plan of rendered packages whose variants have no files says why it creates all variants again', async () => {
  const fleet = new TestFleet()
  onTestFinished(() => fleet.remove())
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  fleet.write(
    'set.yaml',
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: ham}, {name: ber}]
`,
  )
  const run = (...args: readonly string[]) => recordRun(fleet.root, args)
  const hint = 'no file of a variant'
  expect((await run('plan', '.')).stderr).not.toContain(hint)
  await run('render', '.', '--out', 'clusters')
  const plan = await run('plan', '.')
  expect(plan.stdout).toContain('Plan: 2 to create')
  expect(plan.stderr).toMatch(/\n.*no file of a variant.* krm-variants diff .* krm-variants fn fan-out --write .*\n$/)
  await run('fn', 'fan-out', '.', '--write')
  expect((await run('plan', '.')).stderr).not.toContain(hint)
})
