import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { StateRenderer } from '../../src/diff/fleet-state.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-policies-'))
const fleet = new TestRepository(folder)

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: dns}
spec:
  upstream: {repo: catalog, package: dns, revision: 1}
  targets: [{repositories: [{name: ber-01}, {name: ham-01}, {name: osl-01}]}]
`

const POLICY = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: FleetPolicy
metadata: {name: servers}
spec:
  forEach: objects
  where: item.kind == 'ConfigMap' && item.metadata.name == 'dns'
  validations: [{expression: item.data.servers != '2', message: two servers are too few}]
`

beforeAll(() => {
  for (const revision of [1, 2]) {
    fleet.write(`catalog/dns@v${revision}/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
    fleet.write(
      `catalog/dns@v${revision}/dns.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\ndata: {servers: "${revision}"}\n`,
    )
  }
  fleet.write('set.yaml', SET)
  fleet.commit('start')
  fleet.replace('set.yaml', 'revision: 1', 'revision: 2')
  fleet.commit('plain')
  fleet.write('policy.yaml', POLICY)
  fleet.commit('policy')
})

afterAll(() => rmSync(folder, { recursive: true }))

test('policies look at the packages that the comparison rendered: none is rendered once more', async () => {
  const render = vi.spyOn(StateRenderer.prototype, 'render')
  try {
    expect((await fleet.run('diff', 'start..plain')).exitCode).toBe(2)
    const plain = render.mock.calls.length
    const { exitCode, stderr } = await fleet.run('diff', 'start..policy')
    expect(render.mock.calls.length - plain).toBe(plain)
    expect(plain).toBeGreaterThanOrEqual(6)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/two servers are too few .*; the same for .*, /)
  } finally {
    render.mockRestore()
  }
})

test('packages that do not change are rendered for the policies', async () => {
  const { exitCode, stderr } = await fleet.run('diff', 'plain..policy')
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/two servers are too few .*; the same for .*, /)
})
