import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const kptfile = (name: string) =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: ${name}}\npipeline:\n  mutators:\n  - image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2\n    configPath: setters.yaml\n`
const setters = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters, annotations: {config.kubernetes.io/local-config: "true"}}\ndata:\n  ${name}: "1"\n`
const deployment = (name: string, setter: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec:\n  replicas: 1 # kpt-set: \${${setter}}\n  paused: false\n`

/** Renders a package with a subpackage, each with a setter. */
async function renderedFleet(): Promise<TestRepository> {
  const fleet = new TestRepository(testFolder())
  for (const [folder, name, setter] of [
    ['catalog/web@v1', 'web', 'size'],
    ['catalog/web@v1/db', 'db', 'count'],
  ] as const) {
    fleet.write(`${folder}/Kptfile`, kptfile(name))
    fleet.write(`${folder}/setters.yaml`, setters(setter).replace('setters', `setters-${name}`))
    fleet.write(`${folder}/${name}.yaml`, deployment(name, setter))
  }
  fleet.write(
    'set.yaml',
    'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: web}\nspec:\n  upstream: {repo: catalog, package: web, revision: 1}\n  targets: [{repositories: [{name: edge}]}]\n',
  )
  await fleet.run('render', '.', '--out', 'out')
  return fleet
}

test('a value of an edited setter is explained by the setter, also in a subpackage', async () => {
  const fleet = await renderedFleet()
  fleet.replace('out/edge/web/setters.yaml', 'size: "1"', 'size: "5"')
  fleet.replace('out/edge/web/db/setters.yaml', 'count: "1"', 'count: "7"')
  fleet.replace('out/edge/web/web.yaml', 'paused: false', 'paused: true')
  await fleet.run('render', '.', '--out', 'out')
  const explained = async (name: string) => (await fleet.run('explain', name, '.', '--out', 'out')).stdout
  const web = await explained('Deployment/web')
  expect(web).toMatch(
    /spec\.replicas: 5\n {6}edited in the package by its setter data\.size; rendered, it is 1 {2}out\/edge\/web\/setters\.yaml:\d+\n/,
  )
  expect(await explained('Deployment/db')).toMatch(
    /edited in the package by its setter data\.count; rendered, it is 1 {2}out\/edge\/web\/db\/setters\.yaml:\d+\n/,
  )
  expect(web).toMatch(/spec\.paused: true\n {6}edited in the package; rendered, it is false {2}out\/edge\/web\/web\.yaml:\d+\n/)
})
