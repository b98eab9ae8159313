import { expect, test } from 'vitest'
import type { CrossplaneOptions } from '../known.ts'
import { objectOf, packageObject, READER, revisionObject } from '../testing/objects.ts'
import { checkRemoved } from './removed.ts'

const current: CrossplaneOptions = { crossplaneSemantics: 'current' }
const ofKind = (apiVersion: string, kind: string, spec: object = {}) => objectOf({ apiVersion, kind, metadata: { name: 'a' }, spec })
const rulesOn = (object: ReturnType<typeof objectOf>, options: Partial<CrossplaneOptions> = {}) =>
  checkRemoved([object], { ...current, ...options }, READER).map(({ rule }) => rule)

test.each([
  ['v1.20.0', []],
  ['v2.0.0', ['kind-removed']],
  ['v2.4.0', ['kind-removed']],
  [undefined, ['kind-removed']],
  ['main', ['kind-removed']],
])('ControllerConfig is gone from v2.0 on: a cluster with %s', (crossplaneVersion, rules) => {
  expect(rulesOn(ofKind('pkg.crossplane.io/v1alpha1', 'ControllerConfig'), { crossplaneVersion })).toEqual(rules)
})

test('kinds of the seed are read under its semantics, and kinds that came before the seed are gone there too', () => {
  for (const kind of ['Package', 'PackageLock', 'PackageRevision'])
    for (const group of ['pkg.crossplane.io', 'packages.crossplane.io']) {
      expect(rulesOn(ofKind(`${group}/v1alpha1`, kind), { crossplaneSemantics: 'seed' })).toEqual([])
      expect(rulesOn(ofKind(`${group}/v1alpha1`, kind))).toEqual(['kind-removed'])
    }
  expect(rulesOn(ofKind('packages.crossplane.io/v1alpha1', 'PackageInstall'), { crossplaneSemantics: 'seed' })).toEqual(['kind-removed'])
})

test('a kind of the same name in another group is fine', () => {
  expect(rulesOn(ofKind('example.org/v1', 'ControllerConfig'))).toEqual([])
})

test('a field that is gone is reported on a package and on a revision, and on no other object', () => {
  expect(rulesOn(packageObject('helm', 'xpkg.example.org/acme/helm:v1.0.0', { controllerConfigRef: { name: 'a' } }))).toEqual([
    'field-removed',
  ])
  expect(rulesOn(revisionObject('helm', 'helm-1', { controllerConfigRef: { name: 'a' } }))).toEqual(['field-removed'])
  expect(rulesOn(ofKind('pkg.crossplane.io/v1beta1', 'Lock', { controllerConfigRef: { name: 'a' } }))).toEqual([])
  expect(rulesOn(ofKind('pkg.crossplane.io/v1', 'Provider', { package: 'a', packagePullPolicy: 'Always' }))).toEqual([])
})

test('a field is fine where the cluster still has the field', () => {
  const object = packageObject('helm', 'xpkg.example.org/acme/helm:v1.0.0', { controllerConfigRef: { name: 'a' } })
  expect(rulesOn(object, { crossplaneVersion: 'v1.20.0' })).toEqual([])
  expect(rulesOn(object, { crossplaneVersion: 'v2.0.0' })).toEqual(['field-removed'])
})
