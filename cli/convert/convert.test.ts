import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
  write('kustomize', '#!/bin/sh\nexec cat "$2/built"\n', 0o755)
  write('tree/base/kustomization.yaml', 'resources: []\n')
  for (const name of ['staging', 'prod']) write(`tree/${name}/kustomization.yaml`, 'resources: [../base]\n')
  build('nginx:1.29')
})

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text, { mode })
}

/** Writes what the program builds of the base and of both overlays. */
function build(image: string): void {
  write('tree/base/built', deployment('web', 1, image))
  write('tree/staging/built', deployment('staging-web', 1, image))
  write('tree/prod/built', `${deployment('prod-web', 3, image)}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: only-prod\n`)
}

function deployment(name: string, replicas: number, image: string): string {
  const pod = `    spec:\n      containers:\n        - name: web\n          image: ${image}\n`
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\nspec:\n  replicas: ${replicas}\n  template:\n${pod}`
}

const convert = (...more: readonly string[]) =>
  recordRun(root, ['convert', 'kustomize', 'tree', '--out', 'fleet', '--kustomize-binary', join(root, 'kustomize'), ...more])

test('a tree becomes a fleet with equal objects, and a second run changes nothing', async () => {
  const first = await convert('--allow-exec')
  expect(first.stdout).toMatch(/prod → clusters\/prod: equal, 2 objects[\s\S]*staging → clusters\/staging: equal, 1 object/)
  expect(first.exitCode).toBe(0)
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
})

test('a name with a hash, and a cluster whose name another overlay has, are said', async () => {
  write('tree/clusters/prod/kustomization.yaml', 'resources: [../../base]\n')
  write(
    'tree/clusters/prod/built',
    `${deployment('web', 2, 'nginx:1.29')}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web-5f7b9cd4mt\n`,
  )
  const { exitCode, stderr } = await convert('--allow-exec')
  expect(stderr).toContain("overlay 'prod' becomes the cluster 'prod-2': another overlay is 'prod'")
  expect(stderr).toContain('only convert brings the next ones: ConfigMap web-5f7b9cd4mt')
  expect(exitCode).toBe(0)
})

test('a new image of the base arrives in every cluster', async () => {
  await convert('--allow-exec')
  build('nginx:1.30')
  expect((await convert('--allow-exec')).exitCode).toBe(0)
  expect(readFileSync(join(root, 'fleet/clusters/prod/tree/deployment-web.yaml'), 'utf8')).toContain('nginx:1.30')
})

test('a text that looks like a number and the name of a subject become setters, also after a new revision of the base', async () => {
  const objects = (channel: string, team: string, label: string) => `apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: sriov, labels: {app: ${label}}}
spec: {channel: ${channel}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: admins}
subjects:
  - {kind: Group, name: ${team}, apiGroup: rbac.authorization.k8s.io}
roleRef: {kind: Role, name: admin, apiGroup: rbac.authorization.k8s.io}
`
  const buildAll = (label: string) => {
    write('tree/base/built', objects('stable', 'nobody', label))
    write('tree/staging/built', objects('"4.10"', 'team-a', label))
    write('tree/prod/built', objects('"4.9"', 'team-b', label))
  }
  buildAll('sriov')
  const first = await convert('--allow-exec')
  expect(first.stdout).not.toContain('edit:')
  expect(first.stdout).toContain('prod → clusters/prod: equal, 2 objects\n  tree: apply-setters channel, name')
  buildAll('network')
  const second = await convert('--allow-exec')
  expect(second.stdout).toContain('raised to v2')
  expect(second.stdout).not.toContain('edit:')
  expect(second.exitCode).toBe(0)
})

test('an edit says why its field has no setter, and a field that only an overlay has is written after each update', async () => {
  write('tree/prod/built', `${deployment('prod-web', 3, 'nginx:1.29')}        - name: proxy\n      hostNetwork: true\n`)
  const { stdout } = await convert('--allow-exec')
  expect(stdout).toContain('apply-replacements Deployment prod-web spec.template.spec.hostNetwork')
  expect(stdout).toContain('edit: Deployment prod-web spec.template.spec.containers (1 entry before, 2 now)')
  const revision = join(root, 'fleet/catalog/tree@v2')
  cpSync(join(root, 'fleet/catalog/tree@v1'), revision, { recursive: true })
  const pod = deployment('web', 1, 'nginx:1.30')
  writeFileSync(join(revision, 'deployment-web.yaml'), `${pod}      hostNetwork: false\n`)
  const matrix = join(root, 'fleet/fleet/tree.yaml')
  writeFileSync(matrix, readFileSync(matrix, 'utf8').replace('revision: 1', 'revision: 2'))
  expect((await recordRun(root, ['render', 'fleet'])).exitCode).toBe(0)
  const rendered = (cluster: string) => readFileSync(join(root, `fleet/clusters/${cluster}/tree/deployment-web.yaml`), 'utf8')
  expect(rendered('prod')).toMatch(/nginx:1.30[\s\S]*name: proxy[\s\S]*hostNetwork: true/)
  expect(rendered('staging')).toContain('hostNetwork: false')
})

test('a field that only an overlay has makes a new revision once when the overlay alone changes the field', async () => {
  const withNetwork = (value: string) => `${deployment('prod-web', 3, 'nginx:1.29')}      hostNetwork: ${value}\n`
  write('tree/prod/built', withNetwork('true'))
  expect((await convert('--allow-exec')).stdout).toContain('apply-replacements Deployment prod-web spec.template.spec.hostNetwork')
  write('tree/prod/built', withNetwork('false'))
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('tree: raised to v2') })
  expect(readFileSync(join(root, 'fleet/clusters/prod/tree/deployment-web.yaml'), 'utf8')).toContain('hostNetwork: false')
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
})

test('a file whose last object an overlay takes away stays with the comments that people wrote into it', async () => {
  await convert('--allow-exec')
  const pod = join(root, 'fleet/clusters/staging/tree/deployment-web.yaml')
  writeFileSync(pod, `${readFileSync(pod, 'utf8')}---\n# Ask the shop team before web comes back.\n`)
  write('tree/staging/built', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: closed\n')
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Deployment staging-web is removed') })
  expect(readFileSync(pod, 'utf8')).toBe('# Ask the shop team before web comes back.\n')
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
})

