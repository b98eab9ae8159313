import { expect } from 'vitest'
import type { JsonRecord, JsonValue } from '../../../src/json.ts'

/** Returns a function that chooses among values, the same for the same seed (mulberry32). */
export function chooser(seed: number): Choose {
  let state = seed * 7919 + 1
  return (...values) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return values[((mixed ^ (mixed >>> 14)) >>> 0) % values.length] ?? expect.fail('nothing to choose')
  }
}

/** Chooses one of some values. */
export type Choose = <T>(...values: readonly T[]) => T

const LETTERS = ['a', 'b', 'c', 'd'] as const
const VERSIONS = ['1.0.0', '1.1.0', '2.0.0'] as const
const RANGES = ['>=1.0.0', '>=1.1.0', '<2.0.0', '>=2.0.0', '^1.0.0', '1.1.0'] as const

/** Objects of the installed packages, Catalogs and package objects of one random cluster, and the options. */
export interface RandomCluster {
  readonly objects: readonly JsonRecord[]
  readonly options: JsonRecord
}

function someOf<T>(values: readonly T[], choose: Choose, often = 3): readonly T[] {
  return values.filter(() => choose(...Array.from({ length: often }, (_, i) => i === 0)))
}

function mostOf<T>(values: readonly T[], choose: Choose): readonly T[] {
  return values.filter(() => choose(true, true, true, false))
}

const REGISTRIES = ['one.example.org', 'two.example.org'] as const
const sourceOf = (letter: string, registry: string): string => `${registry}/x/${letter}`
const digestOf = (letter: string, version: string): string =>
  `sha256:${Buffer.from(`${letter}${version}`).toString('hex').repeat(8).padEnd(64, '0').slice(0, 64)}`
const definition = (name: string): JsonRecord => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name })

