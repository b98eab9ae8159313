import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { checkPolicies } from '../../functions/check-policies/check-policies.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { generateSync } from '../../functions/generate-sync/generate-sync.ts'
import { injectConfig } from '../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../functions/prepend-pipeline/prepend-pipeline.ts'
import { renderVariants } from '../../functions/render-variants/render-variants.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { setContext } from '../../functions/set-context/set-context.ts'
import type { JsonRecord, JsonValue } from '../../src/json.ts'
import { evaluate, type KrmFunction } from '../../src/run.ts'
import { HEAD, readAll, repeat, WRAPPER } from './attack.ts'
import { BY_LABEL, catalog, context, glasskube, keys, needs, providers, repositories, setWith, version } from './functions.ts'
import { functions, injections, pairs, pipelines, rendering, resources, variants } from './packages.ts'

export interface Growth {
  readonly what: string
  readonly fn: KrmFunction
  /** The smallest size; the others are ten times and a hundred times as large. */
  readonly few: number
  readonly text: (count: number) => string
}

/** The dimensions of an input that may be large, for each function. */
export const GROWTHS: readonly Growth[] = [
  {
    what: 'keys changed in a map',
    fn: setContext,
    few: 2000,
    text: (count) => context(keys(count, '    ', 'old-'), keys(count, '        ', 'new-')),
  },
  { what: 'new keys of a map', fn: setContext, few: 2000, text: (count) => context('    a: b\n', keys(count, '        ', 'new-')) },
  { what: 'faults of a set', fn: fanOut, few: 1000, text: (count) => setWith('    - repository: x\n'.repeat(count)) },
  { what: 'targets', fn: fanOut, few: 2000, text: (count) => `${setWith(BY_LABEL)}${repositories(count)}` },
  {
    what: 'targets with a selector each',
    fn: fanOut,
    few: 300,
    text: (count) => `${setWith(repeat(count, byId))}${repositoriesWithId(count)}`,
  },
  {
    what: 'selectors that match nothing',
    fn: fanOut,
    few: 100,
    text: (count) => `${setWith(repeat(count, (n) => byId(n + count)))}${repositoriesWithId(count)}`,
  },
  {
    what: 'objects selected by name',
    fn: fanOut,
    few: 300,
    text: (count) => `${setWith(repeat(count, byName))}${repositoriesWithId(count)}`,
  },
  { what: 'objects with keys of their own', fn: fanOut, few: 1000, text: (count) => `${setWith(BY_LABEL)}${repeat(count, ownKeys)}` },
  { what: 'upstreams of a matrix', fn: fanOut, few: 100, text: (count) => `${WRAPPER}${matrixOf(count)}${repositories(10)}` },
  { what: 'sets', fn: fanOut, few: 100, text: (count) => `${WRAPPER}${repeat(count, setOfOne)}${repositories(10)}` },
  {
    what: 'targets for one downstream',
    fn: fanOut,
    few: 300,
    text: (count) => setWith('    - repositories: [{name: edge-0}]\n'.repeat(count)),
  },
  { what: 'targets in one line of JSON', fn: fanOut, few: 1000, text: (count) => `${JSON.stringify(jsonFleet(count))}\n` },
  { what: 'targets in JSON without a final line break', fn: fanOut, few: 1000, text: (count) => JSON.stringify(jsonFleet(count)) },
  { what: 'variants that stay as they are', fn: fanOut, few: 500, text: (count) => fannedOut(repositories(count)) },
  { what: 'variants of a set that is missing', fn: fanOut, few: 500, text: (count) => `${WRAPPER}${repeat(count, orphan)}` },
  {
    what: 'removed keys',
    fn: fanOut,
    few: 2000,
    text: (count) =>
      `${setWith(`${BY_LABEL}      template:\n        packageContext:\n          removeKeys:\n${repeat(count, (n) => `          - k${n}\n`)}`)}${repositories(1)}`,
  },
  { what: 'keys to remove from a map', fn: setContext, few: 500, text: (count) => removal(count) },
  { what: 'items', fn: readAll, few: 5000, text: (count) => WRAPPER + repositories(count) },
  {
    what: 'versions of a package',
    fn: checkDependencies,
    few: 2000,
    text: (count) =>
      catalog(
        glasskube('a', version('1.0.0', needs('b', '>=1.0.0'))) +
          glasskube(
            'b',
            repeat(count, (n) => version(`1.${n}.0`, ' []')),
          ),
      ),
  },
  { what: 'packages that provide a kind, and as many that require it', fn: checkDependencies, few: 500, text: providers },
  { what: 'Packages of Carvel that require each other, half of them installed', fn: checkDependencies, few: 300, text: carvel },
  { what: 'functions for a pipeline', fn: prependPipeline, few: 500, text: (count) => pipelines('', functions(count, '      ')) },
  { what: 'injection points', fn: injectConfig, few: 200, text: (count) => injections(count, 1) },
  { what: 'resources and injectors', fn: injectConfig, few: 300, text: (count) => injections(1, count) },
  { what: 'variants to render', fn: renderVariants, few: 50, text: (count) => rendering(resources(30), variants(count)) },
  { what: 'resources of a package to render', fn: renderVariants, few: 100, text: (count) => rendering(resources(count), variants(30)) },
  {
    what: 'packages of a list',
    fn: setContext,
    few: 500,
    text: (count) => `${context('    a: b\n', '        c: d\n')}`.replace('items:\n', `items:\n${repeat(count, kptfile)}`),
  },
  { what: 'variants to deploy', fn: generateSync, few: 300, text: (count) => fannedOut(gitRepositories(count)) + SYNC },
  { what: 'targets of a policy', fn: checkPolicies, few: 1000, text: (count) => WRAPPER + policy(0) + repositories(count) },
  { what: 'policies', fn: checkPolicies, few: 50, text: (count) => WRAPPER + repeat(count, policy) + repositories(10) },
  { what: 'installed packages that require one each', fn: resolveDependencies, few: 200, text: pairs },
  {
    what: 'levels in each of 2000 values',
    fn: readAll,
    few: 9,
    text: (count) => `${HEAD}  spec:\n${`  - ${'['.repeat(count)}${']'.repeat(count)}\n`.repeat(2000)}`,
  },
]

