import { expect, onTestFinished, test, vi } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import type { Host } from '../host.ts'

/** A list with so many variants of a set whose revision has changed since. */
function listWithChangedRevision(count: number): string {
  const indices = Array.from({ length: count }, (_, i) => i)
  const repositories = indices.map((i) => `      - name: edge-${i}\n`).join('')
  const set = `- apiVersion: config.porch.kpt.dev/v1alpha2
  kind: PackageVariantSet
  metadata:
    name: apps
  spec:
    upstream: {repo: catalog, package: app, revision: 3}
    targets:
    - repositories:
${repositories}`
  const variants = indices.map(
    (i) => `- apiVersion: config.porch.kpt.dev/v1alpha1
  kind: PackageVariant
  metadata:
    name: apps-edge-${i}-app
    annotations:
      krm-variants.dev/package-variant-set: default/apps
  spec:
    upstream: {repo: catalog, package: app, revision: 2}
    downstream: {repo: edge-${i}, package: app}
`,
  )
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${set}${variants.join('')}`
}

function plan(stdin: string, terminal: Partial<Host> = {}) {
  return recordRun('.', ['plan', '-'], { read: async () => stdin, ...terminal })
}

test.each([400, 10_000])('one changed revision of %i variants is one line', async (count) => {
  const { stdout, stderr, exitCode } = await plan(listWithChangedRevision(count))
  expect(stdout).toContain(
    `  ~ ${count} variants: spec.upstream.revision: 2 → 3 (apps-edge-0-app, apps-edge-1-app, apps-edge-2-app, and ${count - 3} more)\n`,
  )
  expect(stdout.split('\n').length).toBeLessThan(10)
  expect(stderr).toBe(`Plan: ${count} to update; read 1 PackageVariantSet, ${count} PackageVariants\n`)
  expect(exitCode).toBe(2)
})

test('on a terminal long lines are wrapped below their beginning', async () => {
  const { stdout } = await plan(listWithChangedRevision(4), { columns: 60 })
  expect(stdout).toContain(
    '\n  ~ 4 variants: spec.upstream.revision: 2 → 3\n    (apps-edge-0-app, apps-edge-1-app, apps-edge-2-app, and\n    1 more)\n',
  )
})

test('on a terminal errors are coloured', async () => {
  const { stderr } = await plan('apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n', { isErrorTerminal: true })
  expect(stderr).toContain('\u001B[31merror:\u001B[0m the input must hold a PackageVariantSet')
})

test.each([
  { where: 'a terminal', isErrorTerminal: true, expected: ['40/40 variants'] },
  { where: 'a log', isErrorTerminal: false, expected: [] },
])('a plan that takes long says $where how far it is', async ({ isErrorTerminal, expected }) => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 60))
  onTestFinished(() => void vi.restoreAllMocks())
  const { stdout, stderr } = await plan(listWithChangedRevision(40), { isErrorTerminal })
  expect(stderr.match(/40\/40 variants/g) ?? []).toEqual(expected)
  expect(stderr.includes('\r\u001B[K')).toBe(isErrorTerminal)
  expect(stdout).toContain('Plan: 40 to update')
})

const repository = (name: string, cluster: string): string => `- apiVersion: config.porch.kpt.dev/v1alpha1
  kind: Repository
  metadata: {name: ${name}, labels: {krm-variants.dev/cluster: ${cluster}}}
  spec: {type: git, deployment: true, git: {repo: 'https://git.example.com/x.git'}}
`

test('a plan says what each cluster gets, by the label of its Repositories, where clusters differ', async () => {
  const list = `${listWithChangedRevision(3)}${repository('edge-0', 'east')}${repository('edge-1', 'east')}`
  expect((await plan(list)).stdout).toContain('\nClusters\n  east: 2 to update\n  edge-2: 1 to update\n')
  expect((await plan(listWithChangedRevision(3))).stdout).not.toContain('Clusters')
  const { clusters } = JSON.parse((await recordRun('.', ['plan', '-', '--format', 'json'], { read: async () => list })).stdout)
  const none = { remove: 0, rename: 0, create: 0, unchanged: 0 }
  expect(clusters).toEqual([
    { name: 'east', counts: { ...none, update: 2 } },
    { name: 'edge-2', counts: { ...none, update: 1 } },
  ])
})
