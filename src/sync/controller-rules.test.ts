import { expect, test } from 'vitest'
import type { Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import { gitRepositoryOf, renderedPackage, resourceOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

const NS = resourceOf('Namespace', 'platform')
const map = (name: string, namespace = '') => resourceOf('ConfigMap', name, namespace)

/** Returns the findings about packages of the cluster `one`, by name. */
function findings(packages: Readonly<Record<string, readonly JsonRecord[]>>, options: TestOptions, clusters = ['one']): readonly string[] {
  const all = clusters.flatMap((cluster) => [
    gitRepositoryOf(cluster),
    ...Object.entries(packages).flatMap(([name, objects]) => [variantOf(cluster, name), ...renderedPackage(cluster, name, objects)]),
  ])
  return syncOf(all, { ...options, expressions: { destinationExpr: 'repository.name', ...options.expressions } }).results
}

/** Returns the beginning of a finding, and its rule. */
const short = (line: string) => line.replace(/^\S+ (\w+: .{0,48}).*(\[[a-z-]+\])$/, '$1… $2')

const inProd = { expressions: { namespaceExpr: "'prod'" } }

test('a Namespace that Flux would rename is refused, once for all clusters', () => {
  expect(findings({ net: [NS, map('a')] }, { system: 'flux', ...inProd }, ['one', 'two'])).toEqual([
    "packages/one/net/a.yaml:1:58: error: Namespace 'platform' must not be in a package with `targetNamespace` 'prod': kustomize renames it to 'prod', and Flux deletes that Namespace with all its resources once the package goes; leave `namespaceExpr` out, or move the Namespace into a package of its own; so in 1 other place of the fleet [sync-namespace]",
  ])
})

test('the Namespace of the target itself, and a package without targetNamespace, are not refused', () => {
  expect(findings({ net: [resourceOf('Namespace', 'prod')] }, { system: 'flux', ...inProd })).toEqual([])
  expect(findings({ net: [NS] }, { system: 'flux' })).toEqual([])
  expect(findings({ net: [NS] }, { system: 'argocd', ...inProd })).toEqual([])
})

test('two objects that targetNamespace moves into one namespace are refused', () => {
  const [found = ''] = findings({ net: [map('a', 'x'), map('a', 'y')] }, { system: 'flux', ...inProd })
  expect(found).toContain(
    "error: ConfigMap 'a' must not be in one package with another one, at packages/one/net/a.yaml:1, after `targetNamespace` 'prod' moved both",
  )
  expect(findings({ net: [map('a', 'x'), map('a', 'y')] }, { system: 'flux' })).toEqual([])
  expect(findings({ net: [map('a'), map('a', 'default')] }, { system: 'flux' }).map(short)).toEqual([
    "error: ConfigMap 'a' must not be in one package with an… [sync-twins]",
  ])
})

test('a RepoSync gets no object without a namespace and none of another namespace', () => {
  const found = findings({ net: [NS, map('a', 'platform'), map('b'), map('c', 'prod')] }, { system: 'config-sync', ...inProd })
  expect(found.map(short)).toEqual([
    "error: Namespace 'platform' has no namespace: a RepoSyn… [sync-repo-scope]",
    "error: ConfigMap 'a' is in the namespace 'platform': a … [sync-repo-scope]",
  ])
})

test('an object that two packages of one cluster have is an error for Config Sync, and a warning for the others', () => {
  const packages = { app: [NS], net: [NS] }
  for (const system of ['flux', 'argocd'] as const) {
    const found = findings(packages, { system })
    expect(found.map(short)).toEqual(["warning: Namespace 'platform' is in two packages of one c… [sync-shared-object]"])
    expect(found[0]).toContain("'app' and 'net', the other one at packages/one/app/a.yaml:1:")
  }
  const { results } = syncOf(
    [gitRepositoryOf('one'), ...['app', 'net'].flatMap((name) => [variantOf('one', name), ...renderedPackage('one', name, [NS])])],
    { system: 'config-sync' },
  )
  expect(results).toEqual([expect.stringMatching(/ error: .*\(KNV1060\)/)])
})

test('the same package in two clusters shares nothing, unless both are one cluster', () => {
  expect(findings({ net: [NS] }, { system: 'flux' }, ['one', 'two'])).toEqual([])
  const onto = { expressions: { destinationExpr: "'hub'" } }
  expect(findings({ net: [NS] }, { system: 'flux', ...onto }, ['one', 'two'])).toEqual([expect.stringContaining('[sync-shared-object]')])
})

test('objects of tools on disk and files of a kustomization count for nothing', () => {
  const local = { ...NS, metadata: { name: 'platform', annotations: { 'config.kubernetes.io/local-config': 'true' } } }
  expect(findings({ app: [local], net: [NS] }, { system: 'flux' })).toEqual([])
  const built = ['app', 'net'].flatMap((name) => [variantOf('one', name), ...renderedPackage('one', name, [NS])])
  const exists = (path: string) => path === 'packages/one/app/kustomization.yaml'
  expect(syncOf([gitRepositoryOf('one'), ...built], { system: 'flux' }, { exists }).results).toEqual([])
})

test('a file that is no Kubernetes object is named for Flux and Config Sync', () => {
  const packages = [gitRepositoryOf('one'), variantOf('one', 'net'), ...renderedPackage('one', 'net', [map('a'), { replicas: 1 }])]
  const templates = ['packages/one/net/t.yaml']
  expect(syncOf(packages, { system: 'flux' }, { templates }).results.map(short)).toEqual([
    'warning: packages/one/net/b.yaml holds no Kubernetes obje… [sync-refused-file]',
    'warning: packages/one/net/t.yaml holds no Kubernetes obje… [sync-refused-file]',
  ])
  expect(syncOf(packages, { system: 'config-sync' }).results).toEqual([
    expect.stringContaining('Config Sync applies nothing of the package'),
  ])
  expect(syncOf(packages, { system: 'argocd' }).results).toEqual([])
})

test('the config of a function without the annotation of tools is named for Flux', () => {
  const config = resourceOf('SetLabels', 'labels', '', 'fn.kpt.dev/v1alpha1')
  expect(findings({ net: [map('a'), config] }, { system: 'flux' })).toEqual([
    expect.stringContaining("SetLabels 'labels' is read by functions only"),
  ])
})

test('an object without a name, and one in a JSON file, are not applied by Flux', () => {
  const nameless = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } }
  const [found = ''] = findings({ net: [nameless, map('b')] }, { system: 'flux' })
  expect(found).toContain('warning: ConfigMap must have `metadata.name`, in packages/one/net/a.yaml: Flux applies nothing of the package')
  expect(findings({ net: [nameless] }, { system: 'argocd' })).toEqual([])
  const [kptfile] = renderedPackage('one', 'net', [])
  const json: Written = ['packages/one/net/a.json', map('a')]
  const judged = (system: 'flux' | 'config-sync') =>
    syncOf([gitRepositoryOf('one'), variantOf('one', 'net'), ...(kptfile === undefined ? [] : [kptfile]), json], { system })
  expect(judged('flux').results.map(short)).toEqual(["warning: ConfigMap 'a' is in a JSON file, which Flux does… [sync-refused-file]"])
  expect(judged('config-sync').results).toEqual([])
})

