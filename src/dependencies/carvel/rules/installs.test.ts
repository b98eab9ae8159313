import { expect, test } from 'vitest'
import { carvelFindings, carvelMessages, packageInFile, packageInstall } from '../testing/objects.ts'

const APP = 'app.example.com'
const DB = 'db.example.com'
const VERSIONS = ['1.0.0', '1.10.0', '1.9.0'].map((version) => packageInFile(APP, version))
const app = (constraints: string, more: Parameters<typeof packageInstall>[2] = {}) =>
  packageInstall('app', APP, { selection: { constraints }, ...more })

test('an install that selects no version names what it wants and the versions there are, highest first', () => {
  expect(carvelMessages([...VERSIONS, app('>=2.0.0')])).toEqual([
    expect.stringMatching(
      /^no-version-available: PackageInstall default\/app selects no version of app\.example\.com ">=2\.0\.0": all=3 .*=0; there are 1\.10\.0, 1\.9\.0 and 1\.0\.0$/,
    ),
  ])
  expect(carvelMessages([packageInFile(APP, '1.0.0'), app('>=2.0.0')])).toEqual([expect.stringMatching(/; there is 1\.0\.0$/)])
  expect(carvelMessages([...VERSIONS, app('<=1.9.0')])).toEqual([])
})

test('a package of which no version is known is a fault only where every package is known', () => {
  expect(carvelMessages([app('1.0.0')], { closed: true })).toEqual([
    'no-version-available: PackageInstall default/app selects no version of app.example.com "1.0.0": no version of it is known',
  ])
  expect(carvelMessages([packageInstall('app', APP)], { closed: true })).toEqual([
    'no-version-available: PackageInstall default/app selects no version of app.example.com: no version of it is known',
  ])
  expect(carvelMessages([app('1.0.0')])).toEqual([])
})

test('where only prereleases match, the fix admits them and keeps the constraints', () => {
  const found = carvelFindings([packageInFile(APP, '1.0.0'), packageInFile(APP, '2.0.0-rc.1'), app('>=1.5.0')])
  expect(found.map(({ rule }) => rule)).toEqual(['no-version-available', 'prerelease-not-selected'])
  expect(found[1]?.message).toContain('only prereleases match, such as 2.0.0-rc.1')
  expect(found[1]?.proposedValue).toEqual({ constraints: '>=1.5.0', prereleases: {} })
  expect(carvelMessages([packageInFile(APP, '2.0.0-rc.1'), app('>=3.0.0')])).toHaveLength(1)
})

test('a version that does not run on the cluster is reported at its range, and not as missing', () => {
  const both = { kubernetesVersionSelection: { constraints: '>=1.30.0' }, kappControllerVersionSelection: { constraints: '>=0.50.0' } }
  const found = (kubernetesVersion: string, kappControllerVersion: string) =>
    carvelFindings([packageInFile(APP, '1.0.0', both), app('1.0.0')], { kubernetesVersion, kappControllerVersion }).map(
      ({ rule, message, place, tags }) => [rule, message.replace(/: all=.*/, ''), place.path.join('.'), tags.required, tags.installed],
    )
  expect(found('1.29.0', '0.50.0')).toEqual([
    [
      'platform-incompatible',
      'app.example.com 1.0.0 requires Kubernetes ">=1.30.0" (app.example.com.1.0.0.yaml:13), the cluster has 1.29.0',
      'spec.kubernetesVersionSelection.constraints',
      '>=1.30.0',
      '1.29.0',
    ],
  ])
  expect(found('1.30.0', '0.49.0').map(([, , path, , installed]) => [path, installed])).toEqual([
    ['spec.kappControllerVersionSelection.constraints', '0.49.0'],
  ])
  expect(found('1.30.0', '0.50.0')).toEqual([])
})

