import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { Written } from '../fleet/testing/fleet-of-objects.ts'
import { asRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { formatResult } from '../result.ts'
import { directoryWarnings } from './argocd.ts'
import { gitRepositoryOf, renderedPackage, resourceOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

const local = (name: string): JsonRecord => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, annotations: { 'config.kubernetes.io/local-config': 'true' } },
})
const CONTEXTS = 'package-context.yaml,*/package-context.yaml'
const map = resourceOf('ConfigMap', 'a')

const directoryIn = (value: JsonValue | undefined): JsonValue | undefined => asRecord(asRecord(asRecord(value).spec).source).directory

/** Returns the exclude pattern of the package `net` with some objects, a file each, and the findings. */
function excluded(objects: readonly JsonRecord[], templates: readonly string[] = []) {
  const all = [gitRepositoryOf('one'), variantOf('one', 'net'), ...renderedPackage('one', 'net', objects)]
  const { objects: made, results } = syncOf(all, { system: 'argocd' }, { templates })
  return [asRecord(directoryIn(made[0])).exclude, results]
}

test('Argo CD leaves out what only tools read, and what is no Kubernetes object', () => {
  const config = resourceOf('SetLabels', 's', '', 'fn.kpt.dev/v1alpha1')
  expect(excluded([map, local('setters'), config, { replicas: 1 }], ['packages/one/net/sub/{x}.yaml'])).toEqual([
    `{${CONTEXTS},b.yaml,c.yaml,d.yaml,sub/?x?.yaml}`,
    [],
  ])
  expect(excluded([map])).toEqual([`{${CONTEXTS}}`, []])
})

test('a file with an object for tools and one for the cluster is applied, and named', () => {
  const file = 'packages/one/net/a.yaml'
  const objects: Written[] = [...renderedPackage('one', 'net', [map]), [file, local('setters')]]
  const { objects: made, results } = syncOf([gitRepositoryOf('one'), variantOf('one', 'net'), ...objects], { system: 'argocd' })
  expect(asRecord(directoryIn(made[0])).exclude).toBe(`{${CONTEXTS}}`)
  expect(results.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    "warning: ConfigMap 'setters' is for tools on disk, in a file with objects for the cluster: Argo CD applies the whole file; move the object into a file of its own [sync-local-config]",
  ])
})

const SET = {
  apiVersion: 'config.porch.kpt.dev/v1alpha2',
  kind: 'PackageVariantSet',
  metadata: { name: 'stores' },
  spec: { upstream: { repo: 'catalog', package: 'net', revision: 1 }, targets: [{ repositories: [{ name: 'one' }, { name: 'two' }] }] },
}

