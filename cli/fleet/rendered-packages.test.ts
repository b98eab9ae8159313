import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

/** The variants that the packages of clusters hold, for a Porch there. */
const VARIANTS = ['set: edge, name: edge-c1-app', 'name: by-hand'].map(
  (marks, i) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${marks.split('name: ')[1]}, labels: {config.porch.kpt.dev/packagevariantset: ''}}
spec: {upstream: {repo: catalog, package: app, revision: 1}, downstream: {repo: other, package: p${i}}}
`,
)

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: edge}
spec:
  upstream: {repo: catalog, package: app, revision: 1}
  targets:
  - objectSelector: {apiVersion: v1, kind: ConfigMap, matchLabels: {site: 'yes'}}
    template: {downstream: {repoExpr: target.name}}
`

const site = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {site: 'yes'}}\n`

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-rendered-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fleet = new TestRepository(folder)

beforeAll(async () => {
  fleet.write(
    'fleet/render.yaml',
    'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: {out: packages}\n',
  )
  fleet.write('fleet/catalog/app@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: app}\n')
  fleet.write('fleet/catalog/app@v1/site.yaml', site('inner'))
  fleet.write('fleet/catalog/app@v1/variants.yaml', VARIANTS.join('---\n'))
  fleet.write('fleet/catalog/app@v1/set.yaml', SET.replace('name: edge', 'name: inner'))
  fleet.write('fleet/set.yaml', SET)
  fleet.write('fleet/site.yaml', site('c1'))
  await fleet.run('fn', 'fan-out', 'fleet', '--write')
  await fleet.run('render', 'fleet')
  fleet.commit('rendered')
})

test.each(['plan', 'plan --against HEAD', 'fn fan-out --write', 'render --dry-run', 'diff'])(
  '%s takes nothing in a rendered package for a target, a set or a variant of the fleet',
  async (command) => {
    const { exitCode, both } = await fleet.run(...command.split(' '), 'fleet')
    expect([exitCode, both]).toEqual([0, expect.not.stringMatching(/inner|by-hand|other/)])
  },
)

test('adopt leaves the variants in rendered packages to the cluster that the package is for', async () => {
  const uid = '0c9d8f7e-5b1a-4c3d-9e2f-1a2b3c4d5e6f'
  fleet.write('sets.yaml', SET.replace('name: edge', `name: edge, namespace: default, uid: ${uid}`))
  const before = readFileSync(join(folder, 'fleet/packages/c1/app/variants.yaml'), 'utf8')
  const { exitCode, both } = await fleet.run('adopt', '--from-cluster', 'sets.yaml', 'fleet')
  expect([exitCode, both]).toEqual([0, expect.stringContaining('gives 1 of 1 PackageVariant to the set')])
  expect(readFileSync(join(folder, 'fleet/packages/c1/app/variants.yaml'), 'utf8')).toBe(before)
})