const byId = (n: number) => `    - repositorySelector:\n        matchLabels:\n          id: 'r${n}'\n`

const byName = (n: number) =>
  `    - objectSelector:\n        apiVersion: config.porch.kpt.dev/v1alpha1\n        kind: Repository\n        name: edge-${n}\n`

function repositoriesWithId(count: number): string {
  let n = 0
  return repositories(count).replaceAll('env: prod', () => `id: r${n++}`)
}

/** A Repository whose labels and fields no other Repository has. */
function ownKeys(n: number): string {
  const repository = repositories(1).replaceAll('edge-0', `edge-${n}`)
  return `${repository.replace('env: prod', `env: prod\n      own-${n}: a`)}  spec:\n    own-${n}: {type: git}\n    plain-${n}: a\n`
}

function matrixOf(count: number): string {
  const upstreams = repeat(count, (n) => `    - {repo: catalog, package: p${n}, revision: 1}\n`)
  return setWith(BY_LABEL)
    .slice(WRAPPER.length)
    .replace('config.porch.kpt.dev/v1alpha2', 'fleet.krm-variants.dev/v1alpha1')
    .replace('PackageVariantSet', 'PackageVariantMatrix')
    .replace(/ {4}upstream:\n(?: {6}.*\n)+/, `    upstreams:\n${upstreams}`)
}

function setOfOne(n: number): string {
  const set = setWith(`    - repositories: [{name: edge-${n % 10}, packageNames: [p${n}]}]\n`)
  return set.slice(WRAPPER.length).replace('name: edge\n', `name: set-${n}\n`)
}

function orphan(n: number): string {
  return `- apiVersion: config.porch.kpt.dev/v1alpha1
  kind: PackageVariant
  metadata:
    name: gone-${n}
    namespace: default
    labels: {config.porch.kpt.dev/packagevariantset: 'uid-${n}'}
    annotations:
      internal.config.kubernetes.io/path: 'v-${n}.yaml'
    ownerReferences:
    - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, name: gone-${n}, uid: uid-${n}, controller: true}
  spec:
    upstream: {repo: catalog, package: network, revision: 1}
    downstream: {repo: edge-${n}, package: network}
`
}