function crossplane(choose: Choose): readonly JsonRecord[] {
  const kindOf = (letter: string): string => (letter === 'a' ? 'Configuration' : letter === 'b' ? 'Function' : 'Provider')
  const range = (): string => choose(...RANGES).replace(/\d/, 'v$&')
  const dependencies = (of: string): JsonValue =>
    someOf(LETTERS, choose)
      .filter((letter) => letter !== of || choose(false, false, false, false, true))
      .map((letter) => ({
        [kindOf(letter).toLowerCase()]: sourceOf(letter, choose(...REGISTRIES)),
        version: choose(range(), range(), range(), digestOf(letter, 'v1.1.0')),
      }))
  const packages = LETTERS.flatMap((letter) =>
    REGISTRIES.filter(() => choose(true, true, false)).map((registry) => ({
      ecosystem: 'crossplane',
      id: sourceOf(letter, registry),
      kind: kindOf(letter),
      versions: mostOf(VERSIONS, choose).map((version) => {
        const brought = someOf(['x.g.org', 'y.g.org', `${letter}.g.org`], choose)
        const whole = {
          version: `v${version}`,
          ...(choose(true, true, true, false) && { digest: digestOf(`${letter}${registry}`, version) }),
          ...(choose(true, true, true, false) && { dependencies: dependencies(letter) }),
          brings: brought.map(definition),
          ...(choose(false, false, false, true) && { constraints: { crossplane: choose('>=v2.0.0', '>=v3.0.0') } }),
        }
        return choose(true, true, true, false) ? whole : `v${version}`
      }),
    })),
  )
  const catalog = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'crossplane' }, spec: { packages } }
  const installed = someOf(LETTERS, choose, 2).map((letter): JsonRecord => {
    const kind = kindOf(letter)
    const source = sourceOf(letter, choose(...REGISTRIES))
    const reference = choose(
      `:v${choose(...VERSIONS)}`,
      `:v${choose(...VERSIONS)}`,
      `:v${choose(...VERSIONS)}`,
      `@${digestOf(letter, '1.1.0')}`,
    )
    return {
      apiVersion: 'pkg.crossplane.io/v1',
      kind,
      metadata: {
        name: choose(letter, letter, `x-${choose(...LETTERS)}`),
        ...(choose(false, false, true) && { annotations: { 'krm-variants.dev/resolved': reference.slice(1) } }),
      },
      spec: {
        package: `${source}${reference}`,
        ...(choose(false, false, false, true) && { skipDependencyResolution: true }),
        ...(choose(false, false, false, true) && { revisionActivationPolicy: 'Manual' }),
        ...(choose(false, false, true) && { revisionHistoryLimit: choose(0, 1, 2) }),
        ...(kind !== 'Configuration' && choose(false, false, true) && { runtimeConfigRef: { name: choose('shared', 'other', 'none') } }),
      },
    }
  })
  const template = { metadata: { name: 'shared-name' } }
  const runtime = someOf(['deploymentTemplate', 'serviceTemplate', 'serviceAccountTemplate'], choose, 2)
  const config = (name: string): JsonRecord => ({
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'DeploymentRuntimeConfig',
    metadata: { name },
    spec: Object.fromEntries(runtime.map((key) => [key, template])),
  })
  const [one, two] = REGISTRIES
  const images = someOf([0, 1], choose, 4).map((i): JsonRecord => {
    const [from, to] = choose([one, two], [two, one], [one, 'mirror.example.org'])
    return {
      apiVersion: 'pkg.crossplane.io/v1beta1',
      kind: 'ImageConfig',
      metadata: { name: `move-${i}` },
      spec: {
        matchImages: [{ type: 'Prefix', prefix: choose(from, `${from}/x/${choose(...LETTERS)}`) }],
        rewriteImage: { prefix: choose(to, `${to}/x/${choose(...LETTERS)}`) },
      },
    }
  })
  const definitions = someOf(['x.g.org', 'y.g.org'], choose, 4).map((name): JsonRecord => {
    const [plural = '', group = ''] = name.split(/\.(.*)/)
    const owner = choose('ProviderRevision', 'Provider')
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name,
        ...(choose(true, false) && {
          ownerReferences: [
            { apiVersion: 'pkg.crossplane.io/v1', kind: owner, name: choose('c', 'd', 'gone'), uid: choose('1', '2'), controller: true },
          ],
        }),
      },
      spec: {
        group,
        scope: 'Cluster',
        names: { kind: plural.toUpperCase(), plural },
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    }
  })
  return [...installed, config('shared'), ...someOf([config('other')], choose, 2), ...images, ...definitions, catalog]
}

function carvel(choose: Choose): readonly JsonRecord[] {
  const refName = (letter: string): string => `${letter}.apps.example.org`
  const kinds = [
    { apiVersion: 'g.org/v1', kind: 'K' },
    { apiVersion: 'g.org/v1', kind: 'L' },
  ]
  const dependency = (): JsonRecord => {
    const letter = choose(...LETTERS)
    return {
      package: { refName: refName(letter), ...(choose(true, true, false) && { version: choose(...RANGES) }) },
      ...(choose(false, false, false, true) && { optional: true }),
    }
  }
  const leaf = (): JsonRecord => (choose(true, true, true, false) ? dependency() : { gvk: choose(...kinds) })
  const packages = LETTERS.flatMap((letter) =>
    mostOf(VERSIONS, choose).map(
      (version): JsonRecord => ({
        apiVersion: 'data.packaging.carvel.dev/v1alpha1',
        kind: 'Package',
        metadata: {
          name: `${refName(letter)}.${version}`,
          namespace: choose('apps', 'kapp-controller-packaging-global', 'kapp-controller-packaging-global'),
        },
        spec: {
          refName: refName(letter),
          version,
          ...(choose(false, false, true) && { installationType: choose('onePerCluster', 'onePerNamespace') }),
          ...(choose(true, true, false) && {
            dependencies: Array.from({ length: choose(0, 1, 1, 2) }, () =>
              choose(true, true, true, false) ? leaf() : { or: [leaf(), leaf()] },
            ),
          }),
          ...(choose(false, false, true) && { provides: [choose(...kinds)] }),
          ...(choose(false, false, false, true) && { kubernetesVersionSelection: { constraints: choose('>=1.20.0', '>=1.40.0') } }),
          template: { spec: { fetch: [], template: [], deploy: [{ kapp: {} }] } },
        },
      }),
    ),
  )
  const installs = Array.from(
    { length: choose(0, 1, 2, 3) },
    (_, i): JsonRecord => ({
      apiVersion: 'packaging.carvel.dev/v1alpha1',
      kind: 'PackageInstall',
      metadata: {
        name: `i${i}`,
        namespace: choose('apps', 'apps', 'team'),
        ...(choose(false, false, true) && { annotations: { 'packaging.carvel.dev/downgradable': '' } }),
      },
      spec: {
        ...(choose(true, true, true, false) && { serviceAccountName: 'sa' }),
        packageRef: { refName: refName(choose(...LETTERS)), versionSelection: { constraints: choose(...RANGES, ...VERSIONS) } },
        ...(choose(false, false, false, true) && { dependencies: { install: false } }),
      },
      ...(choose(false, false, true) && { status: { lastAttemptedVersion: choose(...VERSIONS) } }),
    }),
  )
  return [...packages, ...installs]
}

