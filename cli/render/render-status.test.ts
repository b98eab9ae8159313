import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

// Status in the files of a fleet: seed 000 rule 34 for PackageVariants, seed 001 rule 79 for sets.

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet} # the shop
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: ham}]
`

const variant = (name: string, repo: string) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: ${name}
  namespace: fleet
spec:
  upstream: {repo: catalog, package: ${name}, revision: 1}
  downstream: {repo: ${repo}, package: ${name}} # by hand
`

const kptfile = (more = '') => `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n${more}`

let fleet: TestRepository

beforeEach(() => {
  const folder = testFolder()
  fleet = new TestRepository(folder)
  fleet.write('catalog/web@v1/Kptfile', kptfile())
  fleet.write('catalog/api@v1/Kptfile', kptfile())
  fleet.write('set.yaml', SET)
  fleet.write('api.yaml', variant('api', 'ham'))
  fleet.commit('fleet')
})

const render = (...options: readonly string[]) => fleet.run('render', '.', '--out', 'clusters', '--status', ...options)
const read = (path: string) => readFileSync(join(fleet.folder, path), 'utf8')
const statusOf = (path: string) => parse(read(path)).status

test('the status of sets and PackageVariants is written as the functions write it, and every other line stays', async () => {
  const { stdout, stderr, exitCode } = await render()
  expect([stdout, stderr, exitCode]).toEqual(['2 packages: 2 created\nstatus written to 2 files\n', '', 0])
  expect(read('api.yaml')).toBe(`${variant('api', 'ham')}status:
  conditions:
  - type: Stalled
    status: "False"
    lastTransitionTime: "1970-01-01T00:00:00Z"
    reason: Valid
    message: all validation checks passed
  - type: Ready
    status: "True"
    lastTransitionTime: "1970-01-01T00:00:00Z"
    reason: NoErrors
    message: successfully ensured downstream package variant
  downstreamTargets:
  - name: ham/api
`)
  expect(read('set.yaml').startsWith(SET)).toBe(true)
  expect(statusOf('set.yaml').conditions).toMatchObject([
    { type: 'Stalled', status: 'False', reason: 'Valid' },
    { type: 'Ready', status: 'True', reason: 'Reconciled' },
  ])
})

test('a second run changes nothing', async () => {
  await render()
  const before = [read('api.yaml'), read('set.yaml')]
  expect((await render()).stdout).toBe('2 packages: 2 unchanged\nstatus written to 0 files\n')
  expect([read('api.yaml'), read('set.yaml')]).toEqual(before)
})

test('a package that another owner has is stalled, and so is one whose functions fail, which keeps its target', async () => {
  fleet.write('clusters/ham/api/Kptfile', kptfile())
  fleet.write('failing.yaml', variant('failing', 'ham'))
  fleet.write('catalog/failing@v1/Kptfile', kptfile())
  expect((await render()).exitCode).toBe(0)
  expect(statusOf('api.yaml')).toMatchObject({
    conditions: [{ type: 'Stalled', status: 'True', reason: 'NotAdopted' }, { status: 'False' }],
  })
  expect(statusOf('api.yaml').downstreamTargets).toBeUndefined()
  const image = 'ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1'
  fleet.write('catalog/failing@v2/Kptfile', kptfile(`pipeline:\n  mutators:\n  - image: ${image}\n    configMap: {namespace: ''}\n`))
  fleet.replace('failing.yaml', 'revision: 1', 'revision: 2')
  expect((await render()).exitCode).toBe(1)
  expect(statusOf('failing.yaml')).toMatchObject({
    conditions: [
      { type: 'Stalled', status: 'True', reason: 'UnexpectedError' },
      { type: 'Ready', status: 'False', reason: 'UnexpectedError' },
    ],
    downstreamTargets: [{ name: 'ham/failing' }],
  })
})

test('only the variants that a run renders get a status', async () => {
  fleet.write('far.yaml', variant('api', 'ber').replace('name: api\n', 'name: far\n'))
  expect((await render('--only', 'repository=ber')).exitCode).toBe(0)
  expect(statusOf('far.yaml').downstreamTargets).toEqual([{ name: 'ber/api' }])
  expect(statusOf('api.yaml')).toBeUndefined()
})

test('after an error no status is written', async () => {
  fleet.replace('api.yaml', 'revision: 1', 'revision: 7')
  const before = read('api.yaml')
  expect((await render()).exitCode).toBe(1)
  expect([read('api.yaml'), read('set.yaml')]).toEqual([before, SET])
})

test.each([['--dry-run'], ['--branch', 'drafts'], ['--plan', 'plan.json']])('%s is refused with --status', async (...options) => {
  const { stderr, exitCode } = await render(...options)
  expect([stderr, exitCode]).toEqual([expect.stringContaining(`\`--status\` must not come with ${options[0]}`), 1])
})
