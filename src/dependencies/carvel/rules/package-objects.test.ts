import { expect, test } from 'vitest'
import { carvelFindings, carvelMessages, linedObject, packageInFile, packageInstall } from '../testing/objects.ts'
import { packageNameFaults, packageVersionFaults, qualifiedNameFaults } from './package-objects.ts'

const APP = 'app.example.com'
const parse = (text: string) => (/^\d/.test(text) ? ({ ok: true, value: text } as const) : ({ ok: false, error: 'x'.repeat(300) } as const))

// kapp-controller validation, validateFullyQualifiedName.
test.each([
  ['app.example.com', true],
  ['0.a-b.c9', true],
  [`${'a'.repeat(250)}.b.c`.slice(-253), true],
  [`${'a'.repeat(250)}.b.c`, false],
  ['example.com', false],
  ['app.Example.com', false],
  ['app..example.com', false],
  ['-app.example.com', false],
  ['app-.example.com', false],
  ['app.example.com.', false],
  ['', false],
])('%s is a DNS name of three segments: %s', (name, isQualified) => {
  expect(qualifiedNameFaults(name, ['spec', 'refName']).length === 0).toBe(isQualified)
})

test('the name of a Package is its refName and its version, which the fix writes', () => {
  const fault = {
    path: ['metadata', 'name'],
    message: 'must be refName and version, "a.b.c.1.0.0", got "a.b.c"',
    proposedValue: 'a.b.c.1.0.0',
  }
  expect(packageNameFaults({ name: 'a.b.c', refName: 'a.b.c', version: '1.0.0' })).toEqual([fault])
  expect(packageNameFaults({ name: 'a.b.c.1.0.0', refName: 'a.b.c', version: '1.0.0' })).toEqual([])
})

test('the fault of a version has the words of the library, shortened', () => {
  expect(packageVersionFaults('1', parse)).toEqual([])
  expect(packageVersionFaults('v1', parse)).toEqual([
    { path: ['spec', 'version'], message: `must be a version such as 1.2.3, got "v1": ${'x'.repeat(200)}…` },
  ])
})

test('every fault of a Package is reported at its field', () => {
  const faulty = packageInFile('app.com', 'v1', {}, { name: 'other' })
  expect(
    carvelFindings([faulty]).map(({ rule, place, tags, proposedValue }) => [
      rule,
      place.path.join('.'),
      `${tags.ecosystem} ${tags.package}`,
      proposedValue,
    ]),
  ).toEqual([
    ['package-name-invalid', 'metadata.name', 'carvel app.com', 'app.com.v1'],
    ['package-name-invalid', 'spec.refName', 'carvel app.com', undefined],
    ['package-name-invalid', 'spec.version', 'carvel app.com', undefined],
  ])
  expect(carvelMessages([packageInFile(APP, '1.0.0')])).toEqual([])
})

test('a PackageMetadata has a name of three segments', () => {
  const metadataOf = (name: string) =>
    linedObject({ apiVersion: 'data.packaging.carvel.dev/v1alpha1', kind: 'PackageMetadata', metadata: { name } }, 'm.yaml')
  expect(carvelFindings([metadataOf('app.com')]).map(({ rule, place, tags }) => [rule, place.path.join('.'), tags.package])).toEqual([
    ['package-name-invalid', 'metadata.name', 'app.com'],
  ])
  expect(carvelMessages([metadataOf(APP)])).toEqual([])
})

test('two Packages of one name in one namespace must be equal, unless an annotation says which one counts', () => {
  const again = (spec: object, metadata: object = {}) =>
    carvelFindings([packageInFile(APP, '1.0.0'), packageInFile(APP, '1.0.0', spec, metadata)])
  expect(
    again({ releaseNotes: 'x' }).map(({ rule, message, place, tags }) => [rule, message, place.path, tags.package, tags.installed]),
  ).toEqual([
    [
      'package-conflicting',
      'Package default/app.example.com.1.0.0 exists twice, with different content; the first (app.example.com.1.0.0.yaml:5) is used, unless the annotation packaging.carvel.dev/revision says which',
      [],
      APP,
      '1.0.0',
    ],
  ])
  expect(again({})).toEqual([])
  expect(again({ releaseNotes: 'x' }, { namespace: 'other' })).toEqual([])
  expect(again({ releaseNotes: 'x' }, { annotations: { 'packaging.carvel.dev/revision': '1.0.0' } })).toEqual([])
})

test('a field below a version selection was indented too far: without a template the Package lacks it', () => {
  const messageOf = (spec: object) =>
    carvelMessages([packageInFile(APP, '1.0.0', { kubernetesVersionSelection: { template: {} }, ...spec })])
  expect(messageOf({})).toEqual([
    'unknown-field: `spec.kubernetesVersionSelection.template` is no field of a Package: the API server drops it; `constraints` is the only field there',
  ])
  expect(messageOf({ template: undefined })).toEqual([
    expect.stringContaining('is no field of a Package, and the Package has no `spec.template`: the'),
  ])
})

