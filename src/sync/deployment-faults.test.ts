import { expect, test } from 'vitest'
import type { Written } from '../fleet/testing/fleet-of-objects.ts'
import { gitRepositoryOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

/** Returns the findings about a fleet without their places, those of some rules if any are given. */
function findings(objects: readonly Written[], options: TestOptions, ...rules: readonly string[]): readonly string[] {
  const { results } = syncOf(objects, options)
  return results
    .filter((line) => rules.length === 0 || rules.some((rule) => line.endsWith(`[${rule}]`)))
    .map((line) => line.replace(/^\S+ /, ''))
}

const NAMED = { destinationExpr: 'repository.name' }
const fleetOf = (...names: readonly string[]) => names.flatMap((name) => [gitRepositoryOf(name), variantOf(name, 'dns')])

test('a package in `dependsOn` that no variant has is an error at its place, with the nearest package', () => {
  const fleet = [gitRepositoryOf('one'), variantOf('one', 'dns'), variantOf('one', 'certs')]
  const of = (dependsOn: Readonly<Record<string, readonly string[]>>) => findings(fleet, { system: 'flux', dependsOn }, 'sync-package')
  expect(of({ dns: ['certs', 'cert', 'web'], shop: ['dns'] })).toEqual([
    "error: `spec.dependsOn.dns[1]` must be the package of a variant, got 'cert'; did you mean 'certs'? [sync-package]",
    "error: `spec.dependsOn.dns[2]` must be the package of a variant, got 'web' [sync-package]",
    "error: `spec.dependsOn.shop` must be the package of a variant, got 'shop' [sync-package]",
  ])
  expect(of({ dns: ['certs'] })).toEqual([])
  expect(findings([], { system: 'flux', dependsOn: { dns: ['certs'] } })).toEqual([])
})

test.each([
  [
    'argocd',
    "warning: `spec.destinationExpr` must be set: all packages of 2 Repositories ('a', 'b') are deployed onto one cluster, 'in-cluster'; write the name of the cluster, such as repository.name, or \"'in-cluster'\" if one cluster is meant [sync-one-cluster]",
  ],
  [
    'flux',
    "warning: `spec.destinationExpr` must be set: the objects of 2 Repositories ('a', 'b') deploy onto the one cluster whose Flux applies them; write the Secret with the kubeconfig, or let each cluster apply only the objects of its own Repository [sync-one-cluster]",
  ],
  [
    'config-sync',
    "info: `spec.for` is 'config-sync', whose objects deploy onto the cluster that applies them, here packages of 2 Repositories ('a', 'b'); each cluster must apply only the objects of its own Repository [sync-one-cluster]",
  ],
] as const)('several Repositories without a destination are one cluster for %s', (system, message) => {
  expect(findings(fleetOf('b', 'a'), { system }, 'sync-one-cluster')).toEqual([message])
  expect(findings(fleetOf('a'), { system }, 'sync-one-cluster')).toEqual([])
  expect(findings([...fleetOf('a'), variantOf('a', 'web')], { system }, 'sync-one-cluster')).toEqual([])
  expect(findings(fleetOf('a', 'b'), { system, expressions: NAMED }, 'sync-one-cluster')).toEqual([])
})

test('a set with packages that Argo CD builds beside packages that it reads is a warning, with the names of the built ones', () => {
  const targets = [{ repositories: ['a', 'b'].map((name) => ({ name })) }]
  const spec = { upstream: { repo: 'catalog', package: 'net', revision: 1 }, targets }
  const set = { apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet', metadata: { name: 's' }, spec }
  const kptfiles = ['a', 'b'].map((repo): Written => {
    const annotations = { 'krm-variants.dev/package-variant': `default/s-${repo}-net` }
    return [`packages/${repo}/net/Kptfile`, { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'net', annotations } }]
  })
  const rules = (built: readonly string[], per: 'set' | 'package' = 'set') => {
    const exists = (path: string) => built.some((repo) => path === `packages/${repo}/net/Chart.yaml`)
    const objects = [gitRepositoryOf('a'), gitRepositoryOf('b'), ['fleet/set.yaml', set] as const, ...kptfiles]
    const { results } = syncOf(objects, { system: 'argocd', per, expressions: NAMED }, { exists })
    return results.filter((line) => line.endsWith('[sync-directory]')).map((line) => line.replace(/^\S+ /, ''))
  }
  expect(rules(['b'])).toEqual([
    "warning: `spec.per` is 'set', and the set 's' has packages with a kustomization or chart beside packages without: Argo CD builds none of 'b-net'; give them a set of their own, or leave `per` out [sync-directory]",
  ])
  expect(rules([])).toEqual([])
  expect(rules(['a', 'b'])).toEqual([])
  expect(rules(['b'], 'package')).toEqual([])
})

test('two deployments of one name are an error with both, and so is a name that no API server accepts', () => {
  const flux = { system: 'flux', expressions: { ...NAMED, nameExpr: "'same'" } } as const
  expect(findings(fleetOf('a', 'b'), flux, 'sync-name')).toEqual([
    "error: `metadata.name` makes two objects of the name 'same', for a/dns and for b/dns [sync-name]",
  ])
  expect(findings(fleetOf('a', 'b'), { ...flux, per: 'repository' }, 'sync-name')).toEqual([
    "error: `metadata.name` makes two objects of the name 'same', for a and for b [sync-name]",
  ])
  expect(findings([gitRepositoryOf('a'), variantOf('a', 'net-')], { system: 'flux' }, 'sync-name')).toEqual([
    "error: `metadata.name` makes an object with the name 'a-net-', which no API server accepts [sync-name]",
  ])
  expect(findings(fleetOf('a', 'b'), { system: 'flux', expressions: NAMED })).toEqual([])
})

test('names that Config Sync takes only cut are an info with the first of them, and of no other system', () => {
  const long = (end: string) => `${'a'.repeat(40)}-${end}`
  const fleet = [gitRepositoryOf('one'), ...['1', '2', '3', '4'].map((end) => variantOf('one', long(end)))]
  const [line = '', ...others] = findings(fleet, { system: 'config-sync' }, 'sync-name-cut')
  expect(others).toEqual([])
  expect(line.replaceAll(/a{9,}/g, 'a+')).toMatch(
    /^info: `metadata\.name` makes 4 objects with a name that is cut, since Config Sync accepts 38 characters for a RootSync, and 45 for the name and namespace of a RepoSync: 'one-a\+-1' is 'one-a\+-[0-9a-f]{8}', .*'one-a\+-3' is '[^']*' and 1 more \[sync-name-cut\]$/,
  )
  expect(findings(fleet, { system: 'flux' }, 'sync-name-cut')).toEqual([])
})

