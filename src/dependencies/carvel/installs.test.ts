import { expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { Collector } from '../reading/collector.ts'
import { installOwners, isPackageInstall, readPackageInstall } from './installs.ts'
import { linedObject, packageInstall } from './testing/objects.ts'

/** Returns a PackageInstall as it is read, and the messages on its form. */
function reading(object: KrmObject) {
  const collector = new Collector('carvel', rangeReader(DIALECTS.k14s), [])
  const install = readPackageInstall(object, collector)
  return { install, messages: collector.findings.map(({ message }) => message) }
}

const withDependencies = (dependencies: object) => reading(packageInstall('shop', 'shop.io', { spec: { dependencies } }))

test('a PackageInstall is of the packaging group', () => {
  const of = (apiVersion: string) => linedObject({ apiVersion, kind: 'PackageInstall', metadata: { name: 'a' } }, 'a.yaml')
  expect(isPackageInstall(of('packaging.carvel.dev/v1alpha1'))).toBe(true)
  expect(isPackageInstall(of('data.packaging.carvel.dev/v1alpha1'))).toBe(false)
})

test('a PackageInstall that names no package is reported and left out', () => {
  const { install, messages } = reading(packageInstall('shop', ''))
  expect([install, messages]).toEqual([undefined, ['`spec.packageRef.refName` must be set']])
})

test('a PackageInstall needs a selection of versions, which may be empty; a misspelt key is one fault', () => {
  const of = (spec: object) => {
    const metadata = { name: 'shop', namespace: 'default' }
    const object = linedObject({ apiVersion: 'packaging.carvel.dev/v1alpha1', kind: 'PackageInstall', metadata, spec }, 'shop.yaml')
    return reading(object).messages
  }
  expect(of({ packageRef: { refName: 'shop.io' } })).toEqual(['`spec.packageRef.versionSelection` must be set'])
  expect(of({ packageRef: { refName: 'shop.io', versionSelection: {} } })).toEqual([])
  expect(of({ packageRef: { refName: 'shop.io', versionselection: {} } })).toEqual([
    "`spec.packageRef.versionselection` is not a field of packageRef; did you mean 'versionSelection'?",
  ])
  expect(of({ packageRef: { refname: 'shop.io', versionSelection: {} } })).toEqual([
    "`spec.packageRef.refname` is not a field of packageRef; did you mean 'refName'?",
  ])
  expect(of({ packageref: { refName: 'shop.io' } })).toEqual(["`spec.packageref` is not a field of spec; did you mean 'packageRef'?"])
  expect(of({ packageRef: { name: 'shop.io' } })).toHaveLength(2)
})

test('no prereleases are chosen where the field is missing, and all where the field is empty', () => {
  const prereleases = (selection: object) => reading(packageInstall('shop', 'shop.io', { selection })).install?.ref.prereleases
  expect(prereleases({ constraints: '1.0.0' })).toBeUndefined()
  expect(prereleases({ prereleases: {} })).toEqual({ identifiers: [] })
  expect(prereleases({ prereleases: { identifiers: ['rc'] } })).toEqual({ identifiers: ['rc'] })
})

test.each([
  [{}, false],
  [{ install: true }, false],
  [{ install: false }, true],
  [{ managedBy: 'User' }, true],
  [{ managedBy: 'Auto' }, false],
  [{ install: true, managedBy: 'User' }, false],
])('of %o the dependencies are only validated: %s', (dependencies, validateOnly) => {
  expect(withDependencies(dependencies).install?.validateOnly).toBe(validateOnly)
})

test.each([
  ['1.0.0', '1.0.0', true],
  ['1.0.0', '2.0.0', false],
  ['2.0.0', '1.0.0', false],
])('an install that was resolved at %s and recorded at %s is generated at 1.0.0: %s', (resolved, recorded, generated) => {
  const record = JSON.stringify({ spec: { packageRef: { refName: 'shop.io', versionSelection: { constraints: recorded } } } })
  const annotations = { 'krm-variants.dev/resolved': resolved, 'krm-variants.dev/last-generated': record }
  const object = packageInstall('shop', 'shop.io', { selection: { constraints: '1.0.0' }, metadata: { annotations } })
  expect(reading(object).install?.generated).toBe(generated)
})

test('an override names its dependency by refName, else by name; one without either is reported', () => {
  const override = [{ refName: 'a.io', name: 'b' }, { name: 'b', install: false }, { install: false }, { refName: '', name: 'c' }]
  const { install, messages } = withDependencies({ override })
  expect(install?.overrides.map((each) => [each.name, each.install])).toEqual([
    ['a.io', undefined],
    ['b', false],
    ['c', undefined],
  ])
  expect(messages).toEqual(['`spec.dependencies.override[2].refName` must be set'])
})

test('values are for a refName or an alias, and need a Secret with a name', () => {
  const secretRef = { name: 'values' }
  const values = [
    { refName: 'a.io', secretRef },
    { alias: 'b', name: 'c', secretRef },
    { name: 'c', secretRef },
    { secretRef },
    { refName: 'd.io' },
    { refName: 'e.io', secretRef: { key: 'a' } },
    { refName: 'f.io', secretRef: 'values' },
  ]
  const { install, messages } = withDependencies({ values })
  expect(install?.values.map(({ alias, refName }) => [alias, refName])).toEqual([
    ['', 'a.io'],
    ['b', ''],
    ['c', ''],
    ['', 'e.io'],
  ])
  expect(messages).toEqual([
    expect.stringMatching(/^`spec\.dependencies\.values\[3\]` must have 'refName' or 'alias'/),
    '`spec.dependencies.values[4].secretRef` must be set',
    '`spec.dependencies.values[5].secretRef.name` must be set',
    "`spec.dependencies.values[6].secretRef` must be a map, got 'values'",
  ])
})

test('the owner of an install is a PackageInstall of its namespace', () => {
  const made = (name: string, owner: string, namespace = 'default') =>
    packageInstall(name, `${name}.io`, { metadata: { namespace, annotations: { 'kapp-controller.carvel.dev/owner': owner } } })
  const read = [
    packageInstall('shop', 'shop.io'),
    made('a', 'PackageInstall/shop'),
    made('b', 'PackageInstall/shop', 'eu'),
    made('c', 'App/shop'),
  ]
  const installs = read.flatMap((object) => reading(object).install ?? [])
  const owners = installOwners(installs, { removedInstalls: new Set(['eu/shop']) })
  expect(installs.map((each) => [each.owner, owners.ownerOf(each)?.name, owners.isKnown(each)])).toEqual([
    [undefined, undefined, false],
    ['shop', 'shop', true],
    ['shop', undefined, true],
    [undefined, undefined, false],
  ])
})
