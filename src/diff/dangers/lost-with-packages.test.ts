import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { bothLost, describeLost, LostWithPackages } from './lost-with-packages.ts'
import type { NamedPackage } from './package-dangers.ts'
import { judgedObject } from './testing/judged-changes.ts'

const CATALOG = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
metadata: {name: c}
spec:
  packages:
  - ecosystem: carvel
    id: kinds
    versions:
    - version: 1.9.0
      provides: [{apiVersion: g/v1, kind: Old}]
    - version: 1.10.0
      provides: [{apiVersion: g/v1, kind: A}, {apiVersion: g/v2, kind: A}, {apiVersion: h/v1, kind: B}]
    - version: 2.0.0
      provides: [{apiVersion: g/v1, kind: New}]
    - version: 1.0.0
  - ecosystem: carvel
    id: groups
    versions:
    - version: 1.0.0
      brings:
      - {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, name: as.g}
      - {apiVersion: apiextensions.crossplane.io/v1, kind: CompositeResourceDefinition, name: bs.h.example.org}
      - {apiVersion: v1, kind: ConfigMap, name: other.i}
    - version: 2.0.0
      brings: [{apiVersion: apiextensions.crossplane.io/v2, kind: ManagedResourceDefinition, name: as.g}]
      provides: [{apiVersion: g/v1, kind: A}, {apiVersion: g/v1, kind: Old}]
  - ecosystem: crossplane
    id: other
    versions: [{version: v1.0.0, provides: []}]
`
const objects = ['g/v1 A', 'g/v3 A', 'g/v1 Old', 'g/v1 New', 'h/v1 B', 'h/v1 A', 'h.example.org/v1 X', 'i/v1 ConfigMap', 'v1 A'].map(
  (kind) => judgedObject(kind),
)

const named = (name: string, version: string, ecosystem: NamedPackage['ecosystem'] = 'carvel'): NamedPackage => ({
  ecosystem,
  nameField: '',
  name,
  versionField: '',
  version,
  dialect: ecosystem === 'carvel' ? DIALECTS.k14s : DIALECTS.m350,
})
const catalogs = (text = CATALOG) => new LostWithPackages([KrmObject.fromDocument(text, { path: 'c.yaml', index: 0, line: 1 })])
const NOTHING_KNOWN = { definitions: undefined, objects: 0 }

test.each([
  // The version of the same text, of several kinds: two versions of one kind are one definition.
  [named('kinds', '1.10.0'), { definitions: 2, objects: 3 }],
  [named('kinds', '1.9.0'), { definitions: 1, objects: 1 }],
  // The highest version in the range, not the last that is listed.
  [named('kinds', '<2.0.0'), { definitions: 2, objects: 3 }],
  [named('kinds', '>=1.0.0'), { definitions: 1, objects: 1 }],
  [named('kinds', '>2.0.0'), NOTHING_KNOWN],
  [named('kinds', 'no range'), NOTHING_KNOWN],
  // A version that lists nothing says nothing.
  [named('kinds', '1.0.0'), NOTHING_KNOWN],
  // Without kinds, the groups of the definitions count; with both, the kinds.
  [named('groups', '1.0.0'), { definitions: 2, objects: 5 }],
  [named('groups', '2.0.0'), { definitions: 1, objects: 3 }],
  // Another name, or the same in another ecosystem.
  [named('absent', '1.0.0'), NOTHING_KNOWN],
  [named('kinds', '1.10.0', 'crossplane'), NOTHING_KNOWN],
  [named('other', 'v1.0.0', 'crossplane'), { definitions: 0, objects: 0 }],
])('with %j goes %j', (installed, lost) => {
  expect(catalogs().of(installed, objects)).toEqual(lost)
})

test('objects that are no Catalogs list nothing', () => {
  expect(catalogs(CATALOG.replace('kind: Catalog', 'kind: Other')).of(named('kinds', '1.10.0'), objects)).toEqual(NOTHING_KNOWN)
  expect(new LostWithPackages([]).of(named('kinds', '1.10.0'), objects)).toEqual(NOTHING_KNOWN)
})

test('several clusters lose the same definitions, and the objects of each', () => {
  const known = { definitions: 2, objects: 3 }
  expect(bothLost(known, { definitions: 2, objects: 4 })).toEqual({ definitions: 2, objects: 7 })
  expect(bothLost(NOTHING_KNOWN, known)).toEqual(known)
  expect(bothLost(known, NOTHING_KNOWN)).toEqual(known)
  expect(bothLost({ definitions: 0, objects: 0 }, known)).toEqual({ definitions: 0, objects: 3 })
})

test.each([
  [NOTHING_KNOWN, 'no Catalog of the fleet lists what it brings'],
  [{ definitions: 0, objects: 0 }, '0 definitions, and 0 objects of their kinds in the fleet'],
  [{ definitions: 1, objects: 12 }, '1 definition, and 12 objects of its kind in the fleet'],
  [{ definitions: 3, objects: 1 }, '3 definitions, and 1 object of their kinds in the fleet'],
])('%j in words is "%s"', (lost, text) => {
  expect(describeLost(lost)).toBe(text)
})
