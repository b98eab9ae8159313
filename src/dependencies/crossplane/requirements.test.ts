import { expect, test } from 'vitest'
import { type Package, packageTable } from '../package-index.ts'
import { type CrossplaneOptions, findKnownPackages, metadataOfPackage } from './known.ts'
import { readLock } from './objects.ts'
import { checkPlatform, packageOfSource, recordedRequirements } from './requirements.ts'
import { catalogOf, collector, digest, objectOf, READER } from './testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const SQL = 'xpkg.example.org/acme/sql'

/** Returns what is needed to read requirements, and the package HELM, whose versions are given. */
function setUp(versions: readonly object[], given: Partial<CrossplaneOptions> = {}) {
  const options: CrossplaneOptions = { crossplaneSemantics: 'current', ...given }
  const known = findKnownPackages([], catalogOf({ id: HELM, kind: 'Provider', versions }), options)
  const context = { reader: READER, table: packageTable(), known, collector: collector(), options }
  return { context, package: packageOfSource(HELM, context) }
}

/** Returns the requirements of the highest version. */
function requirementsOf(pkg: Package) {
  return pkg.known[0]?.requirements
}

/** Returns the result of the check on a version of HELM that runs on a range of Crossplane. */
function platform(crossplane: string, crossplaneVersion?: string) {
  const { context } = setUp([{ version: 'v1.0.0', constraints: { crossplane }, dependencies: [] }], { crossplaneVersion })
  const found = context.known.find(HELM, 'v1.0.0')
  const metadata = found && metadataOfPackage(found, context.collector)
  return checkPlatform({ source: HELM, name: 'helm', metadata }, context).map(({ severity, tags }) => [
    severity,
    tags.required,
    tags.installed,
  ])
}

test('only whole versions are known of a package, the highest first', () => {
  const { package: helm } = setUp(['v1.9.0', 'v1', 'v1.10.0', 'latest', digest('a')].map((version) => ({ version, dependencies: [] })))
  expect(helm.versions.map(({ text }) => text)).toEqual(['v1.10.0', 'v1.9.0'])
})

test('the ends of the range of Crossplane are in the range', () => {
  expect(platform('>=v1.14.0 <=v2.0.0', 'v1.14.0')).toEqual([])
  expect(platform('>=v1.14.0 <=v2.0.0', 'v2.0.0')).toEqual([])
  expect(platform('>=v1.14.0 <=v2.0.0', 'v2.0.1')).toEqual([[undefined, '>=v1.14.0 <=v2.0.0', 'v2.0.1']])
})

test('a range of Crossplane is only noted for a cluster whose release is not known, and a range that does not parse is left to its rule', () => {
  expect(platform('>=v1.14.0')).toEqual([['info', '>=v1.14.0', undefined]])
  expect(platform('>=v1.14.0', 'main')).toEqual([['info', '>=v1.14.0', undefined]])
  expect(platform('no range', 'v1.0.0')).toEqual([])
  expect(platform('no range')).toEqual([])
})

test('a version that would be installed requires its platform before its dependencies', () => {
  const versions = [{ version: 'v1.0.0', constraints: { crossplane: '>=v2.0.0' }, dependencies: [{ provider: SQL, version: '>=v1.0.0' }] }]
  const requirements = (crossplaneVersion?: string) =>
    requirementsOf(setUp(versions, { crossplaneVersion }).package)?.map((each) => (each.type === 'platform' ? each.met : each.type))
  expect(requirements('v2.0.0')).toEqual([true, 'package'])
  expect(requirements('v1.20.0')).toEqual([false, 'package'])
  expect(requirements()).toEqual(['package'])
})

test('a dependency on a digest has no range, and an empty constraint has neither', () => {
  const dependencies = [
    { provider: SQL, version: digest('b') },
    { provider: SQL, version: '' },
    { provider: SQL, version: '>=v1.0.0' },
  ]
  const found = requirementsOf(setUp([{ version: 'v1.0.0', dependencies }]).package) ?? []
  expect(found.map((each) => (each.type === 'package' ? [each.digest, each.range !== undefined] : each.type))).toEqual([
    [digest('b'), false],
    [undefined, false],
    [undefined, true],
  ])
})