test('a range of a platform whose version is not given is noted, unless the install ignores the range', () => {
  const limited = packageInFile(APP, '1.0.0', { kubernetesVersionSelection: { constraints: '>=1.30.0' } })
  expect(carvelFindings([limited, app('1.0.0')]).map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
    ['platform-incompatible', 'info', expect.stringMatching(/; not checked, since `cluster\.kubernetesVersion` is not given$/)],
  ])
  const annotations = { 'packaging.carvel.dev/ignore-kubernetes-version-selection': '' }
  expect(carvelMessages([limited, app('1.0.0', { metadata: { annotations } })])).toEqual([])
})

// packageinstall_downgrade_test.go of kapp-controller.
test('a version below the last one that was tried is not installed without the annotation', () => {
  const found = (lastAttemptedVersion: string, annotations = {}) =>
    carvelFindings([...VERSIONS, app('<=1.9.0', { metadata: { annotations }, status: { lastAttemptedVersion } })])
  expect(found('1.10.0').map(({ rule, message, place }) => [rule, message, place.path.join('.')])).toEqual([
    [
      'downgrade-blocked',
      'PackageInstall default/app would select app.example.com 1.9.0, and 1.10.0 was installed last: annotate it packaging.carvel.dev/downgradable: ""',
      'metadata.annotations',
    ],
  ])
  expect([found('1.9.0'), found('1.0.0'), found(''), found('1.10.0', { 'packaging.carvel.dev/downgradable': '' })]).toEqual([
    [],
    [],
    [],
    [],
  ])
})

const DEPENDENCIES = [
  { package: { refName: DB, version: '<2.0.0' }, name: 'store' },
  { or: [{ package: { refName: 'a.example.com', version: '>=1.0.0' } }, { package: { refName: 'b.example.com' } }] },
  { gvk: { apiVersion: 'example.com/v1', kind: 'Site' } },
]
const KNOWN_DB = ['1.0.0', '2.0.0'].map((version) => packageInFile(DB, version))

/** Returns the findings about options of an install whose package has dependencies. */
function options(dependencies: object): readonly string[] {
  return carvelMessages([
    packageInFile(APP, '1.0.0', { dependencies: DEPENDENCIES }),
    ...KNOWN_DB,
    app('1.0.0', { spec: { dependencies } }),
  ])
}

const override = (refName: string, constraints?: string) => ({ refName, ...(constraints && { versionSelection: { constraints } }) })

test('an override of a package that is no dependency is suspect, also by the name in the list and among alternatives', () => {
  expect(options({ override: ['dbs.example.com', 'store', 'b.example.com'].map((name) => override(name)) })).toEqual([
    'override-suspect: `spec.dependencies.override[0]` names "dbs.example.com", which is no dependency of the package; did you mean \'db.example.com\'?',
  ])
})

test('of two overrides of one dependency the first is used', () => {
  expect(options({ override: [override('b.example.com'), override('store'), override(DB)] })).toEqual([
    'override-suspect: `spec.dependencies.override[2]` is a second override of db.example.com; `override[1]` is used',
  ])
})

test('an override may not leave the range of the author: the highest known version that it admits counts, else its own', () => {
  expect(options({ override: [override(DB, '>=1.0.0')] })).toEqual([
    'override-suspect: `spec.dependencies.override[0]` asks for db.example.com ">=1.0.0", 2.0.0, which is outside the range "<2.0.0" (app.example.com.1.0.0.yaml:16) of the package\'s author',
  ])
  expect(options({ override: [override(DB, '3.0.0')] })).toEqual([expect.stringContaining('"3.0.0", 3.0.0, which is outside')])
  expect(options({ override: [override(DB, '<=1.0.0')] })).toEqual([])
  expect(options({ override: [override(DB, '>=9.0.0')] })).toEqual([])
  expect(options({ override: [override('b.example.com', '9.0.0')] })).toEqual([])
})

