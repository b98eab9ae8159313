import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

// A controller that applies a commit deletes an object as the commit before has it: with every resource, if that object still prunes.

const MATRIX = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: base}
spec:
  upstreams: [{repo: catalog, package: dns, revision: 1}]
  targets:
  - repositorySelector: {matchLabels: {deploy: "true"}}
`

const clusterFile = (name: string) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ${name}, labels: {deploy: "true"}}
spec: {type: git, deployment: true, git: {repo: "https://git.example.com/${name}.git", branch: main}}
`

let fleet: TestRepository
beforeEach(async () => {
  const folder = testFolder()
  fleet = new TestRepository(folder)
  fleet.write('fleet/matrix.yaml', MATRIX)
  for (const name of ['one', 'two']) fleet.write(`fleet/${name}.yaml`, clusterFile(name))
  await fleet.run('sync', 'fleet', '--for', 'flux')
  fleet.commit('v1')
})

const objects = () => readdirSync(join(fleet.folder, 'fleet/flux'))
const removeTwo = (folder = 'fleet') => fleet.run('sync', folder, '--for', 'flux', '--remove', 'two', '--remove', 'two-dns')
const REFUSED =
  'error: `metadata.name` must not be removed yet: the last commit has it with `prune: true`, with which the controller deletes every resource that the object deployed; commit and apply the present state first [sync-removal-early]'

test('an object that the last commit still lets prune is not removed', async () => {
  fleet.remove('fleet/two.yaml')
  const left = await fleet.run('sync', 'fleet', '--for', 'flux')
  expect(left.stderr).toContain('commit and apply this state first; then --remove two --remove two-dns, or')
  const early = await removeTwo()
  expect([early.exitCode, early.stderr.split('\n')[0]]).toEqual([1, `fleet/flux/kustomization-two-dns.yaml:4:9: ${REFUSED}`])
  expect(objects()).toContain('kustomization-two-dns.yaml')
  fleet.commit('v2')
  expect((await removeTwo()).exitCode).toBe(0)
  expect(objects()).toEqual(['gitrepository-one.yaml', 'kustomization-one-dns.yaml'])
})

test('an object that was committed elsewhere counts, if the folder was moved since', async () => {
  fleet.remove('fleet/two.yaml')
  await fleet.run('sync', 'fleet', '--for', 'flux')
  renameSync(join(fleet.folder, 'fleet'), join(fleet.folder, 'clusters'))
  expect((await removeTwo('clusters')).exitCode).toBe(1)
})

test('objects of the same names for another cluster, in a folder beside, do not count', async () => {
  for (const file of objects()) fleet.write(`staging/${file}`, `---\n${await textOf(file)}`)
  fleet.remove('fleet/two.yaml')
  await fleet.run('sync', 'fleet', '--for', 'flux')
  fleet.commit('v2')
  expect((await removeTwo()).exitCode).toBe(0)
})

const textOf = async (file: string) => fleet.git('show', `HEAD:fleet/flux/${file}`)

test('an object that keeps its resources by `deletionPolicy: Orphan` is removed', async () => {
  fleet.replace('fleet/flux/kustomization-two-dns.yaml', '  prune: true', '  prune: true\n  deletionPolicy: Orphan')
  fleet.remove('fleet/two.yaml')
  fleet.commit('v2')
  await fleet.run('sync', 'fleet', '--for', 'flux')
  expect((await removeTwo()).exitCode).toBe(0)
})

test('a system is left in two commits', async () => {
  const first = await fleet.run('sync', 'fleet', '--leave', 'flux')
  expect([first.exitCode, objects().length]).toEqual([0, 4])
  expect(first.stderr).toContain('commit and apply this state, then run the same command again, which removes them [sync-left]')
  const early = await fleet.run('sync', 'fleet', '--leave', 'flux')
  expect([early.exitCode, objects().length]).toEqual([1, 4])
  fleet.commit('v2')
  expect((await fleet.run('sync', 'fleet', '--leave', 'flux')).exitCode).toBe(0)
  expect(existsSync(join(fleet.folder, 'fleet/flux')) ? objects() : []).toEqual([])
  expect((await fleet.run('sync', 'fleet', '--leave', 'flux')).stderr).toContain('nothing to do')
})

test('a system that an object of a person needs is not left', async () => {
  await fleet.run('sync', 'fleet', '--leave', 'flux')
  fleet.write(
    'fleet/mine.yaml',
    'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: mine, namespace: flux-system}\nspec: {dependsOn: [{name: one-dns}]}\n',
  )
  fleet.commit('v2')
  const refused = await fleet.run('sync', 'fleet', '--leave', 'flux')
  expect([refused.exitCode, refused.stderr.split('\n')[0]]).toEqual([
    1,
    "fleet/flux/kustomization-one-dns.yaml:4:9: error: `metadata.name` must stay: no GenerateSync generated what needs it: Kustomization 'mine' [sync-needed]",
  ])
})

test('--leave is a run of its own', async () => {
  const refused = await fleet.run('sync', 'fleet', '--leave', 'flux', '--for', 'flux')
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    expect.stringContaining('`--leave` must not come with --for, --config or --remove'),
  ])
})

test('a name that no object has is an error as the caller gives it, and a warning in the options, which keep names', async () => {
  const options = (remove: string) =>
    fleet.write(
      'fleet/sync.yaml',
      `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: GenerateSync\nmetadata: {name: flux}\nspec: {for: flux, remove: [${remove}]}\n`,
    )
  options('tow-dns')
  fleet.remove('fleet/two.yaml')
  const allowed = 'must be the name of a sync object that the fleet does not need (two, two-dns), else nothing is removed'
  const inOptions = `fleet/sync.yaml:4:28: warning: \`spec.remove[0]\` ${allowed}; got 'tow-dns'; did you mean 'two-dns'? [sync-remove]`
  const before = fleet.git('status', '--short')
  const { exitCode, stderr } = await fleet.run('sync', 'fleet', '--remove', 'wto')
  expect([exitCode, stderr.split('\n').filter((line) => line.includes('[sync-remove]'))]).toEqual([
    1,
    [`error: \`--remove\` ${allowed}; got 'wto'; did you mean 'two'? [sync-remove]`, inOptions],
  ])
  expect(fleet.git('status', '--short')).toBe(before)
  const check = await fleet.run('check', 'fleet')
  expect(check.stdout + check.stderr).toContain(inOptions)
  expect((await fleet.run('sync', 'fleet')).exitCode).toBe(0)
  const needed = await fleet.run('sync', 'fleet', '--remove', 'one-dns')
  expect([needed.exitCode, needed.stderr]).toEqual([1, expect.stringContaining("got 'one-dns', which the fleet needs [sync-remove]")])
})

test('a system without generated objects is not left, and the systems that have some are named', async () => {
  const { exitCode, stderr } = await fleet.run('sync', 'fleet', '--leave', 'argocd')
  expect([exitCode, stderr.split('\n')[0]]).toEqual([
    1,
    "error: `--leave` must be a system that has generated objects here: flux; got 'argocd' [sync-left]",
  ])
})
