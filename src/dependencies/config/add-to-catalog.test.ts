import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import type { JsonRecord, JsonValue } from '../../json.ts'
import { FunctionError } from '../../result.ts'
import { digest } from '../crossplane/testing/objects.ts'
import type { CatalogEntry } from '../reading/catalog.ts'
import { addToCatalog } from './add-to-catalog.ts'

const HELM = { ecosystem: 'crossplane', id: 'r.io/helm', kind: 'Provider' }
const A = digest('a')
const B = digest('b')

/** Returns an entry of helm v1.0.0 with some fields. */
function entryWith(fields: JsonRecord, more: Partial<CatalogEntry> = {}): CatalogEntry {
  return { ecosystem: 'crossplane', id: 'r.io/helm', version: 'v1.0.0', package: { kind: 'Provider' }, fields, ...more }
}

/** Returns a Catalog of some packages. */
function catalogOf(packages: readonly JsonRecord[] | undefined) {
  const spec = packages && { packages }
  return writtenObject(JSON.stringify({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'c' }, spec }))
}

/** Adds entries to a Catalog of some packages. Returns the effect of each, and the packages afterwards. */
function added(packages: readonly JsonRecord[] | undefined, ...entries: readonly CatalogEntry[]) {
  const catalog = catalogOf(packages)
  const changes = entries.map((entry) => addToCatalog(catalog, entry))
  return [...changes, catalog.get(['spec', 'packages'])]
}

const withVersions = (...versions: readonly JsonValue[]) => ({ ...HELM, versions: [...versions] })

test.each([
  ['without packages', undefined, []],
  ['with another package', [{ ...HELM, id: 'r.io/aws' }], [{ ...HELM, id: 'r.io/aws' }]],
  ['with a package of that id in another ecosystem', [{ ...HELM, ecosystem: 'glasskube' }], [{ ...HELM, ecosystem: 'glasskube' }]],
  ['with the package in another repository', [{ ...HELM, repository: 'mirror' }], [{ ...HELM, repository: 'mirror' }]],
])('a package is new in a Catalog %s', (_, packages, kept) => {
  expect(added(packages, entryWith({ digest: A }))).toEqual(['add', [...kept, withVersions({ version: 'v1.0.0', digest: A })]])
})

test('a package of a named repository is that of the same repository', () => {
  const entry = entryWith({}, { package: { repository: 'mirror' } })
  const [there, other] = [
    { ...HELM, repository: 'mirror', versions: [] },
    { ...HELM, versions: [] },
  ]
  expect(added([other, there], entry)).toEqual(['add', [other, { ...there, versions: ['v1.0.0'] }]])
})

test('a version of which only the existence is known is a text, and a package without versions has the fields alone', () => {
  expect(added([], entryWith({}))).toEqual(['add', [withVersions('v1.0.0')]])
  expect(added([], entryWith({ digest: A }, { version: '' }))).toEqual(['add', [withVersions({ digest: A })]])
})

test('a version is added behind the others, and a package without `versions` gets them', () => {
  expect(added([withVersions('v0.9.0')], entryWith({}))).toEqual(['add', [withVersions('v0.9.0', 'v1.0.0')]])
  expect(added([HELM], entryWith({ digest: A }))).toEqual(['add', [withVersions({ version: 'v1.0.0', digest: A })]])
})

test('the same again changes nothing', () => {
  const entry = entryWith({ digest: A, dependencies: [] })
  expect(added([], entry, entry)).toEqual(['add', 'same', [withVersions({ version: 'v1.0.0', digest: A, dependencies: [] })]])
  expect(added([withVersions('v1.0.0')], entryWith({}))).toEqual(['same', [withVersions('v1.0.0')]])
  const known = withVersions({ version: 'v1.0.0', digest: A })
  expect(added([known], entryWith({}))).toEqual(['same', [known]])
})

test('a text becomes a map when fields of the version are known', () => {
  expect(added([withVersions('v0.9.0', 'v1.0.0')], entryWith({ dependencies: [] }))).toEqual([
    'change',
    [withVersions('v0.9.0', { version: 'v1.0.0', dependencies: [] })],
  ])
})

test('fields are added and replaced, and fields that the entry does not have stay', () => {
  const there = withVersions({ version: 'v1.0.0', digest: A, scope: 'Cluster', dependencies: [{ provider: 'r.io/aws' }] })
  expect(added([there], entryWith({ dependencies: [], provides: [] }))).toEqual([
    'change',
    [withVersions({ version: 'v1.0.0', digest: A, scope: 'Cluster', dependencies: [], provides: [] })],
  ])
})

test('a version without a name is that of a package without versions', () => {
  const there = withVersions({ dependencies: [] })
  expect(added([there], entryWith({ dependencies: [], scope: 'Cluster' }, { version: '' }))).toEqual([
    'change',
    [withVersions({ dependencies: [], scope: 'Cluster' })],
  ])
})

test('fields of the package are set where they differ, whatever becomes of the version', () => {
  const entry = (fields: JsonRecord) => entryWith(fields, { package: { kind: 'Provider', latest: 'v1.0.0' } })
  const known = { version: 'v1.0.0', digest: A }
  const latest = (...versions: readonly JsonValue[]) => ({ ...withVersions(...versions), latest: 'v1.0.0' })
  expect(added([withVersions('v1.0.0')], entry({}))).toEqual(['change', [latest('v1.0.0')]])
  expect(added([withVersions('v0.9.0')], entry({}))).toEqual(['add', [latest('v0.9.0', 'v1.0.0')]])
  expect(added([withVersions(known)], entry({ digest: A }))).toEqual(['change', [latest(known)]])
  expect(added([{ ...withVersions(known), latest: 'v0.9.0' }], entry({}))).toEqual([
    'change',
    [{ ...withVersions(known), latest: 'v1.0.0' }],
  ])
  expect(added([latest(known)], entry({ digest: A }))).toEqual(['same', [latest(known)]])
})

test('a version is not published again with another digest: the Catalog stays as it is', () => {
  const catalog = catalogOf([withVersions('v0.9.0', { version: 'v1.0.0', digest: A })])
  const before = catalog.toText()
  const act = () => addToCatalog(catalog, entryWith({ digest: B, dependencies: [] }))
  expect(act).toThrow(FunctionError)
  expect(act).toThrow(
    `must be the digest of r.io/helm v1.0.0, ${B} was read; remove the version from the Catalog to add it with that digest [catalog-digest]`,
  )
  expect(act).toThrow('spec.packages[0].versions[1].digest')
  expect(catalog.toText()).toBe(before)
})

test('a version without a digest gets one', () => {
  expect(added([withVersions({ version: 'v1.0.0', dependencies: [] })], entryWith({ digest: A }))).toEqual([
    'change',
    [withVersions({ version: 'v1.0.0', dependencies: [], digest: A })],
  ])
})
