import { expect, test } from 'vitest'
import type { Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import { sha256Hex } from '../kubernetes/truncated-name.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { hasTagOfItsOwn, knowsReadyExpr, sourceKey, sourceNames } from './flux.ts'
import type { Deployment } from './options.ts'
import { gitRepositoryOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

const OPTIONS: TestOptions = {
  system: 'flux',
  expressions: { waveExpr: "repository.name == 'one' ? '0' : '1'", destinationExpr: 'repository.name' },
}
const tagged = { ...OPTIONS, expressions: { ...OPTIONS.expressions, tagExpr: 'repository.labels.release' } }

const artifacts = (name: string, more: JsonRecord = {}): Written => [
  `fleet/${name}.yaml`,
  {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'Repository',
    metadata: { name, labels: { release: 'v2' } },
    spec: { type: 'oci', deployment: true, oci: { registry: `registry.example.com/fleet/${name}`, ...more } },
  },
]

const fleetOf = (...repositories: readonly Written[]) => [...repositories, variantOf('one', 'dns'), variantOf('two', 'dns')]
const specs = ({ objects }: ReturnType<typeof syncOf>) => objects.map(({ kind, spec }) => [kind, spec])

test('a dependency that another source has by a tag must have applied that tag', () => {
  const ringed = fleetOf(gitRepositoryOf('one', {}, { release: 'v3' }), gitRepositoryOf('two', {}, { release: 'v2' }))
  const [, first, , second] = specs(syncOf(ringed, tagged)).toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  expect(first).toMatchObject(['GitRepository', { ref: { tag: 'v2' } }])
  expect(second).toMatchObject([
    'Kustomization',
    {
      dependsOn: [
        {
          name: 'one-dns',
          readyExpr:
            "dep.status.lastAppliedRevision.startsWith('v3@') && dep.metadata.generation == dep.status.observedGeneration && dep.status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
        },
      ],
    },
  ])
})

test('no readyExpr is written for branches, for one source, and for a definition that has none', () => {
  const labels = { release: 'v2' }
  const definition: Written = [
    'flux.yaml',
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'kustomizations.kustomize.toolkit.fluxcd.io' },
      spec: { group: 'kustomize.toolkit.fluxcd.io', names: { kind: 'Kustomization' } },
    },
  ]
  const own = fleetOf(gitRepositoryOf('one', {}, labels), gitRepositoryOf('two', {}, labels))
  const place = (name: string) =>
    gitRepositoryOf(name, { repo: 'https://git.example.com/fleet.git', directory: `packages/${name}` }, labels)
  for (const objects of [syncOf(own, OPTIONS), syncOf(fleetOf(place('one'), place('two')), tagged), syncOf([...own, definition], tagged)])
    expect(JSON.stringify(specs(objects))).not.toContain('readyExpr')
})

test('a Repository of type oci is an artifact with the folder of the cluster', () => {
  const fleet = fleetOf(artifacts('one', { secretRef: { name: 'pull' } }), artifacts('two'))
  const [source, , kustomization] = specs(syncOf(fleet, OPTIONS))
  expect(source).toEqual([
    'OCIRepository',
    { interval: '10m', url: 'oci://registry.example.com/fleet/one', ref: { tag: 'latest' }, secretRef: { name: 'pull' } },
  ])
  expect(kustomization).toMatchObject(['Kustomization', { path: './dns', sourceRef: { kind: 'OCIRepository', name: 'one' } }])
  const open = fleetOf(artifacts('one'), artifacts('two'))
  expect(syncOf(open, { system: 'argocd' }).objects[0]).toMatchObject({
    spec: { source: { repoURL: 'oci://registry.example.com/fleet/one', targetRevision: 'latest', path: 'dns' } },
  })
  expect(syncOf(open, { system: 'config-sync' }).objects[0]).toMatchObject({
    spec: { sourceType: 'oci', oci: { image: 'registry.example.com/fleet/one:latest', dir: 'dns', auth: 'none' } },
  })
})

test('an artifact needs an address, Config Sync takes no Secret for it, and a tag is one', () => {
  const results = (registry: string, options: TestOptions) =>
    syncOf(fleetOf(artifacts('one', { registry }), artifacts('two')), options).results
  expect(results('', OPTIONS)).toEqual([
    expect.stringContaining('error: `spec.oci.registry` must be set; it must be HOST/PATH of the OCI artifact'),
  ])
  expect(results('Registry.example.com/A B', OPTIONS)).toEqual([
    expect.stringContaining("got 'Registry.example.com/A B' [sync-repository]"),
  ])
  const secret = artifacts('one', { secretRef: { name: 'pull' } })
  expect(syncOf([secret, variantOf('one', 'dns')], { system: 'config-sync' }).results).toEqual([
    expect.stringContaining('secretRef` must not be set: Config Sync reads an artifact with an account of the cluster'),
  ])
  const bad = syncOf([artifacts('one'), variantOf('one', 'dns')], { system: 'flux', expressions: { tagExpr: "'a b'" } })
  expect(bad.results).toEqual([expect.stringContaining("must give a tag, at most 128 of A-Z, a-z, 0-9, '_', '.', '-' and '/', got 'a b'")])
})

