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

/** Makes a fleet of two packages, the second of which may be on another cluster. */
function twoPackages(
  name: string,
  { p, q, cluster = 'c1' }: { readonly p: string; readonly q: string; readonly cluster?: string },
): TestRepository {
  const second = SET.replace('name: s', 'name: t').replace('package: p', 'package: q').replace('name: c1', `name: ${cluster}`)
  const made = repository(name, {
    'catalog/q@1/Kptfile': 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: q}\n',
    'catalog/q@1/r.yaml': q,
    'other.yaml': second.replace('packageNames: [p]', 'packageNames: [q]'),
    'catalog/p@1/r.yaml': p,
  })
  return made
}

const OTHER = CLAIM.replace('name: d', 'name: e')
const SERVICE = '{apiVersion: v1, kind: Service, metadata: {name: s, namespace: app}, spec: {selector: {app: d}, ports: [{port: 80}]}}'
const PODS = `apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: app}
spec:
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec: {containers: [{name: main, image: 'a:1'}]}
`
const POLICY =
  '{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p, namespace: app}, spec: {podSelector: {matchLabels: {app: d}}}}'
const DENY_ALL = POLICY.replace('name: p', 'name: all').replace('{matchLabels: {app: d}}', '{}')
const MORE_PODS = PODS.replace('name: d', 'name: f')
const all = (...documents: readonly string[]) => documents.join('\n---\n')

test.each([
  [
    'a ConfigMap that another package of the cluster uses',
    { p: all(CONFIG, OTHER), q: DEPLOYMENT },
    `${CONFIG}\n---\n`,
    '',
    'in-use-deleted',
  ],
  [
    'a Service that loses the pods of another package',
    { p: all(SERVICE, OTHER), q: PODS },
    'app: d}, ports',
    'app: e}, ports',
    'service-unreachable',
  ],
  [
    'pods that a Service of another package selects',
    { p: all(PODS, OTHER), q: SERVICE },
    'labels: {app: d}',
    'labels: {app: e}',
    'service-unreachable',
  ],
  ['a ConfigMap that another cluster uses', { p: all(CONFIG, OTHER), q: DEPLOYMENT, cluster: 'c2' }, `${CONFIG}\n---\n`, '', undefined],
  [
    'a ConfigMap of another namespace',
    { p: all(CONFIG, OTHER), q: DEPLOYMENT.replace('namespace: app', 'namespace: b') },
    `${CONFIG}\n---\n`,
    '',
    undefined,
  ],
  ['a ConfigMap that another package has too', { p: all(CONFIG, DEPLOYMENT), q: CONFIG }, `${CONFIG}\n---\n`, '', undefined],
  ['a NetworkPolicy of the pods of another package', { p: all(POLICY, OTHER), q: PODS }, `${POLICY}\n---\n`, '', 'guard-removed'],
  ['a NetworkPolicy of the pods of another cluster', { p: all(POLICY, PODS), q: PODS, cluster: 'c2' }, all(POLICY, PODS), OTHER, undefined],
  ['a NetworkPolicy that another package has too', { p: all(POLICY, PODS), q: POLICY }, `${POLICY}\n---\n`, '', undefined],
  ['a NetworkPolicy of pods that one of another package closes', { p: all(POLICY, PODS), q: DENY_ALL }, `${POLICY}\n---\n`, '', undefined],
  [
    'a NetworkPolicy of fewer pods, which one of another package closes',
    { p: all(POLICY, PODS), q: DENY_ALL },
    '{matchLabels: {app: d}}}}',
    '{matchLabels: {app: d, tier: web}}}}',
    undefined,
  ],
  [
    'a NetworkPolicy of fewer pods',
    { p: all(POLICY, PODS), q: OTHER },
    '{matchLabels: {app: d}}}}',
    '{matchLabels: {app: d, tier: web}}}}',
    'guard-removed',
  ],
  ['pods that another package has too', { p: all(PODS, SERVICE), q: MORE_PODS }, 'labels: {app: d}', 'labels: {app: e}', undefined],
])('%s: what is deleted or changed is judged with all packages of its cluster', async (title, packages, before, after, rule) => {
  const made = twoPackages(title, packages)
  const isRendered = rule !== undefined
  if (isRendered) {
    expect((await made.run('render', '.', '--out', 'clusters')).exitCode).toBe(0)
    made.commit('rendered')
  }
  made.write('catalog/p@2/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n')
  made.write('catalog/p@2/r.yaml', packages.p.replace(before, after))
  made.replace('set.yaml', 'revision: 1', 'revision: 2')
  for (const from of [['start'], ...(isRendered ? [['rendered', '--out', 'clusters']] : [])]) {
    const { stdout } = await made.run('diff', ...from)
    expect(stdout).toMatch(/1 way|2 ways|3 ways/)
    if (rule === undefined) expect(stdout).not.toMatch(/in-use-deleted|service-unreachable|guard-removed/)
    else expect(stdout).toContain(`[${rule}]`)
  }
})

test('a package that is read only for another one needs no runner of its functions', async () => {
  const made = twoPackages('no-runner', { p: all(CONFIG, OTHER), q: DEPLOYMENT })
  const pipeline = 'pipeline: {mutators: [{image: registry.example.com/unknown:v1}]}'
  made.write('catalog/q@1/Kptfile', `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: q}\n${pipeline}\n`)
  made.commit('function')
  made.write('catalog/p@1/r.yaml', OTHER)
  const { stdout, stderr, exitCode } = await made.run('diff', 'HEAD')
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 2 })
  expect(stdout).toContain('ConfigMap app/c is deleted')
})

test('what goes with a deleted package is counted over its clusters: definitions by a Catalog, and objects of their kinds', async () => {
  const catalog = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
metadata: {name: c, annotations: {config.kubernetes.io/local-config: 'true'}}
spec:
  packages:
    - ecosystem: crossplane
      id: reg.example.org/acme/s3
      versions:
        - version: v1.0.0
          provides: [{apiVersion: s3.example.org/v1, kind: Bucket}, {apiVersion: s3.example.org/v1, kind: Policy}]
          brings:
            - {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, name: buckets.s3.example.org}
            - {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, name: policies.s3.example.org}
`
  const provider = (name: string, image: string) =>
    `{apiVersion: pkg.crossplane.io/v1, kind: Provider, metadata: {name: ${name}}, spec: {package: 'reg.example.org/acme/${image}'}}`
  const buckets = ['a', 'b'].map((name) => `{apiVersion: s3.example.org/v1, kind: Bucket, metadata: {name: ${name}}}`)
  const made = repository('lost', { 'catalog.yaml': catalog })
  made.write('set.yaml', SET.replace('{name: c1, packageNames: [p]}', '{name: c1, packageNames: [p]}, {name: c2, packageNames: [p]}'))
  made.write('catalog/p@1/r.yaml', [provider('s3', 's3:v1.0.0'), provider('other', 'other:v1.0.0'), ...buckets].join('\n---\n'))
  made.commit('installed')
  made.write('catalog/p@1/r.yaml', buckets.join('\n---\n'))
  const { stdout } = await made.run('diff', 'installed')
  expect(stdout).toContain('volume claims; 2 definitions, and 4 objects of their kinds in the fleet [package-deleted]')
  expect(stdout).toContain('volume claims; no Catalog of the fleet lists what it brings [package-deleted]')
  expect(stdout).toContain('Dangers: 4 packages deleted')
})
