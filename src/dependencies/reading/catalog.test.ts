import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { broughtBy, isCatalog, readCatalogEntries } from './catalog.ts'
import { fieldAt, itemFields } from './field.ts'

const holder = (value: unknown) =>
  KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'Holder', metadata: { name: 'a' }, value }))

/** Returns the versions of each entry, with the content that is used, and the versions in conflict. */
function entries(...value: readonly object[]) {
  const { packages, findings } = readCatalogEntries(itemFields(fieldAt(holder(value), ['value'])))
  return {
    versions: packages.map(({ versions }) => versions.map(({ version, field }) => [version, field.value])),
    conflicts: findings.map(({ tags, place }) => [tags.installed, place.path]),
  }
}

const shop = (versions: readonly unknown[], rest: object = {}) => ({ ecosystem: 'carvel', id: 'shop', versions, ...rest })

test('an entry without an ecosystem or an id is left out', () => {
  expect(entries({ id: 'shop', versions: ['1.0.0'] }, { ecosystem: 'carvel', versions: ['1.0.0'] }).versions).toEqual([])
})

test('of a version that is listed twice the first content counts, and other content is a conflict', () => {
  const [one, two] = [
    { version: '1.0.0', latest: 'a' },
    { version: '1.0.0', latest: 'b' },
  ]
  expect(entries(shop([one]), shop([two]))).toEqual({
    versions: [[['1.0.0', one]], []],
    conflicts: [['1.0.0', ['value', 1, 'versions', 0]]],
  })
  expect(entries(shop([one, one]))).toEqual({ versions: [[['1.0.0', one]]], conflicts: [] })
})

test('a version with content comes after its bare text, and a bare text after its content adds nothing', () => {
  const full = { version: '1.0.0', latest: 'a' }
  expect(entries(shop(['1.0.0', full]))).toEqual({
    versions: [
      [
        ['1.0.0', '1.0.0'],
        ['1.0.0', full],
      ],
    ],
    conflicts: [],
  })
  expect(entries(shop([full, '1.0.0']))).toEqual({ versions: [[['1.0.0', full]]], conflicts: [] })
})

test('a version must be named, but for the one version of a package of Glasskube', () => {
  const nameless = [{ version: null }, {}, { dependencies: [] }]
  expect(entries(shop(nameless)).conflicts.map(([, path]) => path)).toEqual(
    [0, 1, 2].map((key) => ['value', 0, 'versions', key, 'version']),
  )
  const { packages, findings } = readCatalogEntries(itemFields(fieldAt(holder([shop(nameless, { ecosystem: 'glasskube' })]), ['value'])))
  expect(packages.map(({ versions }) => versions.length)).toEqual([1])
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^shop is in the catalog twice/),
    expect.stringMatching(/^shop is in the catalog twice/),
  ])
})

test.each([{ namespace: 'eu' }, { repository: 'eu' }, { id: 'web' }, { ecosystem: 'glasskube' }])(
  'another package may have the version: %o',
  (other) => {
    const found = entries(shop([{ version: '1.0.0', a: 1 }]), shop([{ version: '1.0.0', a: 2 }], other))
    expect([found.versions.map(({ length }) => length), found.conflicts]).toEqual([[1, 1], []])
  },
)

test('a Catalog is of the group of the tool, in any version', () => {
  const is = (apiVersion: string, kind: string) =>
    isCatalog(KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata: { name: 'a' } })))
  expect([is('fn.krm-variants.dev/v1alpha1', 'Catalog'), is('fn.krm-variants.dev/v1', 'Catalog')]).toEqual([true, true])
  expect([is('example.org/v1', 'Catalog'), is('fn.krm-variants.dev/v1alpha1', 'Other')]).toEqual([false, false])
})

test('a version brings the objects that its catalog names', () => {
  const object = holder([{ kind: 'CustomResourceDefinition', name: 'a.example.org' }])
  const brought = broughtBy(fieldAt(object, ['value']), 'shop 1.0.0', 'shop')
  expect(brought.map((each) => [each.object, each.by, each.package])).toEqual([
    ['CustomResourceDefinition a.example.org', 'shop 1.0.0', 'shop'],
  ])
  expect(broughtBy(undefined, 'shop 1.0.0', 'shop')).toEqual([])
})
