import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestFleet } from '../../testdata/test-fleet.ts'

let fleet = new TestFleet()
beforeEach(() => {
  fleet = new TestFleet()
  onTestFinished(() => fleet.remove())
  fleet.write('catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  for (const name of ['ber', 'ham', 'kel', 'bre'])
    fleet.write(
      `repositories/${name}.yaml`,
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: ${name}, namespace: fleet, labels: {env: prod, at: ${name}}}\n`,
    )
  fleet.write(
    'set.yaml',
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector: {matchLabels: {env: prod}}
`,
  )
})

const render = () => recordRun(fleet.root, ['render', '.', '--out', 'clusters'])

test('a fleet that loses more than half of its packages, but no more than the limit, is a warning with their names', async () => {
  await render()
  fleet.edit('set.yaml', 'env: prod', 'at: ham')
  const { exitCode, stdout, stderr } = await render()
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1 package: 1 unchanged; 3 removed\n' })
  expect(stderr).toContain(
    'warning: 3 of 4 packages are removed (ber/web, bre/web, kel/web): no PackageVariant wants them any more [deletion-guard]',
  )
  fleet.write(
    'options.yaml',
    'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: options}\nspec: {maxDeletions: 3}\n',
  )
  fleet.edit('set.yaml', 'at: ham', 'env: prod')
  await render()
  fleet.edit('set.yaml', 'env: prod', 'at: ham')
  expect((await render()).stderr).not.toContain('deletion-guard')
})

test('where no set has a target, the findings of the sets say why there is nothing to render', async () => {
  fleet.edit('set.yaml', 'namespace: fleet', 'namespace: default')
  const { exitCode, stderr } = await render()
  expect(exitCode).toBe(1)
  expect(stderr).toContain(
    "set.yaml:7:5: warning: `spec.targets[0].repositorySelector` matches no Repository of the list: none is in namespace 'default'; 4 in 'fleet' [no-match]",
  )
  expect(stderr).toContain('error: the input must hold a PackageVariant')
})
