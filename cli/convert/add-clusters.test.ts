import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
  write('kustomize', '#!/bin/sh\nexec cat "$2/built"\n', 0o755)
  write('tree/base/kustomization.yaml', 'resources: []\n')
  write('tree/base/built', deployment('web', 1, ''))
  overlay('staging', deployment('web', 2, 'staging'))
  overlay('prod', deployment('web', 3, 'prod'))
})

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text, { mode })
}

function overlay(name: string, built: string): void {
  write(`tree/${name}/kustomization.yaml`, 'resources: [../base]\n')
  write(`tree/${name}/built`, built)
}

function deployment(name: string, replicas: number, namespace: string, image = 'nginx:1.29'): string {
  const metadata = `  name: ${name}\n${namespace === '' ? '' : `  namespace: ${namespace}\n`}`
  const pod = `    spec:\n      containers:\n        - name: web\n          image: ${image}\n`
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n${metadata}spec:\n  replicas: ${replicas}\n  template:\n${pod}`
}

const convert = (tree = 'tree') =>
  recordRun(root, ['convert', 'kustomize', tree, '--out', 'fleet', '--kustomize-binary', join(root, 'kustomize'), '--allow-exec'])

const text = (path: string) => readFileSync(join(root, path), 'utf8')
const NOTHING = { exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' }

test('an overlay that is new since the conversion becomes a cluster with the functions and setters of the others, and gets changes of the base', async () => {
  await convert()
  write('fleet/fleet/values.yaml', text('fleet/fleet/values.yaml').replace('replicas: "3"', 'replicas: "5"'))
  overlay('qa', `${deployment('web', 4, 'qa')}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: own\n  namespace: qa\n`)
  const second = await convert()
  expect(second.stdout).toContain('prod → clusters/prod: equal but for 1 change of the fleet, 1 object\n')
  expect(second.stdout).toContain(
    'qa → clusters/qa: equal, 2 objects\n  the cluster is new in the fleet\n  tree: namespace, replicas\n  edit: ConfigMap qa/own is added',
  )
  expect(text('fleet/fleet/clusters.yaml')).toContain('name: qa\n  labels:\n    cluster: qa\n    env: qa\n')
  expect(text('fleet/clusters/qa/tree/deployment-web.yaml')).toContain('replicas: 4 # kpt-set: ${replicas}')
  expect(await recordRun(root, ['check', 'fleet'])).toMatchObject({ exitCode: 0 })
  write('tree/base/built', deployment('web', 1, '', 'nginx:1.30'))
  for (const [index, name] of ['staging', 'prod', 'qa'].entries()) overlay(name, deployment('web', index + 2, name, 'nginx:1.30'))
  expect((await convert()).stdout).toContain(
    'qa → clusters/qa: equal, 1 object\n  tree: raised to v2\n  edit: ConfigMap qa/own is removed\n',
  )
})

test('a new overlay without the namespace and the replicas of the others does not get them', async () => {
  await convert()
  overlay('bare', deployment('web', 1, ''))
  expect((await convert()).stdout).toContain(
    'bare → clusters/bare: equal, 1 object\n  the cluster is new in the fleet\n  tree: as the base has it\n',
  )
  expect(await convert()).toMatchObject(NOTHING)
  expect(text('fleet/clusters/prod/tree/deployment-web.yaml')).toMatch(/namespace: prod\n[\s\S]*replicas: 3 /)
})

test('the cluster of an overlay that is gone is named and stays, until it is removed from the fleet', async () => {
  await convert()
  rmSync(join(root, 'tree/staging'), { recursive: true })
  const { exitCode, stderr, stdout } = await convert()
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'prod → clusters/prod: equal, 1 object\n' })
  expect(stderr).toContain("the overlay of cluster 'staging' is gone, so the cluster stays as it is and is not proved; to remove it, ")
  expect(text('fleet/clusters/staging/tree/deployment-web.yaml')).toContain('replicas: 2')
  expect((await convert()).stderr).toContain("cluster 'staging' is gone")
  for (const path of ['clusters', 'values']) {
    const documents = text(`fleet/fleet/${path}.yaml`).split('---\n')
    write(`fleet/fleet/${path}.yaml`, documents.filter((each) => !each.includes('name: staging')).join('---\n'))
  }
  write('fleet/fleet/tree.yaml', text('fleet/fleet/tree.yaml').replace(/^ *- staging\n/m, ''))
  expect(await recordRun(root, ['render', 'fleet'])).toMatchObject({ exitCode: 0 })
  await convert()
  expect(await convert()).toMatchObject(NOTHING)
  expect(text('fleet/fleet/converted.yaml')).not.toContain('staging')
})

test('a new folder takes neither the cluster of another overlay nor the package of another base', async () => {
  write('tree/apps/web/kustomization.yaml', 'resources: []\n')
  write('tree/apps/web/built', deployment('web', 1, ''))
  write('tree/envs/prod/kustomization.yaml', 'resources: [../../apps/web]\n')
  write('tree/envs/prod/built', deployment('web', 6, ''))
  rmSync(join(root, 'tree/prod'), { recursive: true })
  await convert()
  write('tree/a/web/kustomization.yaml', 'resources: []\n')
  write('tree/a/web/built', deployment('other', 1, ''))
  write('tree/clusters/prod/kustomization.yaml', 'resources: [../../a/web]\n')
  write('tree/clusters/prod/built', deployment('other', 7, ''))
  const { stdout, exitCode } = await convert()
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(
      /^clusters\/prod → clusters\/clusters-prod: equal, 1 object\n {2}the cluster is new in the fleet\n {2}a-web: replicas\nenvs\/prod → clusters\/prod: equal, 1 object\nstaging/,
    ),
  })
  expect(text('fleet/clusters/prod/web/deployment-web.yaml')).toContain('replicas: 6')
})

test('an overlay whose cluster someone else added to the fleet is refused, and nothing is written', async () => {
  await convert()
  write('fleet/clusters/qa/own.yaml', 'by: hand\n')
  overlay('qa', deployment('web', 4, 'qa'))
  expect(await convert()).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("overlay 'qa' is new since the conversion, and the fleet has a cluster 'qa' of its own"),
  })
  expect(text('fleet/clusters/qa/own.yaml')).toBe('by: hand\n')
})

test('overlays that have some labels of others, and more, get each their own', async () => {
  const labels = (text: string) => deployment('web', 1, '').replace('  name: web\nspec', `  name: web\n  labels: {${text}}\nspec`)
  overlay('prod', labels('env: prod, team: shops'))
  overlay('staging', labels('env: staging'))
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('edit:') })
})

test('a base that is new since the conversion becomes a package, also for a cluster that the fleet has', async () => {
  await convert()
  cpSync(join(root, 'tree/base'), join(root, 'tree/core'), { recursive: true })
  write('tree/prod/kustomization.yaml', 'resources: [../core]\n')
  expect((await convert()).stdout).toContain('prod → clusters/prod: equal, 1 object')
  for (const path of ['base', 'core', 'staging', 'prod']) write(`tree/${path}/built`, text(`tree/${path}/built`).replace('1.29', '1.30'))
  expect((await convert()).stdout).toContain('core: raised to v2')
})

test('a new base whose name comes before that of another leaves the run after it without a change', async () => {
  await convert()
  cpSync(join(root, 'tree/base'), join(root, 'tree/a-core'), { recursive: true })
  write('tree/prod/kustomization.yaml', 'resources: [../a-core]\n')
  expect(await convert()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(' written to fleet') })
  expect(await convert()).toMatchObject(NOTHING)
})

test('a package keeps its name in a checkout whose folder has another name, and where a new base would have its name', async () => {
  await convert()
  renameSync(join(root, 'tree'), join(root, 'checkout'))
  for (const path of ['base', 'staging', 'prod']) write(`checkout/${path}/built`, text(`checkout/${path}/built`).replace('1.29', '1.30'))
  cpSync(join(root, 'checkout/base'), join(root, 'checkout/a/tree/base'), { recursive: true })
  write('checkout/prod/kustomization.yaml', 'resources: [../base, ../a/tree/base]\n')
  const { stdout, exitCode } = await convert('checkout')
  expect({ stdout, exitCode }).toMatchObject({ stdout: expect.stringContaining('tree: raised to v2'), exitCode: 0 })
  expect(readdirSync(join(root, 'fleet/catalog')).toSorted()).toEqual(['a-tree-base@v1', 'tree@v1', 'tree@v2'])
})

test('what people wrote around the objects of the fleet stays where a new overlay joins', async () => {
  await convert()
  for (const path of ['values', 'clusters']) {
    const own = text(`fleet/fleet/${path}.yaml`).replace('---\n', '--- # the next one\n')
    write(`fleet/fleet/${path}.yaml`, `${own}---\n# the last words\n`)
  }
  overlay('a-qa', deployment('web', 4, 'qa'))
  const before = ['values', 'clusters'].map((path) => text(`fleet/fleet/${path}.yaml`))
  expect(await convert()).toMatchObject({ exitCode: 0 })
  for (const [index, path] of ['values', 'clusters'].entries()) {
    const after = text(`fleet/fleet/${path}.yaml`)
    expect(after.startsWith(`${before[index]}---\napiVersion: `)).toBe(true)
    expect(after).toContain('\n  name: a-qa\n')
  }
  write('tree/a-qa/built', deployment('web', 9, 'qa'))
  expect((await convert()).stdout).toContain('a-qa → clusters/a-qa: equal, 1 object\n  tree: replicas 4 → 9\n')
  expect(text('fleet/fleet/values.yaml').startsWith(`${before[0]}---\napiVersion: `)).toBe(true)
  expect(await convert()).toMatchObject(NOTHING)
})