function glasskube(choose: Choose): readonly JsonRecord[] {
  const names = LETTERS.map((letter) => `g${letter}`)
  const requirement = (): JsonRecord => ({ name: choose(...names), ...(choose(true, true, false) && { version: choose(...RANGES) }) })
  const packages = names.map((id) => ({
    ecosystem: 'glasskube',
    id,
    versions: mostOf(VERSIONS, choose).map((version) => {
      const scope = choose('Cluster', 'Cluster', 'Namespaced')
      return {
        version: `v${version}+1`,
        ...(choose(true, true, true, false) && { dependencies: Array.from({ length: choose(0, 0, 1, 2) }, requirement) }),
        ...(choose(false, false, false, true) && { components: [requirement()] }),
        scope,
        ...(scope === 'Cluster' && { defaultNamespace: id }),
        brings: someOf(['x.g.org', 'z.g.org'], choose, 4).map(definition),
      }
    }),
  }))
  const catalog = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'glasskube' }, spec: { packages } }
  const installs = someOf(names, choose, 2).map((name): JsonRecord => {
    const kind = choose('ClusterPackage', 'ClusterPackage', 'Package')
    const version = choose(...VERSIONS)
    return {
      apiVersion: 'packages.glasskube.dev/v1alpha1',
      kind,
      metadata: {
        name,
        ...(kind === 'Package' && { namespace: 'apps' }),
        ...(choose(false, false, true) && {
          annotations: { 'packages.glasskube.dev/installed-as-dependency': 'true', 'krm-variants.dev/resolved': `v${version}+1` },
        }),
      },
      spec: { packageInfo: { name, ...(choose(true, true, true, false) && { version: `v${version}+1` }) } },
    }
  })
  return [...installs, catalog]
}

/** Returns a random cluster with packages of Crossplane, Carvel or Glasskube, or of all of them. */
export function randomCluster(choose: Choose): RandomCluster {
  const systems = choose([crossplane], [crossplane], [carvel], [glasskube], [crossplane, carvel, glasskube])
  return {
    objects: systems.flatMap((make) => make(choose)),
    options: {
      universe: choose('open', 'open', 'closed'),
      ...(choose(false, false, true) && {
        provided: [
          { package: choose('ga', 'c.apps.example.org', sourceOf('d', 'one.example.org')) },
          { apiVersion: 'g.org/v1', kind: 'K' },
        ],
      }),
      ...(choose(false, true) && {
        cluster: {
          kubernetesVersion: '1.31.2',
          ...(choose(false, true) && { crossplaneVersion: choose('v1.20.0', 'v2.0.2', 'v2.1.0', 'v2.3.4', 'v2.4.0') }),
        },
      }),
    },
  }
}

/** Returns random options of a resolution. */
export function resolutionOf(choose: Choose): JsonRecord {
  return {
    strategy: choose('satisfy', 'satisfy', 'native'),
    upgrades: choose('none', 'generated', 'all'),
    downgrades: choose(false, true),
    prune: choose(false, false, true),
    partial: choose(false, false, true),
  }
}
