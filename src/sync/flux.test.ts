import { expect, test } from 'vitest'
import type { Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
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
    expect.stringContaining("got 'oci://Registry.example.com/A B' [sync-repository]"),
  ])
  const secret = artifacts('one', { secretRef: { name: 'pull' } })
  expect(syncOf([secret, variantOf('one', 'dns')], { system: 'config-sync' }).results).toEqual([
    expect.stringContaining('secretRef` must not be set: Config Sync reads an artifact with an account of the cluster'),
  ])
  const bad = syncOf([artifacts('one'), variantOf('one', 'dns')], { system: 'flux', expressions: { tagExpr: "'a b'" } })
  expect(bad.results).toEqual([expect.stringContaining("must give a tag, at most 128 of A-Z, a-z, 0-9, '_', '.', '-' and '/', got 'a b'")])
})
