import { expect, test } from 'vitest'
import { type Package, packageTable } from '../package-index.ts'
import { type CrossplaneOptions, findKnownPackages, metadataOfPackage } from './known.ts'
import { checkPlatform, packageOfSource } from './requirements.ts'
import { catalogOf, collector, digest, READER } from './testing/objects.ts'

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
