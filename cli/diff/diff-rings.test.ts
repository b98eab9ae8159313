import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DiffReport } from '../../src/diff/report.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-rings-'))
const golden = (name: string) => fileURLToPath(new URL(`../../testdata/diff/${name}`, import.meta.url))
const fleet = new TestRepository(folder)

const RINGS: Readonly<Record<string, string>> = {
  'ber-01': 'canary',
  'ham-01': 'canary',
  'osl-01': 'north',
  'par-01': 'world',
  'rom-01': 'world',
}

beforeAll(() => {
  for (const revision of [1, 2]) {
    fleet.write(`catalog/dns@v${revision}/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
    fleet.write(
      `catalog/dns@v${revision}/dns.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns}\ndata: {servers: "${revision}"}\n`,
    )
  }
  fleet.write(
    'clusters.yaml',
    Object.entries(RINGS)
      .map(
        ([name, ring]) =>
          `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: ${name}, labels: {ring: ${ring}}}\n`,
      )
      .join('---\n'),
  )
  fleet.write(
    'base.yaml',
    `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: base}
spec:
  upstreams: [{repo: catalog, package: dns, revision: 1}]
  targets: [{repositorySelector: {matchExpressions: [{key: retired, operator: DoesNotExist}]}}]
  rings:
  - {name: canary, where: target.labels.ring == 'canary'}
  - {name: north, where: target.labels.ring == 'north'}
  - {name: world}
`,
  )
  fleet.write(
    'alone.yaml',
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: alone}
spec:
  upstream: {repo: catalog, package: dns, revision: 1}
  targets: [{repositories: [{name: ber-01}], template: {downstream: {package: other}}}]
`,
  )
  fleet.commit('start')
  fleet.replace('base.yaml', "where: target.labels.ring == 'canary'", "where: target.labels.ring == 'canary', revisions: {dns: 2}")
  fleet.commit('canary')
  fleet.replace('base.yaml', 'revision: 1', 'revision: 2')
  fleet.replace('alone.yaml', 'revision: 1', 'revision: 2')
  fleet.commit('world')
})

afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['rings-canary.txt', ['start..canary']],
  ['rings-world.txt', ['start..world']],
  ['rings-world.md', ['start..world', '--format', 'markdown']],
])('a diff names the clusters of each ring, in the order of trust: %s', async (file, args) => {
  const { stdout, exitCode } = await fleet.run('diff', ...args)
  await expect(stdout).toMatchFileSnapshot(golden(file))
  expect(exitCode).toBe(2)
})

test('the rings are in the json, also those that stay as they are', async () => {
  const { stdout } = await fleet.run('diff', 'start..canary', '--format', 'json')
  const report: DiffReport = JSON.parse(stdout)
  const canary = { set: 'default/base', ring: 'canary', clusters: 2 }
  expect(report.rings).toEqual([canary, { ...canary, ring: 'north', clusters: 0 }, { ...canary, ring: 'world', clusters: 0 }])
  expect(report.groups.map(({ rings }) => rings)).toEqual([[canary]])
  expect(report.packages.map(({ cluster, ring }) => [cluster, ring])).toEqual([
    ['ber-01', 'canary'],
    ['ham-01', 'canary'],
  ])
  const schema: object = JSON.parse(readFileSync(new URL('../../schemas/output/diff.json', import.meta.url), 'utf8'))
  const ajv = new Ajv({ strict: false })
  expect(ajv.validate(schema, report), ajv.errorsText()).toBe(true)
})

test('a variant that goes away has the ring that it had', async () => {
  fleet.remove('base.yaml')
  fleet.commit('gone')
  const { stdout } = await fleet.run('diff', 'world..gone', '--format', 'json')
  const report: DiffReport = JSON.parse(stdout)
  expect(report.rings?.map(({ ring, clusters }) => [ring, clusters])).toEqual([
    ['canary', 2],
    ['north', 1],
    ['world', 2],
  ])
})
