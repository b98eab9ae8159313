import { expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const SETTERS = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters, annotations: {config.kubernetes.io/local-config: "true"}}\n'

/**
 * Makes a fleet of two clusters.
 *
 * @param ofSet       the setter of the set
 * @param ofUpstream  the setter of the upstream package
 */
function fleetWith(ofSet: string, ofUpstream: string): TestFolder {
  const fleet = new TestFolder()
  const kptfile = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\npipeline:\n  mutators:\n'
  fleet.write('catalog/web@v1/Kptfile', `${kptfile}  - image: ${CATALOG}/apply-setters:v0.2.0\n    configPath: setters.yaml\n`)
  fleet.write('catalog/web@v1/setters.yaml', `${SETTERS}data: {${ofUpstream}: "3"}\n`)
  fleet.write('catalog/web@v1/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  size: "1" # kpt-set: ${size}\n')
  fleet.write(
    'set.yaml',
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}, {name: edge-2}]
    template:
      pipeline:
        mutators:
        - image: ${CATALOG}/apply-setters:v0.2.0
          configMap:
            ${ofSet}: "5"
`,
  )
  return fleet
}

/** Returns the places and setters of the findings of a command about setters. */
async function settersIn(fleet: TestFolder, ...command: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await fleet.run(...command, '.', '--out', 'out')
  const lines = (stdout + stderr).match(/^\S+: warning: .*\[setter-unmatched\]$/gm) ?? []
  return lines.map((line) => `${/^\S+(?=:\d+: )/.exec(line)?.[0]} ${/has the setter '(.*?)'/.exec(line)?.[1]}`).sort()
}

const CAUSES = ['catalog/web@v1/Kptfile:6 sice', 'set.yaml:13 sise']

test('setters that go nowhere are found at their causes, before and after the first render', async () => {
  const fleet = fleetWith('sise', 'sice')
  fleet.write('out/README.md', 'the packages\n')
  expect(await settersIn(fleet, 'check')).toEqual(CAUSES)
  expect(await settersIn(fleet, 'render', '--dry-run')).toEqual(CAUSES)
  await fleet.run('render', '.', '--out', 'out')
  expect(await settersIn(fleet, 'check')).toEqual(CAUSES)
})

test('a misspelt setter is found in the set while the rendered packages still have the right one', async () => {
  const fleet = fleetWith('size', 'size')
  await fleet.run('render', '.', '--out', 'out')
  expect(await settersIn(fleet, 'check')).toEqual([])
  fleet.write('set.yaml', fleet.read('set.yaml').replace(' size:', ' sise:'))
  expect(await settersIn(fleet, 'check')).toEqual(['set.yaml:13 sise'])
})

test('a comment that people wrote into a rendered package counts', async () => {
  const fleet = fleetWith('color', 'size')
  await fleet.run('render', '.', '--out', 'out')
  for (const cluster of ['edge-1', 'edge-2'])
    fleet.write(`out/${cluster}/web/b.yaml`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  b: red # kpt-set: ${color}\n')
  expect(await settersIn(fleet, 'check')).toEqual([])
})

test('a misspelt setter that people wrote into a rendered package is found there', async () => {
  const fleet = fleetWith('size', 'size')
  await fleet.run('render', '.', '--out', 'out')
  fleet.write('out/edge-1/web/setters.yaml', fleet.read('out/edge-1/web/setters.yaml').replace('size:', 'sise:'))
  expect(await settersIn(fleet, 'check')).toEqual(['out/edge-1/web/Kptfile:10 sise'])
})
