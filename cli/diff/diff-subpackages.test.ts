import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { kptfileText } from '../../testdata/written-objects.ts'

// A package of `shop`, into which people put revision v1 of `net`, with an upstream of its own.

const KPTFILE = kptfileText('NAME')

const OF_PEOPLE = `${KPTFILE.replace('NAME', 'net')}upstream:
  type: git
  git:
    repo: catalog
    directory: /net
    ref: v1
upstreamLock:
  type: git
  git:
    repo: catalog
    directory: /net
    ref: v1
`

const serviceOf = (affinity: string) => `apiVersion: v1
kind: Service
metadata:
  name: net
spec:
  type: ClusterIP
  externalName: a
  sessionAffinity: ${affinity}
`

const VARIANT = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: edge-shop, namespace: fleet}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  downstream: {repo: edge, package: shop}
`

const NET = 'clusters/edge/shop/sub/net'

let fleet: TestRepository

async function render(): Promise<void> {
  const { exitCode, stderr } = await fleet.run('render', '.', '--out', 'clusters', '--no-fan-out')
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('error')])
}

beforeEach(async () => {
  fleet = new TestRepository(testFolder())
  fleet.write('catalog/shop@v1/Kptfile', KPTFILE.replace('NAME', 'shop'))
  fleet.write('catalog/shop@v1/till.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: till}\ndata: {mode: day}\n')
  for (const [revision, affinity] of [
    ['v1', 'None'],
    ['v2', 'ClientIP'],
  ] as const) {
    fleet.write(`catalog/net@${revision}/Kptfile`, KPTFILE.replace('NAME', 'net'))
    fleet.write(`catalog/net@${revision}/service.yaml`, serviceOf(affinity))
  }
  fleet.write('variants.yaml', VARIANT)
  fleet.commit('fleet')
  await render()
  fleet.write(`${NET}/Kptfile`, OF_PEOPLE)
  fleet.write(`${NET}/service.yaml`, serviceOf('None'))
  await render()
  fleet.commit('start')
})

/** Returns the groups of a report. */
async function changes(): Promise<string> {
  const { stdout, stderr } = await fleet.run('diff', 'start..HEAD', '--out', 'clusters')
  expect(stderr).not.toContain('error')
  return stdout.split('\n\n')[1] ?? ''
}

const raise = () => fleet.replace(`${NET}/Kptfile`, 'ref: v1', 'ref: v2')

const RAISED = `1 cluster  Service net  spec.sessionAffinity: None → ClientIP
    edge
    because subpackage sub/net: catalog/net v1 → v2
        upstream.git.ref: v1 → v2  clusters/edge/shop/sub/net/Kptfile:10`

test('a raised revision of a subpackage is the cause of its changes, with the line of its Kptfile', async () => {
  raise()
  fleet.commit('raised')
  expect((await changes()).trimEnd()).toBe(RAISED)
})

test('a raised revision is the cause when the package is rendered and committed', async () => {
  raise()
  await render()
  fleet.commit('rendered')
  expect((await changes()).trimEnd()).toBe(RAISED)
})

test('an edit beside a raised revision stays an edit', async () => {
  raise()
  await render()
  fleet.replace(`${NET}/service.yaml`, 'externalName: a', 'externalName: ours')
  fleet.commit('edited')
  const text = await changes()
  expect(text).toContain('because edited in the package\n        spec.externalName  clusters/edge/shop/sub/net/service.yaml:9')
  expect(text).toContain('because subpackage sub/net: catalog/net v1 → v2')
})

test('an object that people moved to a subpackage with other functions is said to have moved', async () => {
  const labels = (name: string) =>
    `${KPTFILE.replace('NAME', name)}pipeline:\n  mutators:\n  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0\n    configMap: {part: ${name}}\n`
  for (const name of ['a', 'b']) fleet.write(`catalog/shop@v1/${name}/Kptfile`, labels(name))
  fleet.write('catalog/shop@v1/a/web.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n')
  fleet.remove('clusters')
  await render()
  fleet.commit('start')
  fleet.write('clusters/edge/shop/b/web.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n')
  fleet.remove('clusters/edge/shop/a/web.yaml')
  await render()
  fleet.commit('moved')
  expect((await changes()).trimEnd()).toBe(`1 cluster  ConfigMap web  metadata.labels.part: a → b
    edge
    because moved to another subpackage in the package
        a/web.yaml → b/web.yaml  clusters/edge/shop/b/web.yaml:1
        metadata.labels.part  clusters/edge/shop/b/web.yaml:6`)
})
