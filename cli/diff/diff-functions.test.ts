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