test('misspelt keys of a Package are faults, as their values would be ignored', () => {
  const found = carvelFindings([packageInFile(APP, '1.0.0', { dependancies: [], provide: [], installationTypes: 'onePerCluster' })])
  expect(found.map(({ rule, place, message }) => [rule, place.path.at(-1), /did you mean '(\w+)'/.exec(message)?.[1]])).toEqual([
    ['dependency-form-invalid', 'dependancies', 'dependencies'],
    ['dependency-form-invalid', 'provide', 'provides'],
    ['dependency-form-invalid', 'installationTypes', 'installationType'],
  ])
  const beside = {
    dependancies: [],
    dependencies: [],
    provide: [],
    provides: [],
    installationTypes: '',
    installationType: 'noRestrictions',
  }
  expect(carvelMessages([packageInFile(APP, '1.0.0', beside)])).toEqual([])
})

test.each(['onePerCluster', 'onePerNamespace', 'noRestrictions'])('%s is an installationType', (installationType) => {
  expect(carvelMessages([packageInFile(APP, '1.0.0', { installationType })])).toEqual([])
})

test('any other installationType is a fault', () => {
  const [found] = carvelFindings([packageInFile(APP, '1.0.0', { installationType: 'onePerclusters' })])
  expect([found?.rule, found?.place.path.join('.')]).toEqual(['dependency-form-invalid', 'spec.installationType'])
})

/** Returns the constraints that do not parse, each with its field and the package and dependency that it is about. */
const wrong = (...objects: Parameters<typeof carvelFindings>[0]) =>
  carvelFindings(objects)
    .filter(({ rule }) => rule === 'constraint-invalid')
    .map(({ place, tags }) => [`${place.ref.name} ${place.path.join('.')}`, tags.package, tags.dependency])

test('each constraint of a Package must parse, in every form and among alternatives, whether or not it is installed', () => {
  const spec = {
    kubernetesVersionSelection: { constraints: 'one' },
    kappControllerVersionSelection: { constraints: 'two' },
    dependencies: [
      { package: { refName: 'a.example.com', version: 'three' } },
      {
        or: [
          { packageRef: { refName: 'b.example.com', versionSelection: { constraints: 'four' } } },
          { gvk: { apiVersion: 'v1', kind: 'A' } },
        ],
      },
      { package: { refName: 'c.example.com' } },
    ],
  }
  expect(wrong(packageInFile(APP, '1.0.0', spec))).toEqual([
    [`${APP}.1.0.0 spec.kubernetesVersionSelection.constraints`, APP, undefined],
    [`${APP}.1.0.0 spec.kappControllerVersionSelection.constraints`, APP, undefined],
    [`${APP}.1.0.0 spec.dependencies.0.package.version`, APP, 'a.example.com'],
    [`${APP}.1.0.0 spec.dependencies.1.or.0.packageRef.versionSelection.constraints`, APP, 'b.example.com'],
  ])
})

test('a second Package of one version is no other package: only its keys are checked', () => {
  const broken = (version: string, dependency: string) =>
    packageInFile(APP, version, { dependencies: [{ package: { refName: dependency, version: 'three' } }] })
  const found = wrong(broken('1.0.0', 'a.example.com'), broken('1.0.0', 'second.example.com'), broken('2.0.0', 'b.example.com'))
  expect(found.map(([, , dependency]) => dependency)).toEqual(['a.example.com', 'b.example.com'])
})

test('the constraints of an install and of its overrides must parse', () => {
  const overrides = [{ refName: 'a.example.com', versionSelection: { constraints: 'two' } }, { refName: 'b.example.com' }]
  const install = packageInstall('app', APP, { selection: { constraints: 'one' }, spec: { dependencies: { override: overrides } } })
  expect(wrong(install)).toEqual([
    ['app spec.packageRef.versionSelection.constraints', undefined, APP],
    ['app spec.dependencies.override.0.versionSelection.constraints', undefined, 'a.example.com'],
  ])
  expect(wrong(packageInstall('app', APP), packageInstall('b', APP, { selection: { constraints: '' } }))).toEqual([])
})

test.each([
  ['imgpkgBundle', 'tagSelection'],
  ['image', 'tagSelection'],
  ['git', 'refSelection'],
])('the range of a %s that a PackageRepository fetches must parse', (source, key) => {
  const repository = (constraints: string, kind = 'PackageRepository') =>
    linedObject(
      {
        apiVersion: 'packaging.carvel.dev/v1alpha1',
        kind,
        metadata: { name: 'r' },
        spec: { fetch: { [source]: { [key]: { semver: { constraints } } } } },
      },
      'r.yaml',
    )
  expect(wrong(repository('one'))).toEqual([[`r spec.fetch.${source}.${key}.semver.constraints`, 'r', undefined]])
  expect([wrong(repository('')), wrong(repository('>=1.0.0')), wrong(repository('one', 'Other'))]).toEqual([[], [], []])
})