test('requirements are unknown where only the existence of the version is known', () => {
  expect(requirementsOf(setUp([{ version: 'v1.0.0' }]).package)).toBeUndefined()
  expect(requirementsOf(setUp([{ version: 'v1.0.0', dependencies: [] }]).package)).toEqual([])
})

test('a requirement has its place at its range, and at the whole dependency where it has none', () => {
  const dependencies = [{ provider: SQL, version: '>=v1.0.0' }, { provider: SQL }]
  const found = requirementsOf(setUp([{ version: 'v1.0.0', dependencies }]).package) ?? []
  const above = ['value', 0, 'versions', 0, 'dependencies']
  expect(found.map(({ place }) => place.path)).toEqual([
    [...above, 0, 'version'],
    [...above, 1],
  ])
  expect(found).toMatchObject([{ package: { id: SQL }, optional: false, validateOnly: false }, { package: { id: SQL } }])
})

test('in the seed a definition is a kind that is required, and the range of Crossplane is no dependency', () => {
  const dependencies = [{ crd: 'charts.acme.org' }, { crossplane: '>=v0.11' }, { package: `${SQL} >=v1` }]
  const { package: helm } = setUp([{ version: 'v1.0.0', dependencies }], { crossplaneSemantics: 'seed' })
  expect(requirementsOf(helm)).toMatchObject([
    { type: 'gvk', wanted: { definition: 'charts.acme.org' }, optional: false },
    { type: 'package', range: { text: '>=v1' } },
  ])
})

test('the requirements that the Lock recorded have their places in the Lock, and without an entry there are none', () => {
  const { context } = setUp([])
  const dependencies = [
    { package: SQL, constraints: '>=v1.0.0' },
    { package: SQL, constraints: digest('a') },
  ]
  const packages = [{ name: 'helm-1', source: HELM, version: 'v1.0.0', dependencies }]
  const lock = objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, packages })
  const found = recordedRequirements(readLock([lock])[0], context)
  expect(
    found.map((each) => (each.type === 'package' ? [each.package.id, each.range?.text, each.digest, each.place.path] : each.type)),
  ).toEqual([
    [SQL, '>=v1.0.0', undefined, ['packages', 0, 'dependencies', 0]],
    [SQL, undefined, digest('a'), ['packages', 0, 'dependencies', 1]],
  ])
  expect(recordedRequirements(undefined, context)).toEqual([])
})

test('the range of Crossplane of a version that would be installed names the release of the cluster, but for the main branch', () => {
  const wants = (crossplaneVersion?: string) =>
    requirementsOf(setUp([{ version: 'v1.0.0', constraints: { crossplane: '>=v2.0.0' }, dependencies: [] }], { crossplaneVersion }).package)
  expect(wants('v1.20.0')).toMatchObject([{ wants: 'Crossplane ">=v2.0.0", and the cluster has v1.20.0', met: false, optional: false }])
  expect(wants('main')).toEqual([])
  expect(wants('no version')).toMatchObject([{ met: false }])
})

test('the finding on a platform names the package, the range and its place', () => {
  const messages = (crossplaneVersion?: string) => {
    const { context } = setUp([{ version: 'v1.0.0', constraints: { crossplane: '>=v2.0.0' } }], { crossplaneVersion })
    const found = context.known.find(HELM, 'v1.0.0')
    return checkPlatform({ source: HELM, name: 'helm', metadata: found && metadataOfPackage(found, context.collector) }, context)
  }
  expect(messages('v1.20.0')).toMatchObject([
    {
      rule: 'platform-incompatible',
      message: expect.stringMatching(/^helm requires Crossplane ">=v2\.0\.0" \(object\.yaml:\d+\), the cluster has v1\.20\.0$/),
      place: { path: ['value', 0, 'versions', 0, 'constraints', 'crossplane'] },
      tags: { ecosystem: 'crossplane', package: HELM },
    },
  ])
  expect(messages().map(({ message }) => message)).toEqual([
    expect.stringMatching(/; not checked, since `cluster\.crossplaneVersion` is not given$/),
  ])
  const { context } = setUp([{ version: 'v1.0.0' }], { crossplaneVersion: 'v1.20.0' })
  expect(checkPlatform({ source: HELM, name: 'helm', metadata: undefined }, context)).toEqual([])
})
