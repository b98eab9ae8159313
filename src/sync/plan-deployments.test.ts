import { expect, test } from 'vitest'
import type { Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import { gitRepositoryOf, renderedPackage, resourceOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

const SHARED = { repo: 'https://git.example.com/fleet.git' }
const fleetOf = (git: (name: string) => JsonRecord, ...names: string[]) =>
  names.flatMap((name) => [gitRepositoryOf(name, git(name)), variantOf(name, 'dns')])
const flux = { system: 'flux', expressions: { destinationExpr: 'repository.name' } } as const

test('Repositories that read one folder of one git repository are refused, once', () => {
  const { results } = syncOf(
    fleetOf(() => SHARED, 'a', 'b', 'c'),
    flux,
  )
  expect(results.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    "error: `spec.git.directory` must not be that of Repository 'b' (fleet/b.yaml:1): both deploy one folder of one repository, 'dns' of 'https://git.example.com/fleet.git', to two clusters; write a folder for each, such as `directory: packages/a`; so for 1 other Repository [sync-same-folder]",
  ])
})

test('a folder inside of the folder of another Repository is refused, folders of other branches are not', () => {
  const nested = syncOf(
    fleetOf((name) => ({ ...SHARED, directory: name === 'a' ? 'packages' : 'packages/dns' }), 'a', 'b'),
    flux,
  )
  expect(nested.results).toEqual([expect.stringContaining('[sync-same-folder]')])
  expect(
    syncOf(
      fleetOf((name) => ({ ...SHARED, branch: name }), 'a', 'b'),
      flux,
    ).results,
  ).toEqual([])
  expect(
    syncOf(
      fleetOf((name) => ({ ...SHARED, directory: `packages/${name}` }), 'a', 'b'),
      flux,
    ).results,
  ).toEqual([])
})

test('without a directory the path is the folder that render wrote, from the top of the git repository', () => {
  const packages = ['a', 'b'].flatMap((name) => renderedPackage(name, 'dns', [resourceOf('ConfigMap', 'x')]))
  const { objects, results } = syncOf([...fleetOf(() => SHARED, 'a', 'b'), ...packages], flux, { inGit: (path) => `fleet/${path}` })
  expect(objects.flatMap(({ spec }) => (spec as JsonRecord).path ?? [])).toEqual(['./fleet/packages/a/dns', './fleet/packages/b/dns'])
  expect(results).toEqual([
    expect.stringMatching(
      /warning: `spec\.git\.directory` must be set, here and in 1 other Repository .*; write `directory: fleet\/packages\/a` \[sync-same-folder\]$/,
    ),
  ])
})

test('deployments of one URL, branch and Secret share a GitRepository', () => {
  const names = (git: (name: string) => JsonRecord) =>
    syncOf(fleetOf(git, 'a', 'b'), flux)
      .objects.filter(({ kind }) => kind === 'GitRepository')
      .map(({ metadata }) => (metadata as JsonRecord).name)
  const of = (name: string, other: JsonRecord) => ({ ...SHARED, directory: name, ...(name === 'b' && other) })
  expect(names((name) => of(name, {}))).toEqual(['fleet'])
  expect(names((name) => of(name, { repo: 'git@git.example.com:fleet.git' }))).toEqual(['a', 'b'])
  expect(names((name) => of(name, { secretRef: { name: 's' } }))).toEqual(['a', 'b'])
  expect(names((name) => ({ ...SHARED, directory: name, branch: 'Next_1' }))).toEqual(['fleet-next-1'])
})

test('sources of one name get a hash', () => {
  const git = (name: string) => ({ repo: `https://${name.slice(0, 1)}.example.com/fleet.git`, directory: name })
  const { objects } = syncOf(fleetOf(git, 'a1', 'a2', 'b1', 'b2'), flux)
  const names = objects.filter(({ kind }) => kind === 'GitRepository').map(({ metadata }) => String((metadata as JsonRecord).name))
  expect(names).toEqual([expect.stringMatching(/^fleet-[0-9a-f]{8}$/), expect.stringMatching(/^fleet-[0-9a-f]{8}$/)])
  expect(new Set(names).size).toBe(2)
})

test('a RootSync has at most 38 characters, a RepoSync at most 45 with its namespace', () => {
  const long = 'store-hamburg-altona-0123456789-observability'
  const fleet = [gitRepositoryOf(long.slice(0, 30)), variantOf(long.slice(0, 30), long)]
  const lengthOf = (expressions: Record<string, string>) => {
    const { deployments, results } = syncOf(fleet, { system: 'config-sync', expressions })
    return [deployments[0]?.name.length, results.map((line) => line.replace(/^\S+ (\w+): .*(\[.*)$/, '$1 $2'))]
  }
  expect(lengthOf({})).toEqual([38, ['info [sync-name-cut]']])
  expect(lengthOf({ namespaceExpr: "'shop'" })).toEqual([41, ['info [sync-name-cut]']])
  expect(lengthOf({ namespaceExpr: `'${'n'.repeat(36)}'` })).toEqual([10, ['error [sync-name]']])
})

test('a name of 63 characters stays for Flux, and a longer one is cut without a dot before the hash', () => {
  const nameFor = (name: string) => syncOf([gitRepositoryOf('r'), variantOf('r', name)], flux).deployments[0]?.name
  expect(nameFor('p'.repeat(61))).toBe(`r-${'p'.repeat(61)}`)
  expect(nameFor(`${'p'.repeat(51)}.${'q'.repeat(20)}`)).toMatch(/^r-p{51}-[0-9a-f]{8}$/)
})

test('a Repository that is deployed as a whole is in the last wave of its packages', () => {
  const fleet = [...['a', 'b'].map((name) => gitRepositoryOf(name)), variantOf('a', 'dns'), variantOf('a', 'shop'), variantOf('b', 'dns')]
  const expressions = { waveExpr: "packageDefault == 'shop' ? '3' : '1'" }
  const { deployments } = syncOf(fleet, { system: 'flux', per: 'repository', expressions })
  expect(deployments.map(({ name, wave }) => [name, wave])).toEqual([
    ['a', 3],
    ['b', 1],
  ])
})

test('Repositories of one name in two namespaces are two deployments', () => {
  const inNamespace = (namespace: string): readonly Written[] => [
    {
      apiVersion: 'config.porch.kpt.dev/v1alpha1',
      kind: 'Repository',
      metadata: { name: 'a', namespace },
      spec: { type: 'git', deployment: true, git: { repo: `https://git.example.com/${namespace}.git`, branch: 'main' } },
    },
    {
      apiVersion: 'config.porch.kpt.dev/v1alpha1',
      kind: 'PackageVariant',
      metadata: { name: 'a-dns', namespace },
      spec: { upstream: { repo: 'catalog', package: 'dns', revision: 1 }, downstream: { repo: 'a', package: 'dns' } },
    },
  ]
  const { deployments } = syncOf([...inNamespace('north'), ...inNamespace('south')], { system: 'flux', per: 'repository' })
  expect(deployments.map(({ url }) => url).toSorted()).toEqual(['https://git.example.com/north.git', 'https://git.example.com/south.git'])
})

test('a package with a kustomization is built where it is deployed alone, not with the whole Repository', () => {
  const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', metadata: { name: 'k' } }
  const built: Written = ['packages/a/dns/kustomization.yaml', kustomization]
  const fleet = [gitRepositoryOf('a'), variantOf('a', 'dns'), ...renderedPackage('a', 'dns', [resourceOf('ConfigMap', 'x')]), built]
  const isBuilt = (per: 'package' | 'repository') => syncOf(fleet, { system: 'argocd', per }).deployments.map((each) => each.isBuilt)
  expect(isBuilt('package')).toEqual([true])
  expect(isBuilt('repository')).toEqual([false])
})

test('a fault of a Repository is reported once, however many packages it has', () => {
  const { results } = syncOf([gitRepositoryOf('a', { repo: '' }), variantOf('a', 'dns'), variantOf('a', 'shop')], flux)
  expect(results).toEqual([expect.stringContaining('spec.git.repo')])
})

test('options of the controllers are written as they are set, and left to the controllers otherwise', () => {
  const fleet = [gitRepositoryOf('a'), variantOf('a', 'dns')]
  const specOf = (options: TestOptions) => syncOf(fleet, options).objects.at(-1)?.spec
  expect(specOf({ system: 'flux', retryInterval: '2m', timeout: '5m', wait: false })).toMatchObject({
    retryInterval: '2m',
    timeout: '5m',
    wait: false,
  })
  expect(Object.keys(specOf({ system: 'flux' }) ?? {})).toEqual(['interval', 'path', 'prune', 'sourceRef', 'wait'])
  expect(specOf({ system: 'argocd', syncOptions: ['CreateNamespace=true'] })).toMatchObject({
    syncPolicy: { syncOptions: ['CreateNamespace=true'] },
  })
  expect(specOf({ system: 'argocd' })).toMatchObject({ syncPolicy: { automated: { prune: true, selfHeal: true } } })
})
