import { expect, test } from 'vitest'
import { isLock, isPackage, isSeedRevision, readCrossplaneMetadata, readCrossplanePackages, readLock, runsPackages } from './objects.ts'
import { digest, objectOf, packageObject } from './testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const SQL = 'xpkg.example.org/acme/sql'

const ofKind = (apiVersion: string, kind: string, rest: object = {}) => objectOf({ apiVersion, kind, metadata: { name: 'a' }, ...rest })

test.each([
  ['pkg.crossplane.io/v1', 'Provider', true],
  ['pkg.crossplane.io/v1', 'Configuration', true],
  ['pkg.crossplane.io/v1', 'Function', true],
  ['packages.crossplane.io/v1alpha1', 'Package', true],
  ['pkg.crossplane.io/v1', 'ProviderRevision', false],
  ['meta.pkg.crossplane.io/v1', 'Provider', false],
  ['helm.crossplane.io/v1', 'Provider', false],
])('a %s %s installs a package: %s', (apiVersion, kind, installs) => {
  expect(readCrossplanePackages([ofKind(apiVersion, kind, { spec: { package: HELM } })])).toHaveLength(installs ? 1 : 0)
})

test('an object without a reference is a patch, and installs nothing', () => {
  expect(readCrossplanePackages([ofKind('pkg.crossplane.io/v1', 'Provider', { spec: { revisionHistoryLimit: 1 } })])).toEqual([])
})

test('only true, which may be a text, leaves out the platform or the dependencies', () => {
  const flags = (spec: object) =>
    readCrossplanePackages([packageObject('helm', HELM, spec)]).map((each) => [each.ignoresPlatform, each.skipsDependencies])
  expect(flags({})).toEqual([[false, false]])
  expect(flags({ ignoreCrossplaneConstraints: true })).toEqual([[true, false]])
  expect(flags({ skipDependencyResolution: true })).toEqual([[false, true]])
  expect(flags({ ignoreCrossplaneConstraints: false, skipDependencyResolution: 'true' })).toEqual([[false, true]])
  expect(flags({ ignoreCrossplaneConstraints: 'yes', skipDependencyResolution: 1 })).toEqual([[false, false]])
})

test('the annotation of a metadata object names its package, and without the annotation the package is being written', () => {
  const reference = (annotations: object) =>
    readCrossplaneMetadata([
      objectOf({
        apiVersion: 'meta.pkg.crossplane.io/v1',
        kind: 'Provider',
        metadata: { name: 'helm', annotations },
        spec: { package: SQL },
      }),
    ]).map((each) => each.reference)
  expect(reference({ 'krm-variants.dev/package': `${HELM}:v1.0.0` })).toEqual([{ source: HELM, tag: 'v1.0.0', digest: '' }])
  expect(reference({})).toEqual([undefined])
})

test('a PackageRevision of the seed is the metadata of the package that it names, and a Project that of a Configuration', () => {
  const found = readCrossplaneMetadata([
    ofKind('packages.crossplane.io/v1alpha1', 'PackageRevision', { spec: { package: `${HELM}:v1.0.0` } }),
    ofKind('meta.dev.upbound.io/v1alpha1', 'Project'),
    ofKind('pkg.crossplane.io/v1', 'ProviderRevision', { spec: { package: `${SQL}:v1.0.0` } }),
  ])
  expect(found.map(({ reference, seedForms }) => [reference?.source, seedForms])).toEqual([
    [HELM, true],
    [undefined, false],
  ])
})

test('an entry of the Lock and a dependency of an entry without a source are left out', () => {
  const dependencies = [{ package: SQL, constraints: '>=v1.0.0', type: 'Provider' }, { constraints: '>=v2.0.0' }]
  const packages = [
    { name: 'helm-1', source: HELM, version: 'v1.0.0', dependencies },
    { name: 'lost', version: 'v1.0.0' },
  ]
  const found = readLock([ofKind('pkg.crossplane.io/v1beta1', 'Lock', { packages })])
  expect(found.map(({ name, version, dependencies: all }) => [name, version, all.map((each) => [each.source, each.constraint])])).toEqual([
    ['helm-1', 'v1.0.0', [[SQL, '>=v1.0.0']]],
  ])
})

test('a dependency in a PackageLock of the seed is a text of an image and a range with spaces', () => {
  const packages = [
    { name: 'helm', image: `${HELM}:v1.0.0`, dependencies: [`${SQL} >=v1.0.0 <v2.0.0`, SQL] },
    { name: 'sql', image: `${SQL}@${digest('a')}` },
  ]
  const found = readLock([ofKind('packages.crossplane.io/v1alpha1', 'PackageLock', { spec: { packages } })])
  expect(found.map(({ source, version }) => [source, version])).toEqual([
    [HELM, 'v1.0.0'],
    [SQL, digest('a')],
  ])
  expect(found[0]?.dependencies.map(({ source, constraint }) => [source, constraint])).toEqual([
    [SQL, '>=v1.0.0 <v2.0.0'],
    [SQL, ''],
  ])
})

test('a Lock has its packages beside the spec, and a Lock of another group is none', () => {
  const packages = [{ name: 'helm-1', source: HELM, version: 'v1.0.0' }]
  expect(readLock([ofKind('pkg.crossplane.io/v1beta1', 'Lock', { spec: { packages } })])).toEqual([])
  expect(readLock([ofKind('example.org/v1', 'Lock', { packages })])).toEqual([])
})

test.each([
  ['apps/v1', 'Deployment', true],
  ['v1', 'ServiceAccount', true],
  ['v1', 'Service', true],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', true],
  ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', true],
  ['serving.knative.dev/v1', 'Service', false],
  ['apps/v1', 'StatefulSet', false],
])('a %s %s is of a kind that runs packages: %s', (apiVersion, kind, runs) => {
  expect(runsPackages(ofKind(apiVersion, kind))).toBe(runs)
})

test.each([
  ['pkg.crossplane.io/v1beta1', 'Lock', 'a Lock'],
  ['packages.crossplane.io/v1alpha1', 'PackageLock', 'a Lock'],
  ['helm.crossplane.io/v1beta1', 'Lock', 'nothing'],
  ['packages.crossplane.io/v1alpha1', 'PackageRevision', 'a revision of the seed'],
  ['porch.kpt.dev/v1alpha1', 'PackageRevision', 'nothing'],
  ['pkg.crossplane.io/v1', 'ProviderRevision', 'nothing'],
  ['pkg.crossplane.io/v1', 'Provider', 'a package'],
  ['pkg.crossplane.io/v1beta1', 'Function', 'a package'],
  ['meta.pkg.crossplane.io/v1', 'Provider', 'nothing'],
])('a %s %s without fields is %s', (apiVersion, kind, expected) => {
  const object = ofKind(apiVersion, kind)
  const kinds = [isLock(object) && 'a Lock', isSeedRevision(object) && 'a revision of the seed', isPackage(object) && 'a package']
  expect(kinds.filter((each) => each !== false).join() || 'nothing').toBe(expected)
})
