import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-diff-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: s, namespace: fleet}
spec:
  upstream: {repo: catalog, package: p, revision: 1}
  targets:
    - repositories: [{name: c1, packageNames: [p]}]
`
const VERSION = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: CheckDependencies
metadata: {name: check}
spec: {cluster: {kubernetesVersion: 1.34.1}}
`
const KUSTOMIZATION = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: c1, namespace: flux-system}
spec: {path: ./c1/p, prune: false}
`
const CONFIG = '{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: app}, data: {a: b}}'
const CLAIM = '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: d, namespace: app}, spec: {accessModes: [ReadWriteOnce]}}'
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: app}
spec:
  template:
    spec:
      containers: [{name: main, image: 'a:1', livenessProbe: {httpGet: {port: 80}}, envFrom: [{configMapRef: {name: c}}]}]
`

function repository(name: string, extra: Readonly<Record<string, string>> = {}): TestRepository {
  const made = new TestRepository(join(folder, name))
  made.write('catalog/p@1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n')
  made.write('catalog/p@1/r.yaml', [CONFIG, CLAIM, DEPLOYMENT].join('\n---\n'))
  made.write('set.yaml', SET)
  for (const [path, text] of Object.entries(extra)) made.write(path, text)
  made.commit('start')
  return made
}

test('a ConfigMap that a Deployment of the package names is a danger when it is deleted, in rendered and in committed packages', async () => {
  const made = repository('in-use')
  made.write('catalog/p@2/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n')
  made.write('catalog/p@2/r.yaml', [CLAIM, DEPLOYMENT].join('\n---\n'))
  expect((await made.run('render', '.', '--out', 'clusters')).stderr).toBe('')
  made.commit('rendered')
  made.replace('set.yaml', 'revision: 1', 'revision: 2')
  expect((await made.run('diff', 'start')).stdout).toContain('its pods do not start [in-use-deleted]')
  expect((await made.run('diff', 'rendered', '--out', 'clusters')).stdout).toContain('its pods do not start [in-use-deleted]')
})

test('what a deployer leaves in the cluster is said, and is no danger', async () => {
  const made = repository('left', { 'kustomization.sync.yaml': KUSTOMIZATION })
  made.write('catalog/p@1/r.yaml', [CONFIG, DEPLOYMENT].join('\n---\n'))
  const { stdout, exitCode } = await made.run('diff', 'start', '--fail-on', 'danger')
  expect(stdout).toContain('Flux leaves it in the cluster: its Kustomization does not have `prune: true`')
  expect(stdout).toContain('Notices: 1 volume claim deleted')
  expect(exitCode).toBe(2)
  made.replace('kustomization.sync.yaml', 'prune: false', 'prune: true')
  expect((await made.run('diff', 'start', '--fail-on', 'danger')).exitCode).toBe(1)
})

test('a notice is listed without a mark, and ends with 1 only for --fail-on notice', async () => {
  const made = repository('notice')
  made.replace('catalog/p@1/r.yaml', ' livenessProbe: {httpGet: {port: 80}},', '')
  const { stdout, exitCode } = await made.run('diff', 'start', '--fail-on', 'danger')
  expect(stdout).toContain('note: spec.template.spec.containers[main].livenessProbe: a probe is gone')
  expect(stdout).not.toContain('!')
  expect(exitCode).toBe(2)
  expect((await made.run('diff', 'start', '--fail-on', 'notice')).exitCode).toBe(1)
  expect((await made.run('diff', 'start', '--format', 'github')).stdout).toContain('::notice ')
  made.replace('catalog/p@1/r.yaml', 'a: b', 'a: c')
  made.commit('next')
  expect((await made.run('diff', 'next', '--fail-on', 'change')).exitCode).toBe(0)
})

test('an API version that the Kubernetes of the fleet does not serve is a danger', async () => {
  const made = repository('version', { 'check.yaml': VERSION })
  made.write('catalog/p@1/cron.yaml', '{apiVersion: batch/v1beta1, kind: CronJob, metadata: {name: c, namespace: app}}\n')
  expect((await made.run('diff', 'start')).stdout).toContain('! apiVersion: the Kubernetes of the fleet does not serve')
  made.replace('check.yaml', '1.34.1', '1.20.0')
  expect((await made.run('diff', 'start')).stdout).not.toContain('api-not-served')
})

test('images are listed by number of clusters, in the comment too', async () => {
  const made = repository('images')
  made.replace('catalog/p@1/r.yaml', "image: 'a:1'", "image: 'a:2'")
  expect((await made.run('diff', 'start', '--images')).stdout).toBe('1 cluster  a: 1 → 2\n')
  expect((await made.run('diff', 'start', '--format', 'markdown')).stdout).toContain('**Images:**\n\n- **1 cluster** `a: 1 → 2`\n')
  expect((await made.run('diff', 'start', '--images', '--format', 'json')).exitCode).toBe(1)
})

const IGNORE = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options}
spec: {diff: {ignore: [{kinds: [ConfigMap], fields: [data.a], reason: a build number}, {fields: [spec.template], reason: all pods}]}}
`

test('a change that the fleet ignores is left out and counted, and a dangerous one is shown all the same', async () => {
  const made = repository('ignored', { 'options.yaml': IGNORE })
  made.replace('catalog/p@1/r.yaml', 'a: b', 'a: c')
  const { stdout, exitCode } = await made.run('diff', 'start')
  expect(stdout).toBe('Fleet: no package changes\n\n1 change on 1 cluster ignored by the fleet: a build number\n')
  expect(exitCode).toBe(0)
  made.replace('catalog/p@1/r.yaml', "image: 'a:1'", "image: 'a:latest'")
  expect((await made.run('diff', 'start')).stdout).toContain('[floating-image]')
})

test('packages that do not follow another content of their upstream revision are counted', async () => {
  const made = repository('behind')
  expect((await made.run('render', '.', '--out', 'clusters')).stderr).toBe('')
  made.commit('rendered')
  made.replace('catalog/p@1/r.yaml', 'a: b', 'a: c')
  const { stdout } = await made.run('diff', 'rendered', '--out', 'clusters')
  expect(stdout).toContain('catalog/p 1 has other content, and 1 package does not follow: render takes another revision only')
})