/** Returns the deployment of `dns` in a Repository whose source has these fields. */
function deploymentOf(repository: string, source: Partial<Deployment> = {}): Deployment {
  const [deployment] = syncOf([gitRepositoryOf(repository), variantOf(repository, 'dns')], OPTIONS).deployments
  if (deployment === undefined) throw new Error('must have a deployment')
  return { ...deployment, ...source }
}

const URL = 'https://git.example.com/fleet.git'

test.each<[string, Partial<Deployment>, Partial<Deployment>, boolean]>([
  ['one URL, branch and Secret', { url: URL, branch: 'main' }, { url: URL, branch: 'main' }, true],
  ['one address in two spellings', { url: 'git@git.example.com:fleet.git' }, { url: 'ssh://git@git.example.com/fleet.git' }, true],
  ['one tag of two branches', { url: URL, tag: 'v1', branch: 'a' }, { url: URL, tag: 'v1', branch: 'b' }, true],
  ['two URLs', { url: URL }, { url: 'https://git.example.com/other.git' }, false],
  ['two branches', { url: URL, branch: 'a' }, { url: URL, branch: 'b' }, false],
  ['two Secrets', { url: URL, secret: 'a' }, { url: URL, secret: 'b' }, false],
  ['a tag and a branch of one name', { url: URL, tag: 'v1' }, { url: URL, branch: 'v1' }, false],
])('deployments of %s have one source or two', (_, one, other, isOne) => {
  expect(sourceKey(deploymentOf('a', one)) === sourceKey(deploymentOf('b', other))).toBe(isOne)
})

test.each<[string, Partial<Deployment>, boolean]>([
  ['of another source by a tag', { url: URL, tag: 'v3' }, true],
  ['of another tag of one URL', { tag: 'v3' }, true],
  ['of the same source by its tag', { tag: 'v2' }, false],
  ['of another source by a branch', { url: URL, tag: undefined }, false],
  ['of another source by latest, which names no state', { url: URL, tag: 'latest' }, false],
])('a dependency %s has a tag of its own or not', (_, source, has) => {
  expect(hasTagOfItsOwn(deploymentOf('a', { tag: 'v2', ...source }), deploymentOf('a', { tag: 'v2' }))).toBe(has)
})

test.each<[string, readonly [kind: string, name: string, spec: JsonRecord][], boolean]>([
  ['no definition', [], true],
  ['a definition with it', [['CustomResourceDefinition', 'kustomizations.kustomize.toolkit.fluxcd.io', { a: { readyExpr: {} } }]], true],
  ['a definition without it', [['CustomResourceDefinition', 'kustomizations.kustomize.toolkit.fluxcd.io', { a: { ready: {} } }]], false],
  ['the definition of another kind', [['CustomResourceDefinition', 'gitrepositories.source.toolkit.fluxcd.io', {}]], true],
  ['another object of the name', [['ConfigMap', 'kustomizations.kustomize.toolkit.fluxcd.io', {}]], true],
])('readyExpr is known with %s: %j', (_, written, isKnown) => {
  const items = written.map(([kind, name, spec]) =>
    KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind, metadata: { name }, spec })),
  )
  expect(knowsReadyExpr(items)).toBe(isKnown)
})

/** Returns the names of the GitRepositories of deployments, each of the Repository `r0`, `r1` and so on. */
function namesOf(...sources: readonly Partial<Deployment>[]): readonly string[] {
  return [...sourceNames(sources.map((source, index) => deploymentOf(`r${index}`, source))).values()]
}

test.each<[string, Partial<Deployment>]>([
  ['fleet', { url: URL }],
  ['fleet', { url: 'https://git.example.com/team/fleet.git//' }],
  ['fleet', { url: 'git@git.example.com:fleet.git' }],
  ['fleet-next', { url: URL, branch: 'next' }],
  ['fleet-release-1-2', { url: URL, branch: 'release/1.2' }],
  ['fleet-v1-2', { url: URL, tag: 'v1.2', branch: 'main' }],
  ['fleet-a', { url: 'https://git.example.com/Fleet_A' }],
  ['fleet', { url: 'https://git.example.com/___' }],
  ['x', { url: 'https://git.example.com/-x-' }],
])('the GitRepository %s is named after the source that Repositories share: %j', (name, source) => {
  expect(namesOf(source, source)).toEqual([name])
})

test('a source of one Repository has the name of that, also for several packages', () => {
  expect(namesOf({ url: URL }, { url: 'https://git.example.com/other.git' })).toEqual(['r0', 'r1'])
  expect([...sourceNames([deploymentOf('a'), deploymentOf('a')]).values()]).toEqual(['a'])
})

test('of sources that would get one name, those of several Repositories have a hash, and that of a Repository has none', () => {
  const [first, second] = [{ url: URL }, { url: 'https://git.example.com/team/fleet.git' }]
  const hash = (source: Partial<Deployment>) => sha256Hex(sourceKey(deploymentOf('a', source))).slice(0, 8)
  expect(namesOf(first, second, first, second)).toEqual([`fleet-${hash(first)}`, `fleet-${hash(second)}`])
  const own = deploymentOf('fleet', { url: 'https://git.example.com/own.git' })
  expect([...sourceNames([own, deploymentOf('a', first), deploymentOf('b', first)]).values()]).toEqual(['fleet', `fleet-${hash(first)}`])
})