test.each([
  [35, 0],
  [36, 1],
])('a namespace of %i characters leaves a name for a RepoSync, or is refused: %i', (length, count) => {
  const namespace = 'n'.repeat(length)
  const fleet = [gitRepositoryOf('one'), variantOf('one', 'a-long-name-of-a-package')]
  const options = { system: 'config-sync', expressions: { namespaceExpr: `'${namespace}'` } } as const
  expect(findings(fleet, options, 'sync-name')).toEqual(
    Array.from(
      { length: count },
      () =>
        `error: \`spec.namespaceExpr\` must give a namespace of at most 35 characters for a name as long as 'one-a-long-name-of-a-package', got '${namespace}': Config Sync accepts 45 characters for the name and namespace of a RepoSync [sync-name]`,
    ),
  )
})

test.each([
  // [directory of a, directory of b, whether one folder is in two clusters]
  ['x', 'x', true],
  ['x', 'x/dns', true],
  ['x/dns/deep', 'x', true],
  ['x', 'y', false],
  ['x/dn', 'x', false],
  ['/x/', 'x', true],
  ['', '', true],
])('Repositories with the directories %j and %j deploy one folder: %s', (first, second, isOne) => {
  const git = (directory: string) => ({ repo: 'https://git.example.com/fleet.git', directory })
  const fleet = [gitRepositoryOf('a', git(first)), variantOf('a', 'dns'), gitRepositoryOf('b', git(second)), variantOf('b', 'dns')]
  expect(findings(fleet, { system: 'flux', expressions: NAMED }, 'sync-same-folder')).toHaveLength(isOne ? 1 : 0)
})