test('values are for a dependency by its refName, or by its alias alone', () => {
  const values = (...given: readonly object[]) => options({ values: given.map((each) => ({ ...each, secretRef: { name: 's' } })) })
  expect(values({ refName: DB }, { alias: 'store' }, { refName: 'a.example.com' })).toEqual([])
  expect(values({ refName: 'dbs.example.com' }, { alias: 'stor', refName: DB })).toEqual([
    'values-unused: `spec.dependencies.values[0]` has values for "dbs.example.com", which is no dependency of the package; did you mean \'db.example.com\'?',
    'values-unused: `spec.dependencies.values[1]` has values for "stor", which is no alias of a dependency of the package; did you mean \'store\'?',
  ])
})

test('options of a package whose dependencies are not known are not judged', () => {
  expect(carvelMessages([app('1.0.0', { spec: { dependencies: { override: [override('x.example.com')] } } })])).toEqual([])
})

const single = (type: string) => [packageInFile(APP, '1.0.0', { installationType: type }), packageInFile(APP, '2.0.0')]
const installed = (name: string, constraints = '1.0.0', namespace = 'default') =>
  packageInstall(name, APP, { selection: { constraints }, metadata: { namespace } })

test('a package that is onePerNamespace or onePerCluster is installed once', () => {
  expect(carvelMessages([...single('onePerNamespace'), installed('b'), installed('a')])).toEqual([
    'installation-type: app.example.com is onePerNamespace, and installed by PackageInstall default/a 1.0.0 (a.yaml:10) and PackageInstall default/b 1.0.0 (b.yaml:10)',
  ])
  expect(carvelMessages([...single('onePerCluster'), installed('a'), installed('b')])).toEqual([
    expect.stringMatching(/^installation-type: app\.example\.com is onePerCluster, and installed by PackageInstall default\/a/),
  ])
  expect(carvelMessages([...single('noRestrictions'), installed('a'), installed('b')])).toEqual([])
  expect(carvelMessages([...single('onePerCluster'), installed('a')])).toEqual([])
})

test('the type of the version of one install restricts the other installs too', () => {
  expect(carvelMessages([...single('onePerCluster'), installed('a', '2.0.0'), installed('b')])).toHaveLength(1)
  expect(carvelMessages([...single('onePerNamespace'), installed('a'), installed('b', '2.0.0')])).toEqual([
    expect.stringContaining(
      'is onePerNamespace, and installed by PackageInstall default/a 1.0.0 (a.yaml:10) and PackageInstall default/b 2.0.0',
    ),
  ])
  expect(carvelMessages([...single('onePerNamespace'), installed('a', '2.0.0'), installed('b')])).toHaveLength(1)
  expect(carvelMessages([...single('onePerCluster'), installed('a', '2.0.0'), installed('b', '2.0.0')])).toEqual([])
  expect(carvelMessages([...single('onePerCluster'), installed('a', '2.0.0'), installed('b', '2.0.0'), installed('c')])).toHaveLength(1)
})

test('each further install is compared with the first one, and may select no version itself', () => {
  const found = carvelFindings([...single('onePerCluster'), installed('a'), installed('b', '9.0.0'), installed('c')])
  const conflicts = found.filter(({ rule }) => rule === 'installation-type')
  expect(conflicts.map(({ message, tags }) => [message.replace(/^.*installed by /, ''), tags.installed])).toEqual([
    ['PackageInstall default/a 1.0.0 (a.yaml:10) and PackageInstall default/b (b.yaml:10)', ''],
    ['PackageInstall default/a 1.0.0 (a.yaml:10) and PackageInstall default/c 1.0.0 (c.yaml:10)', '1.0.0'],
  ])
})

test('installs of another namespace are excluded by onePerCluster alone', () => {
  const inEach = (type: string) =>
    carvelMessages([
      ...['default', 'other'].map((namespace) => packageInFile(APP, '1.0.0', { installationType: type }, { namespace })),
      installed('a'),
      installed('b', '1.0.0', 'other'),
    ])
  expect(inEach('onePerCluster')).toHaveLength(1)
  expect(inEach('onePerNamespace')).toEqual([])
})