test('the entries of a List are judged as objects', () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [NS, map('a', 'platform')] }
  expect(findings({ net: [list] }, { system: 'flux', ...inProd }).map(short)).toEqual([
    "error: Namespace 'platform' must not be in a package wi… [sync-namespace]",
  ])
  expect(findings({ net: [list] }, { system: 'config-sync', ...inProd })).toHaveLength(2)
  expect(findings({ net: [list], app: [NS] }, { system: 'config-sync' }).map(short)).toEqual([
    "error: Namespace 'platform' is in two packages of one c… [sync-shared-object]",
  ])
})

/** Returns the findings about packages that are known by their upstream package alone, which functions may change. */
function upstreamFindings(packages: Readonly<Record<string, readonly JsonRecord[]>>, options: TestOptions): readonly string[] {
  const all = Object.entries(packages).flatMap(([name, objects]): readonly Written[] => [
    variantOf('one', name),
    [`catalog/${name}@v1/Kptfile`, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name } }],
    ...objects.map((object, index): Written => [`catalog/${name}@v1/${index}.yaml`, object]),
  ])
  return syncOf([gitRepositoryOf('one'), ...all], options).results.map((line) => line.replace(/^\S+ (\w+): .*(\[[a-z-]+\])$/, '$1 $2'))
}

test('what an upstream package has is a warning, since the functions of a package may change it', () => {
  expect(upstreamFindings({ net: [NS] }, { system: 'flux', ...inProd })).toEqual(['warning [sync-namespace]'])
  expect(upstreamFindings({ net: [map('a'), map('a')] }, { system: 'flux' })).toEqual(['warning [sync-twins]'])
  expect(upstreamFindings({ net: [NS] }, { system: 'config-sync', ...inProd })).toEqual(['warning [sync-repo-scope]'])
  expect(upstreamFindings({ app: [NS], net: [NS] }, { system: 'config-sync' })).toEqual(['warning [sync-shared-object]'])
})