function jsonFleet(count: number): JsonValue {
  const item = (apiVersion: string, kind: string, name: string, rest: JsonRecord): JsonRecord => ({
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: 'default',
      labels: { env: 'prod' },
      annotations: { 'internal.config.kubernetes.io/path': `${name}.yaml` },
    },
    ...rest,
  })
  const targets = [{ repositorySelector: { matchLabels: { env: 'prod' } } }]
  const spec = { upstream: { repo: 'catalog', package: 'network', revision: 1 }, targets }
  return {
    apiVersion: 'config.kubernetes.io/v1',
    kind: 'ResourceList',
    items: [
      item('config.porch.kpt.dev/v1alpha2', 'PackageVariantSet', 'edge', { spec }),
      ...Array.from({ length: count }, (_, n) => item('config.porch.kpt.dev/v1alpha1', 'Repository', `edge-${n}`, {})),
    ],
  }
}

/** A package context of so many keys, and a variant that removes all but one. */
function removal(count: number): string {
  const removed = repeat(count, (n) => `      - k${n}\n`)
  return context(`    stays: x\n${keys(count, '    ', 'v')}`, '        added: x\n').concat(`      removeKeys:\n${removed}`)
}

/** A set, its targets, and the variants that fan-out made of them. */
function fannedOut(targets: string): string {
  const made = evaluate(fanOut, `${setWith(BY_LABEL)}${targets}`).stdout
  return made.slice(0, made.indexOf('\nresults:') + 1)
}

function gitRepositories(count: number): string {
  return repositories(count).replaceAll(/path: '(.*)\.yaml'\n/g, "$&  spec:\n    git: {repo: 'https://git.example.com/$1.git'}\n")
}

const SYNC = `functionConfig:
  apiVersion: fn.krm-variants.dev/v1alpha1
  kind: GenerateSync
  metadata:
    name: sync
  spec:
    for: flux
`

/** A Kptfile in a folder of its own. */
const kptfile = (n: number) => `- apiVersion: kpt.dev/v1
  kind: Kptfile
  metadata:
    name: p${n}
    annotations:
      internal.config.kubernetes.io/path: 'p${n}/Kptfile'
`

/** A policy that each Repository meets. */
const policy = (n: number) => `- apiVersion: fleet.krm-variants.dev/v1alpha1
  kind: FleetPolicy
  metadata:
    name: policy-${n}
    annotations:
      internal.config.kubernetes.io/path: 'policy-${n}.yaml'
  spec:
    forEach: targets
    validations:
    - {expression: "item.labels['env'] == 'prod'", message: must be of production}
`

/** Packages of Carvel in three versions, each with a dependency on the next one; every second is installed. */
function carvel(count: number): string {
  const at = (path: string) => `    namespace: default\n    annotations:\n      internal.config.kubernetes.io/path: '${path}'\n`
  const one = (n: number, version: string) => `- apiVersion: data.packaging.carvel.dev/v1alpha1
  kind: Package
  metadata:
    name: p${n}.example.com.${version}
${at(`p${n}-${version}.yaml`)}  spec:
    refName: p${n}.example.com
    version: ${version}
    dependencies:
    - name: next
      package: {refName: p${(n + 1) % count}.example.com, version: '>=1.0.0 <2.0.0'}
`
  const install = (n: number) => `- apiVersion: packaging.carvel.dev/v1alpha1
  kind: PackageInstall
  metadata:
    name: p${n}
${at(`install-${n}.yaml`)}  spec:
    serviceAccountName: p
    packageRef: {refName: p${n}.example.com, versionSelection: {constraints: 1.1.0}}
`
  const versions = ['1.0.0', '1.1.0', '1.2.0']
  return WRAPPER + repeat(count, (n) => versions.map((version) => one(n, version)).join('') + (n % 2 === 0 ? install(n) : ''))
}
