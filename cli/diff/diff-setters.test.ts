import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const SETTERS =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters, annotations: {config.kubernetes.io/local-config: "true"}}\ndata:\n  size: "1"\n  tag: a\n'
const DEPLOY = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1 # kpt-set: \${size}
  paused: false
  image: web:a # kpt-set: web:\${tag}
`

/** Makes a fleet with a rendered package that has setters in a file. */
async function renderedFleet(): Promise<TestRepository> {
  const rendered = new TestRepository(testFolder())
  rendered.write(
    'catalog/web@v1/Kptfile',
    `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2
    configPath: ./setters.yaml
`,
  )
  rendered.write('catalog/web@v1/setters.yaml', SETTERS)
  rendered.write('catalog/web@v1/deploy.yaml', DEPLOY)
  rendered.write(
    'set.yaml',
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets: [{repositories: [{name: edge}]}]
`,
  )
  await rendered.run('render', '.', '--out', 'out')
  rendered.commit('rendered')
  return rendered
}

/** Returns the lines about edits that `diff` prints after edits in the package and a render. */
async function linesAfter(edit: (fleet: TestRepository) => void): Promise<readonly string[]> {
  const fleet = await renderedFleet()
  edit(fleet)
  await fleet.run('render', '.', '--out', 'out')
  const { stdout } = await fleet.run('diff', 'rendered', '.', '--out', 'out')
  return stdout.match(/\S+ {2}out\/.*/g) ?? []
}

test('an edited setter is named before the field that its function wrote', async () => {
  expect(await linesAfter((fleet) => fleet.replace('out/edge/web/setters.yaml', 'size: "1"', 'size: "5"'))).toEqual([
    expect.stringMatching(/^data\.size {2}out\/edge\/web\/setters\.yaml:\d+$/),
    expect.stringMatching(/^spec\.replicas {2}out\/edge\/web\/deploy\.yaml:\d+$/),
  ])
})

test('an edit of a field without a setter, beside an edited setter, names the field alone', async () => {
  const lines = await linesAfter((fleet) => {
    fleet.replace('out/edge/web/setters.yaml', 'tag: a', 'tag: b')
    fleet.replace('out/edge/web/deploy.yaml', 'paused: false', 'paused: true')
  })
  expect(lines.map((line) => line.replace(/ .*\//, ' ').replace(/:\d+$/, ''))).toEqual(
    expect.arrayContaining(['data.tag setters.yaml', 'spec.image deploy.yaml', 'spec.paused deploy.yaml']),
  )
  expect(lines).toHaveLength(3)
})

test('a misspelt setter of a set is a finding at its line of the set, which is a file that exists', async () => {
  const fleet = await renderedFleet()
  const image = 'ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2'
  const pipeline = `template: {pipeline: {mutators: [{image: ${image}, configMap: {sise: "5"}}]}}`
  fleet.replace('set.yaml', '{name: edge}]}', `{name: edge}], ${pipeline}}`)
  const { stderr } = await fleet.run('diff', 'rendered', '.')
  expect(stderr).toMatch(/^set\.yaml:6:\d+: warning: PackageVariant web-edge-web: .* has the setter 'sise'.*did you mean 'size'\? /m)
  expect(stderr).not.toContain('variants/')
})

test('a misspelt setter of an upstream package is a finding at its line upstream while the package is only in memory', async () => {
  const fleet = await renderedFleet()
  fleet.replace('catalog/web@v1/setters.yaml', 'size:', 'sise:')
  fleet.replace('set.yaml', '{name: edge}', '{name: edge}, {name: new}')
  fleet.remove('out/edge')
  const { stderr } = await fleet.run('diff', 'rendered', '.', '--out', 'out')
  expect(stderr).toMatch(/^catalog\/web@v1\/Kptfile:6:\d+: warning: .* has the setter 'sise'/m)
  expect(stderr).not.toContain('out/')
})