test('comments at functions that become overrides for a new overlay move with them', async () => {
  await convert()
  const path = 'fleet/fleet/tree.yaml'
  const commented = text(path)
    .replace('  template:\n', '  # why we have functions\n  template: # all of them\n')
    .replace('        - name: apply-setters\n', '        # setters are theirs\n        - name: apply-setters # first\n')
    .replace('        - name: set-namespace\n', '        # ns is ours\n        - name: set-namespace\n')
  write(path, commented)
  overlay('bare', deployment('web', 1, ''))
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('tree: as the base has it') })
  expect(text(path)).toContain(
    '  overrides:\n    # why we have functions\n    # all of them\n    # setters are theirs\n    # first\n    - name: apply-setters\n',
  )
  expect(text(path)).toContain('    # ns is ours\n    - name: set-namespace\n')
  expect(await convert()).toMatchObject(NOTHING)
})

test('an edit of a rendered file keeps its other documents: comments, and objects that no cluster gets', async () => {
  await convert()
  const path = 'fleet/clusters/prod/tree/deployment-web.yaml'
  const own = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: own\n  annotations:\n    config.kubernetes.io/local-config: 'true'\n"
  write(path, `# top\n---\n${text(path)}--- # ours\n${own}---\n# end\n`)
  const matrix = 'fleet/fleet/tree.yaml'
  write(matrix, `${text(matrix)}---\n# end\n`)
  overlay('prod', `${deployment('web', 3, 'prod')}        - name: proxy\n`)
  overlay('qa', deployment('web', 4, 'qa'))
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('edit: Deployment prod/web spec.template') })
  expect(text(path)).toMatch(/^# top\n---\napiVersion: apps/)
  expect(text(path)).toContain(`name: proxy\n--- # ours\n${own}---\n# end\n`)
  expect(text(matrix)).toMatch(/- qa\n[\s\S]*---\n# end\n$/)
  overlay('prod', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  namespace: prod\n')
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('edit: Deployment prod/web is removed') })
  expect(text(path)).toBe(`# top\n--- # ours\n${own}---\n# end\n`)
})

test('an object that an overlay brings back goes into the file that kept its comments', async () => {
  await convert()
  const folder = 'fleet/clusters/prod/tree'
  write(`${folder}/deployment-web.yaml`, `${text(`${folder}/deployment-web.yaml`)}---\n# Ask the shop team first.\n`)
  const other = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n  namespace: prod\n'
  overlay('prod', other)
  await convert()
  expect(text(`${folder}/deployment-web.yaml`)).toBe('# Ask the shop team first.\n')
  overlay('prod', `${other}---\n${deployment('web', 3, 'prod')}`)
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('edit: Deployment prod/web is added') })
  expect(text(`${folder}/deployment-web.yaml`)).toMatch(/^# Ask the shop team first\.\n---\napiVersion: apps\/v1\nkind: Deployment\n/)
  expect(readdirSync(join(root, folder)).toSorted()).toEqual([
    'Kptfile',
    'configmap-other.yaml',
    'deployment-web.yaml',
    'package-context.yaml',
  ])
  expect(await convert()).toMatchObject(NOTHING)
})