test('a Namespace of another API is renamed as any object, and one that is renamed is no twin too', () => {
  const own = resourceOf('Namespace', 'platform', '', 'tenants.example.com/v1')
  const rulesOf = (...objects: readonly JsonRecord[]) =>
    findings({ net: objects }, { system: 'flux', ...inProd }).map((line) => /\[.*\]$/.exec(line)?.[0])
  expect(rulesOf(own)).toEqual([])
  expect(rulesOf(NS, NS)).toEqual(['[sync-namespace]'])
  expect(rulesOf(resourceOf('Namespace', 'prod'), resourceOf('Namespace', 'prod'))).toEqual(['[sync-twins]'])
})

test('Flux moves every object into targetNamespace, the others only an object that names no namespace', () => {
  const of = (system: 'flux' | 'argocd', first: JsonRecord, second: JsonRecord) =>
    findings({ app: [first], net: [second] }, { system, ...inProd }).filter((line) => line.endsWith('[sync-shared-object]')).length
  expect(of('flux', map('a', 'x'), map('a', 'y'))).toBe(1)
  expect(of('argocd', map('a', 'x'), map('a', 'y'))).toBe(0)
  expect(of('argocd', map('a'), map('a', 'prod'))).toBe(1)
  expect(of('argocd', map('a'), map('a', 'default'))).toBe(0)
})

test('an object of another group, kind, namespace or name is another object', () => {
  const role = resourceOf('Role', 'a', 'x', 'rbac.authorization.k8s.io/v1')
  for (const other of [
    { ...role, apiVersion: 'iam.io/v1' },
    { ...role, kind: 'RoleBinding' },
    resourceOf('Role', 'b', 'x', 'rbac.authorization.k8s.io/v1'),
  ])
    expect(findings({ app: [role], net: [other] }, { system: 'flux' })).toEqual([])
  expect(findings({ app: [role], net: [{ ...role, apiVersion: 'rbac.authorization.k8s.io/v1beta1' }] }, { system: 'flux' })).toHaveLength(1)
})

test('what two packages share says what the system does', () => {
  const said = (system: 'flux' | 'argocd') => findings({ app: [NS], net: [NS] }, { system })[0]
  expect(said('flux')).toContain('two Kustomizations of Flux take the object from each other')
  expect(said('argocd')).toContain('Argo CD reports a SharedResourceWarning')
})

test('a file that no controller reads is named once for all clusters, not in a kustomization, and not beside no object', () => {
  const strange = (system: 'flux' | 'config-sync', objects: readonly JsonRecord[], exists?: (path: string) => boolean) => {
    const all = ['one', 'two'].flatMap((name) => [gitRepositoryOf(name), variantOf(name, 'net'), ...renderedPackage(name, 'net', objects)])
    return syncOf(all, { system, expressions: { destinationExpr: 'repository.name' } }, exists && { exists }).results
  }
  expect(strange('flux', [map('a'), { replicas: 1 }])).toEqual([
    'packages/one/net/b.yaml:1:1: warning: packages/one/net/b.yaml holds no Kubernetes object: Flux applies nothing of the package; name the file in `.sourceignore` at the root of the git repository, or write a kustomization.yaml that lists the other files; so in 1 other place of the fleet [sync-refused-file]',
  ])
  expect(strange('flux', [{ replicas: 1 }])).toEqual([])
  expect(strange('flux', [map('a'), { replicas: 1 }], (path) => path.endsWith('/kustomization.yaml'))).toEqual([])
  const local = { ...map('l'), metadata: { name: 'l', annotations: { 'config.kubernetes.io/local-config': 'true' } } }
  expect(strange('flux', [local, { replicas: 1 }])).toHaveLength(1)
})

test('a config of a function that says whether it is for tools is not named, and none for Config Sync', () => {
  const config = resourceOf('SetLabels', 'labels', '', 'fn.kpt.dev/v1alpha1')
  const said = { ...config, metadata: { name: 'labels', annotations: { 'config.kubernetes.io/local-config': 'true' } } }
  expect(findings({ net: [map('a'), said] }, { system: 'flux' })).toEqual([])
  expect(findings({ net: [map('a'), config] }, { system: 'config-sync' })).toEqual([])
})
