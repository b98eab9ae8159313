import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { kptfileText } from '../../testdata/written-objects.ts'

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: shop
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  targets:
  - repositories: [{name: eu-1}]
`

const KPTFILE = kptfileText('shop')
const PIPELINE = 'pipeline:\n  mutators:\n  - image: set-namespace:v0.4.1\n    configMap: {namespace: shop}\n'

function makeFleet(kptfile: string): TestRepository {
  const folder = testFolder()
  const fleet = new TestRepository(folder)
  fleet.write('set.yaml', SET)
  fleet.write('catalog/shop@v1/Kptfile', kptfile)
  fleet.write('catalog/shop@v1/chart/Chart.yaml', 'name: shop\n')
  fleet.write('catalog/shop@v1/chart/values.yaml', 'replicas: 1\n')
  fleet.write('catalog/shop@v1/chart/templates/app.yaml', 'kind: {{ .Values.kind }}\n')
  return fleet
}

test('a template of a chart is one warning of a render that writes', async () => {
  const { folder } = makeFleet(KPTFILE)
  const { stderr } = await recordRun(folder, ['render', '.', '--out', 'clusters'])
  expect(stderr).toBe(
    'catalog/shop@v1/chart/templates/app.yaml: warning: left alone: a template, not YAML; name it in .krmignore to say so [template-file]\n',
  )
})

test('a file of a chart in a package whose functions fail is named where it is, in the upstream package', async () => {
  const { folder } = makeFleet(`${KPTFILE}${PIPELINE}`)
  const { stderr, exitCode } = await recordRun(folder, ['render', '.', '--out', 'clusters'])
  expect(stderr).toContain('catalog/shop@v1/chart/Chart.yaml: error: must have `apiVersion`')
  expect(stderr).not.toContain('clusters/')
  expect(exitCode).toBe(1)
})