/** Returns the spec of the ApplicationSet of two packages, of which some have a chart. */
function applicationSet(built: readonly string[], objects: readonly JsonRecord[] = [map]) {
  const rendered = (repo: string): readonly Written[] =>
    JSON.parse(
      JSON.stringify(renderedPackage(repo, 'net', repo === 'one' ? objects : [map])).replace(
        `default/${repo}-net`,
        `default/stores-${repo}-net`,
      ),
    )
  const list = [gitRepositoryOf('one'), gitRepositoryOf('two'), ['fleet/set.yaml', SET] as const, ...rendered('one'), ...rendered('two')]
  const exists = (path: string) => built.some((repo) => path === `packages/${repo}/net/Chart.yaml`)
  const { objects: made, results } = syncOf(
    list,
    { system: 'argocd', per: 'set', expressions: { destinationExpr: 'repository.name' } },
    { exists },
  )
  const spec = asRecord(made[0]?.spec)
  return { spec, directory: directoryIn(spec.template), rules: results.map((line) => line.replace(/^.*\[/, '[')) }
}

test('an ApplicationSet reads files unless every package of the set has a chart', () => {
  expect(applicationSet([]).directory).toEqual({ recurse: true, exclude: `{${CONTEXTS}}` })
  expect(applicationSet(['one'])).toMatchObject({ directory: { recurse: true }, rules: ['[sync-directory]'] })
  expect(applicationSet(['one', 'two'])).toMatchObject({ directory: undefined, rules: [] })
})

test('the elements of an ApplicationSet have the excluded files if they differ', () => {
  const { spec, directory } = applicationSet([], [map, local('setters')])
  expect(directory).toEqual({ recurse: true, exclude: '{{.exclude}}' })
  const [generator] = spec.generators as readonly JsonRecord[]
  const elements = asRecord(generator?.list).elements as readonly JsonRecord[]
  expect(elements.map(({ exclude }) => exclude)).toEqual([`{${CONTEXTS},b.yaml}`, `{${CONTEXTS}}`])
})

test('an ApplicationSet syncs step by step only where its packages have several waves', () => {
  const strategyOf = (waveExpr: string) => {
    const list = [gitRepositoryOf('one'), gitRepositoryOf('two'), ['fleet/set.yaml', SET] as const]
    const { objects } = syncOf(list, { system: 'argocd', per: 'set', expressions: { waveExpr } })
    return asRecord(objects[0]?.spec).strategy
  }
  const step = (wave: string) => ({ matchExpressions: [{ key: 'krm-variants.dev/wave', operator: 'In', values: [wave] }] })
  expect(strategyOf("'3'")).toBeUndefined()
  expect(strategyOf("repository.name == 'one' ? '10' : '2'")).toEqual({
    type: 'RollingSync',
    rollingSync: { steps: [step('2'), step('10')] },
  })
})

test('an Application has its wave only where some package has another wave than the first', () => {
  const annotationsOf = (waveExpr: string) => {
    const list = [gitRepositoryOf('one'), variantOf('one', 'net'), gitRepositoryOf('two'), variantOf('two', 'net')]
    const { objects } = syncOf(list, { system: 'argocd', expressions: { waveExpr } })
    return objects.map(({ metadata }) => asRecord(metadata).annotations)
  }
  expect(annotationsOf("'0'")).toEqual([undefined, undefined])
  expect(annotationsOf("repository.name == 'one' ? '1' : '0'")).toEqual(
    expect.arrayContaining([{ 'argocd.argoproj.io/sync-wave': '1' }, { 'argocd.argoproj.io/sync-wave': '0' }]),
  )
})

test('a cluster is named by its server if it is a URL, and by its name else', () => {
  const destinationOf = (destinationExpr: string) => {
    const { objects } = syncOf([gitRepositoryOf('one'), variantOf('one', 'net')], { system: 'argocd', expressions: { destinationExpr } })
    return asRecord(objects[0]?.spec).destination
  }
  expect(destinationOf("'https://10.0.0.1:6443'")).toEqual({ server: 'https://10.0.0.1:6443' })
  expect(destinationOf("'in-https://x'")).toEqual({ name: 'in-https://x' })
  expect(destinationOf("'edge-01'")).toEqual({ name: 'edge-01' })
})

test('the elements of an ApplicationSet have a server, or a namespace, only where one of them has', () => {
  const elementsOf = (expressions: Readonly<Record<string, string>>) => {
    const list = [gitRepositoryOf('one'), gitRepositoryOf('two'), ['fleet/set.yaml', SET] as const]
    const { objects } = syncOf(list, { system: 'argocd', per: 'set', expressions })
    const [generator] = asRecord(objects[0]?.spec).generators as readonly JsonRecord[]
    const { destination } = asRecord(asRecord(asRecord(objects[0]?.spec).template).spec)
    return [
      (asRecord(generator?.list).elements as readonly JsonRecord[]).map(({ destination, server, namespace }) => ({
        destination,
        server,
        namespace,
      })),
      destination,
    ]
  }
  expect(elementsOf({})).toEqual([[{ destination: 'in-cluster' }, { destination: 'in-cluster' }], { name: '{{.destination}}' }])
  expect(elementsOf({ destinationExpr: "repository.name == 'one' ? 'https://a' : 'b'", namespaceExpr: "'n'" })).toEqual([
    [
      { destination: '', server: 'https://a', namespace: 'n' },
      { destination: 'b', server: '', namespace: 'n' },
    ],
    { name: '{{.destination}}', server: '{{.server}}', namespace: '{{.namespace}}' },
  ])
})

test('packages are synced by themselves, with the options, unless a whole syncPolicy is given', () => {
  const policyOf = (options: Partial<TestOptions>) =>
    asRecord(syncOf([gitRepositoryOf('one'), variantOf('one', 'net')], { system: 'argocd', ...options }).objects[0]?.spec).syncPolicy
  expect(policyOf({})).toEqual({ automated: { prune: true, selfHeal: true } })
  expect(policyOf({ prune: false, syncOptions: ['CreateNamespace=true'] })).toEqual({
    automated: { prune: false, selfHeal: true },
    syncOptions: ['CreateNamespace=true'],
  })
  expect(policyOf({ syncPolicy: {} })).toEqual({})
})

const withDirectory = (name: string, kind: 'Application' | 'ApplicationSet', hasOne: boolean): JsonRecord => {
  const spec = { source: { path: name, ...(hasOne && { directory: { recurse: true } }) } }
  return { ...resourceOf(kind, name, 'argocd', 'argoproj.io/v1alpha1'), spec: kind === 'Application' ? spec : { template: { spec } } }
}

/** Returns the warnings about objects that get or lose `directory`: each has a name, a kind, and whether it had and has one. */
function warned(...changes: readonly (readonly [string, 'Application' | 'ApplicationSet', boolean, boolean])[]): readonly string[] {
  const updated = changes.map(([name, kind, had, has]) => ({
    object: writtenObject(JSON.stringify(withDirectory(name, kind, had)), `${name}.yaml`),
    value: withDirectory(name, kind, has),
  }))
  return directoryWarnings({ created: [], updated, removed: [], results: [] }).map(formatResult)
}

test('an object that gets a directory, and one that loses it, is warned of, since Argo CD then applies other files', () => {
  expect(warned(['a', 'Application', false, true])).toEqual([
    expect.stringMatching(
      /^a\.yaml:1:\d+: warning: `spec\.source\.directory` is new here: Argo CD then applies the files of subfolders too, and builds no kustomization\.yaml or Chart\.yaml any more; remove `directory` where the package has one \[sync-directory\]$/,
    ),
  ])
  expect(warned(['a', 'ApplicationSet', true, false])).toEqual([
    expect.stringMatching(
      /^a\.yaml:1:\d+: warning: `spec\.template\.spec\.source\.directory` is removed here: Argo CD then builds the kustomization or chart that the package has, and applies no other file of the folder \[sync-directory\]$/,
    ),
  ])
  expect(warned(['a', 'Application', true, true], ['b', 'ApplicationSet', false, false])).toEqual([])
})

test('of several objects the first has the warning, which names five of the others', () => {
  const gained = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 'Application', false, true] as const)
  const found = warned(['x', 'Application', true, false], ...gained)
  expect(found.map((line) => line.slice(0, line.indexOf(': Argo CD')).replace(/:1:\d+:/, ''))).toEqual([
    'x.yaml warning: `spec.source.directory` is removed here',
    "a.yaml warning: `spec.source.directory` is new here and in 6 other objects ('b', 'c', 'd', 'e', 'f' and 1 more)",
  ])
})

