import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const SITES = ['north', 'south', 'west']
const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - image: example.com/deploy:v1
`

/** Makes a fleet of three packages in two revisions, and a program for their function that notes its begin and its end. */
function makeFleet(): { readonly fleet: TestRepository; readonly program: string; calls(): readonly string[] } {
  const folder = testFolder()
  const fleet = new TestRepository(join(folder, 'fleet'))
  const program = join(folder, 'deploy')
  writeFileSync(
    program,
    `#!/bin/sh\necho begin >> '${folder}/calls'\nsleep 0.5\nsed 's/level: low/level: medium/; s/level: high/level: highest/'\necho end >> '${folder}/calls'\n`,
    { mode: 0o755 },
  )
  const level = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: level}\ndata:\n  level: ${value}\n`
  for (const [revision, value] of [
    ['v1', 'low'],
    ['v2', 'high'],
  ] as const) {
    fleet.write(`catalog/shop@${revision}/Kptfile`, KPTFILE)
    fleet.write(`catalog/shop@${revision}/level.yaml`, level(value))
  }
  fleet.write(
    'set.yaml',
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: shop}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  targets: [{repositories: [${SITES.map((name) => `{name: ${name}}`).join(', ')}]}]
`,
  )
  fleet.commit('first')
  fleet.replace('set.yaml', 'revision: 1', 'revision: 2')
  fleet.commit('second')
  return { fleet, program, calls: () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') }
}

test('diff calls the functions of both states in other processes before it compares, several at one time, each list once', async () => {
  const { fleet, program, calls } = makeFleet()
  const { stdout, exitCode } = await fleet.run(
    'diff',
    'first..second',
    '--allow-exec',
    '--function',
    `example.com/deploy=${program}`,
    '--unified',
  )
  expect(exitCode).toBe(2)
  for (const site of SITES) expect(stdout).toContain(`--- a/${site}/shop/level.yaml`)
  expect(stdout.match(/^[-+] {2}level: .*$/gm)).toEqual(SITES.flatMap(() => ['-  level: medium', '+  level: highest']))
  // One call more finds out if a second run changes something.
  expect(calls().filter((line) => line === 'begin')).toHaveLength(SITES.length * 2 + 1)
  expect(calls().slice(0, 2)).toEqual(['begin', 'begin'])
})

test('diff calls no function if one of the fleet has nothing that runs it', async () => {
  const { fleet, calls } = makeFleet()
  const { stdout, stderr, exitCode } = await fleet.run('diff', 'first..second', '--allow-exec', '--function', 'example.com/other=/bin/cat')
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
  expect(stderr).toContain('example.com/deploy:v1')
  expect(calls).toThrow('ENOENT')
})

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: 'web:1'}]}}
`
const budget = (least: number, more = '') => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web${more}}
spec: {minAvailable: ${least}, selector: {matchLabels: {app: web}}}
`

/** Makes a fleet whose second revision has fewer pods. */
function fewerPods(kptfile: string, least: string): TestRepository {
  const fleet = new TestRepository(testFolder())
  for (const revision of [1, 2]) {
    fleet.write(`catalog/web@v${revision}/Kptfile`, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n${kptfile}`)
    fleet.write(`catalog/web@v${revision}/web.yaml`, WEB.replace('replicas: 2', `replicas: ${3 - revision}`))
    fleet.write(`catalog/web@v${revision}/budget.yaml`, least)
  }
  return fleet
}

const webSet = (targets: string) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
${targets}`

test('diff judges a change by the other objects of the package, though functions change them equally in both states', async () => {
  const labels = 'pipeline: {mutators: [{image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0, configMap: {team: a}}]}\n'
  const fleet = fewerPods(labels, budget(1))
  fleet.write('set.yaml', webSet('  - repositories: [{name: north}]\n'))
  fleet.commit('first')
  fleet.replace('set.yaml', 'revision: 1', 'revision: 2')
  expect((await fleet.run('diff', 'first')).stdout).toContain('! spec.replicas: the budget allows no disruption')
  const { stdout } = await fleet.run('diff', 'first', '--unified')
  expect(stdout.match(/^\+\+\+ .*/gm)).toContain('+++ b/north/web/web.yaml')
  expect(stdout).not.toContain('budget.yaml')
})

test('an object that two packages share is dangerous only in the one whose other objects make it so', async () => {
  const fleet = fewerPods('', budget(0, ', annotations: {kpt.dev/config-injection: required}'))
  for (const [name, least] of [
    ['east', 0],
    ['north', 1],
    ['west', 0],
  ] as const)
    fleet.write(`${name}.yaml`, budget(least).replace('{name: web}', `{name: ${name}, namespace: fleet}`))
  const injectors = '    template: {injectors: [{kind: PodDisruptionBudget, nameExpr: repoDefault}]}\n'
  fleet.write('set.yaml', webSet(`  - repositories: [{name: east}, {name: north}, {name: west}]\n${injectors}`))
  fleet.commit('first')
  fleet.replace('set.yaml', 'revision: 1', 'revision: 2')
  const { stdout, stderr } = await fleet.run('diff', 'first')
  expect(stderr).toBe('')
  expect(stdout).toContain('2 clusters  Deployment web  spec.replicas: 2 → 1')
  expect(stdout).toContain('! spec.replicas: the budget allows no disruption')
})
