import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const FLEET = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {out: packages}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: shop, namespace: fleet}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  targets:
  - repositories: [{name: edge}]
`

function kptfile(name: string): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n`
}

function config(value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: routes\ndata:\n  value: ${value}\n`
}

/** Returns a rendered fleet with a subpackage that is at one revision of its upstream and asks for another. */
async function fleetAsking({ ref = 'v2', repo = 'catalog', at = 'v1' } = {}): Promise<TestRepository> {
  const fleet = new TestRepository(testFolder())
  fleet.write('fleet.yaml', FLEET)
  fleet.write('catalog/shop@v1/Kptfile', kptfile('shop'))
  for (const revision of ['v1', 'v2']) {
    fleet.write(`catalog/net@${revision}/Kptfile`, kptfile('net'))
    fleet.write(`catalog/net@${revision}/routes.yaml`, config(revision))
  }
  await fleet.run('render', '.')
  const revision = (of: string, wanted: string) => `  type: git\n  git: {repo: ${of}, directory: /net, ref: ${wanted}}\n`
  fleet.write('packages/edge/shop/net/routes.yaml', config('v1'))
  fleet.write(
    'packages/edge/shop/net/Kptfile',
    `${kptfile('net')}upstream:\n${revision(repo, ref)}  updateStrategy: resource-merge\nupstreamLock:\n${revision('catalog', at)}`,
  )
  return fleet
}

test('plan names a subpackage that gets another revision, as text and as JSON', async () => {
  const fleet = await fleetAsking()
  const text = await fleet.run('plan', '.')
  expect([text.exitCode, text.stdout]).toEqual([2, expect.stringContaining('\nSubpackages\n  ~ edge/shop/net: v1 → v2\n')])
  const { packages } = JSON.parse((await fleet.run('plan', '--format', 'json', '.')).stdout)
  expect(packages.subpackages).toEqual([{ folder: 'edge/shop/net', from: 'v1', to: 'v2' }])
  expect((await fleet.run('render', '.')).exitCode).toBe(0)
  expect((await fleet.run('plan', '.')).stdout).not.toContain('Subpackages')
})

test.each([
  { what: 'has no tag', asking: { ref: 'v9' }, rule: 'upstream-missing' },
  { what: 'is in a repository that the fleet does not name', asking: { repo: 'https://git.example/far' }, rule: 'upstream-missing' },
  { what: 'replaces one that is gone', asking: { at: 'v0' }, rule: 'original-missing' },
])('plan, check and render refuse a subpackage whose revision $what', async ({ asking, rule }) => {
  const fleet = await fleetAsking(asking)
  for (const command of ['plan', 'check', 'render']) {
    const { exitCode, stdout, stderr } = await fleet.run(command, '.')
    expect([command, exitCode, `${stdout}${stderr}`.match(/packages\/edge\/shop\/net\/Kptfile:\d+:\d+: error: .*\[(.*)\]/)?.[1]]).toEqual([
      command,
      1,
      rule,
    ])
  }
})