const onePackage = (options: Partial<TestOptions>, git: JsonRecord = {}) =>
  asRecord(syncOf([gitRepositoryOf('one', git), variantOf('one', 'net')], { system: 'argocd', ...options }).objects[0])

test('an Application reads a package at the tag or branch, in a project and a namespace', () => {
  expect(asRecord(onePackage({}).spec)).toMatchObject({
    project: 'default',
    source: { repoURL: 'https://git.example.com/one.git', targetRevision: 'main', path: 'net' },
    destination: { name: 'in-cluster' },
  })
  const expressions = { tagExpr: "'v1'", projectExpr: "'stores'", namespaceExpr: "'shop'" }
  expect(asRecord(onePackage({ expressions }).spec)).toMatchObject({
    project: 'stores',
    source: { targetRevision: 'v1' },
    destination: { name: 'in-cluster', namespace: 'shop' },
  })
  expect(onePackage({ namespace: 'apps' }).metadata).toEqual({ name: 'one-net', namespace: 'apps' })
})

test('a whole Repository at the top has the path of the top, and an Application of its own beside the sets', () => {
  expect(asRecord(asRecord(onePackage({ per: 'repository' }).spec).source).path).toBe('.')
  const list = [gitRepositoryOf('one'), gitRepositoryOf('two'), ['fleet/set.yaml', SET] as const, variantOf('one', 'alone')]
  const kindsOf = (per: 'set' | 'package') =>
    syncOf(list, { system: 'argocd', per }).objects.map(({ kind, metadata }) => [kind, asRecord(metadata).name])
  expect(kindsOf('set')).toEqual([
    ['ApplicationSet', 'stores'],
    ['Application', 'one-alone'],
  ])
  expect(kindsOf('package').map(([kind]) => kind)).toEqual(['Application', 'Application', 'Application'])
})

test('an element of an ApplicationSet has what its template reads, and what is made is kept when an element leaves', () => {
  const expressions = {
    tagExpr: "repository.name == 'one' ? 'v1' : 'v2'",
    projectExpr: 'repository.name',
    waveExpr: "'3'",
    destinationExpr: "'c'",
  }
  const { objects } = syncOf([gitRepositoryOf('one'), gitRepositoryOf('two'), ['fleet/set.yaml', SET] as const], {
    system: 'argocd',
    per: 'set',
    expressions,
  })
  const common = { path: 'net', destination: 'c', wave: '3' }
  expect(objects).toMatchObject([
    {
      metadata: { name: 'stores', namespace: 'argocd' },
      spec: {
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
        generators: [
          {
            list: {
              elements: [
                { ...common, name: 'one-net', url: 'https://git.example.com/one.git', branch: 'v1', project: 'one' },
                { ...common, name: 'two-net', url: 'https://git.example.com/two.git', branch: 'v2', project: 'two' },
              ],
            },
          },
        ],
        syncPolicy: { preserveResourcesOnDeletion: true },
        template: {
          metadata: { name: '{{.name}}', labels: { 'krm-variants.dev/wave': '{{.wave}}' } },
          spec: {
            project: '{{.project}}',
            source: { repoURL: '{{.url}}', targetRevision: '{{.branch}}', path: '{{.path}}' },
            syncPolicy: { automated: { prune: true, selfHeal: true } },
          },
        },
      },
    },
  ])
})