const values = () => join(root, 'fleet/fleet/values.yaml')

function changeFile(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

test('objects that overlays share are a package of their own, which later conversions raise', async () => {
  const policy = (env: string, value: string, ingress = 'true') =>
    `---\napiVersion: example.com/v1\nkind: Policy\nmetadata: {name: shop, namespace: ${env}}\nspec: {ingress: ${ingress}, key: ${value}, ports: [1, 2]}\n`
  const buildAll = (ingress: string) => {
    write('tree/staging/built', deployment('staging-web', 1, 'nginx:1.29') + policy('staging', 'stg', ingress))
    write('tree/prod/built', deployment('prod-web', 3, 'nginx:1.29') + policy('prod', 'prd', ingress))
  }
  buildAll('true')
  const first = await convert('--allow-exec')
  expect(first.stdout).toContain('shared: a package for Policy shop, which 2 overlays share')
  expect(first.stdout).not.toContain('edit:')
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
  buildAll('false')
  const second = await convert('--allow-exec')
  expect(second.stdout).toMatch(
    /prod: equal, 2 objects\n {2}shared: raised to v2\n[\s\S]*staging: equal, 2 objects\n {2}shared: raised to v2\n/,
  )
  expect(readFileSync(join(root, 'fleet/clusters/staging/shared/policy-shop.yaml'), 'utf8')).toMatch(/ingress: false[\s\S]*key: stg/)
  write('tree/prod/built', deployment('prod-web', 3, 'nginx:1.29'))
  expect((await convert('--allow-exec')).stdout).toMatch(
    /prod: equal, 1 object\n {2}edit: Policy prod\/shop is removed\n[\s\S]*staging: equal, 2 objects\n/,
  )
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
})

test('a value that was changed in the fleet stays, is named, and a change of the base arrives beside it', async () => {
  await convert('--allow-exec')
  changeFile(values(), 'replicas: "3"', 'replicas: "5"')
  const kept = 'kept: Deployment prod-web spec.replicas: 5 in the fleet, 3 in the tree'
  const second = await convert('--allow-exec')
  expect(second).toMatchObject({ exitCode: 0, stderr: '2 files written to fleet\n' })
  expect(second.stdout).toContain(`prod → clusters/prod: equal but for 1 change of the fleet, 2 objects\n  ${kept}`)
  const third = await convert('--allow-exec')
  expect(third.stderr).toBe('nothing to do: the fleet is as the tree, but for what was changed in it\n')
  build('nginx:1.30')
  expect((await convert('--allow-exec')).stdout).toContain(kept)
  const rendered = readFileSync(join(root, 'fleet/clusters/prod/tree/deployment-web.yaml'), 'utf8')
  expect(rendered).toMatch(/replicas: 5 [\s\S]*image: nginx:1.30/)
})

test('a value that an overlay changed is written into the values of its cluster', async () => {
  await convert('--allow-exec')
  changeFile(join(root, 'tree/prod/built'), 'replicas: 3', 'replicas: 7')
  const second = await convert('--allow-exec')
  expect(second.stdout).toContain('prod → clusters/prod: equal, 2 objects\n  tree: replicas 3 → 7\n')
  expect(readFileSync(values(), 'utf8')).toMatch(/replicas: "7"/)
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
})

test('of two fields with one setter, the one that an overlay changes alone leaves the setter, also for later revisions of the base', async () => {
  const maps = (one: string, two: string) =>
    ['one', 'two']
      .map((name, index) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n  host: ${[one, two][index]}\n`)
      .join('---\n')
  write('tree/base/built', maps('base', 'base'))
  for (const name of ['staging', 'prod']) write(`tree/${name}/built`, maps(name, name))
  expect((await convert('--allow-exec')).stdout).toContain('prod → clusters/prod: equal, 2 objects\n  tree: apply-setters host\n')
  write('tree/prod/built', maps('prod', 'other'))
  expect((await convert('--allow-exec')).stdout).toContain('prod → clusters/prod: equal, 2 objects\n  edit: ConfigMap two data.host\n')
  write('tree/base/built', maps('next', 'next'))
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0 })
  const hosts = ['one', 'two'].map((name) => readFileSync(join(root, `fleet/clusters/prod/tree/configmap-${name}.yaml`), 'utf8'))
  expect(hosts.join()).toMatch(/host: prod # kpt-set[\s\S]*host: other # not from the setter host, which has other fields/)
  write('tree/prod/built', maps('both', 'both'))
  expect((await convert('--allow-exec')).stdout).toContain('tree: host prod → both\n')
})

test('an entry that the fleet and the tree both add to a list is there once, and one of the fleet alone keeps its place', async () => {
  const withEnv = (names: readonly string[]) =>
    `${deployment('prod-web', 3, 'nginx:1.29')}          env:\n${names.map((name) => `            - name: ${name}\n              value: x\n`).join('')}`
  write('tree/prod/built', withEnv(['LEVEL']))
  await convert('--allow-exec')
  const file = join(root, 'fleet/clusters/prod/tree/deployment-web.yaml')
  changeFile(file, 'env:\n', 'env:\n            - name: FLEET\n              value: x\n            - name: BOTH\n              value: x\n')
  await convert('--allow-exec')
  const names = () => [...readFileSync(file, 'utf8').matchAll(/name: ([A-Z]+)/g)].map(([, name]) => name)
  expect(names()).toEqual(['FLEET', 'BOTH', 'LEVEL'])
  write('tree/prod/built', withEnv(['BOTH', 'LEVEL', 'TREE']))
  const { stdout, exitCode } = await convert('--allow-exec')
  expect({ exitCode, names: names().toSorted() }).toEqual({ exitCode: 0, names: ['BOTH', 'FLEET', 'LEVEL', 'TREE'] })
  expect(stdout).toContain('equal but for 1 change of the fleet')
})

test('a field that the fleet and an overlay changed is an error with its place, and nothing is written', async () => {
  await convert('--allow-exec')
  changeFile(values(), 'replicas: "3"', 'replicas: "5"')
  await recordRun(root, ['render', 'fleet'])
  changeFile(join(root, 'tree/prod/built'), 'replicas: 3', 'replicas: 7')
  const { exitCode, stderr } = await convert('--allow-exec')
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^fleet\/clusters\/prod\/tree\/deployment-web.yaml:\d+:\d+: error: /)
  expect(stderr).toContain(
    "spec.replicas: 5 in the fleet, 7 in 'prod'; write one value into both, or take one of the changes back [convert-conflict]\n",
  )
  expect(readFileSync(values(), 'utf8')).toContain('replicas: "5"')
  changeFile(values(), 'replicas: "5"', 'replicas: "7"')
  expect((await convert('--allow-exec')).stdout).toContain('prod → clusters/prod: equal, 2 objects')
})

test('an object that was deleted in the fleet, and a container that was added there, stay so', async () => {
  await convert('--allow-exec')
  rmSync(join(root, 'fleet/clusters/prod/tree/configmap-only-prod.yaml'))
  changeFile(
    join(root, 'fleet/clusters/staging/tree/deployment-web.yaml'),
    'containers:\n',
    'containers:\n        - name: debug\n          image: busybox:1\n',
  )
  build('nginx:1.30')
  const { stdout, stderr, exitCode } = await convert('--allow-exec')
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 })
  expect(stdout).toContain('kept: ConfigMap only-prod: not there in the fleet, there in the tree')
  expect(stdout).toContain('containers[debug]: there in the fleet, not there in the tree')
  expect(readFileSync(join(root, 'fleet/clusters/staging/tree/deployment-web.yaml'), 'utf8')).toMatch(
    /debug[\s\S]*nginx:1.30|nginx:1.30[\s\S]*debug/,
  )
})

test('without --allow-exec no program runs and nothing is written', async () => {
  expect(await convert()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('must come with --allow-exec') })
  expect(readdirSync(root)).not.toContain('fleet')
})

test('a folder with other files is not overwritten', async () => {
  write('fleet/notes.md', 'ours\n')
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('convert overwrites nothing') })
})

test('an empty folder becomes the fleet, also behind a link', async () => {
  mkdirSync(join(root, 'empty'))
  symlinkSync('empty', join(root, 'fleet'))
  expect((await convert('--allow-exec')).exitCode).toBe(0)
  expect(readdirSync(join(root, 'empty')).toSorted()).toEqual(['catalog', 'clusters', 'fleet'])
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
})

test.each([
  ['inside the tree', () => symlinkSync('tree/base', join(root, 'fleet')), 'must be outside of the tree'],
  ['a link that leads nowhere', () => symlinkSync('gone', join(root, 'fleet')), 'leads nowhere'],
])('a place that is %s is refused', async (_, make, words) => {
  make()
  const { exitCode, stderr } = await convert('--allow-exec')
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(words)
})

test('a link in the fleet is refused by its name, and what it leads to is not written', async () => {
  await convert('--allow-exec')
  rmSync(join(root, 'fleet/clusters/prod'), { recursive: true })
  mkdirSync(join(root, 'elsewhere'))
  symlinkSync('../../elsewhere', join(root, 'fleet/clusters/prod'))
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("'fleet/clusters/prod' is a link") })
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([])
})

test('a base behind a link is converted, and nothing is written into the folder that the link leads to', async () => {
  cpSync(join(root, 'tree/base'), join(root, 'elsewhere'), { recursive: true })
  rmSync(join(root, 'tree/base'), { recursive: true })
  symlinkSync('../elsewhere', join(root, 'tree/base'))
  const before = readFileSync(join(root, 'elsewhere/kustomization.yaml'), 'utf8')
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0 })
  expect(readdirSync(join(root, 'elsewhere')).toSorted()).toEqual(['built', 'kustomization.yaml'])
  expect(readFileSync(join(root, 'elsewhere/kustomization.yaml'), 'utf8')).toBe(before)
})

test('links that lead nowhere, in a circle, or to a folder of something else are no part of the tree', async () => {
  write('large/file', 'of something else\n')
  symlinkSync('gone', join(root, 'tree/nowhere'))
  symlinkSync('..', join(root, 'tree/base/circle'))
  symlinkSync('../large', join(root, 'tree/large'))
  expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0 })
})

test('an overlay behind a link is refused, and one whose kustomization is a link is converted', async () => {
  cpSync(join(root, 'tree/prod'), join(root, 'outside'), { recursive: true })
  symlinkSync('../outside', join(root, 'tree/linked'))
  expect(await convert('--allow-exec')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("'tree/linked' is a link to a folder with a kustomization"),
  })
  rmSync(join(root, 'tree/linked'))
  rmSync(join(root, 'tree/prod/kustomization.yaml'))
  symlinkSync('../../outside/kustomization.yaml', join(root, 'tree/prod/kustomization.yaml'))
  expect((await convert('--allow-exec')).stdout).toContain('prod → clusters/prod: equal, 2 objects')
})

test.each(['kustomization.json', 'Kustomization.yaml', 'kustomisation.yml', 'kustomize.yaml'])(
  'an overlay in %s is refused, and not left out',
  async (name) => {
    write(`tree/dev/${name}`, name.endsWith('json') ? '{"resources": ["../base"]}' : 'resources: [../base]\n')
    const { exitCode, stderr } = await convert('--allow-exec')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `krm-variants: 'tree/dev/${name}' has a name that kustomize does not read: call the file kustomization.yaml, kustomization.yml or Kustomization\n`,
    })
    write(`tree/dev/${name}`, 'kind: Kustomization\nspec:\n  resources: []\n')
    expect(await convert('--allow-exec')).toMatchObject({ exitCode: 0 })
  },
)

test('a kustomization that no cluster gets is named', async () => {
  write('tree/lonely/kustomization.yaml', 'resources: []\n')
  expect((await convert('--allow-exec')).stderr).toContain("'tree/lonely/kustomization.yaml' names no base, and no overlay uses it")
})
