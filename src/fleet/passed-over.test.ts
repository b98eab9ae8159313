import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { passedOverObjects, passedOverWarnings, selectableObjects } from './passed-over.ts'
import { resourceListOf } from './testing/fleet-of-objects.ts'

const SET = (kind: string) => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha2',
  kind: 'PackageVariantSet',
  metadata: { name: 's' },
  spec: { targets: [{ objectSelector: { apiVersion: 'example.com/v1', kind, matchLabels: { env: 'prod' } } }] },
})

const misread = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: 'a', labels: { env: 7 } } })

/** Returns the kinds of the objects because of which a package must not be removed. */
function guardedBy(...objects: readonly JsonRecord[]): readonly (string | undefined)[] {
  const change = { what: 'packages', removed: new Map([['ber/web', 'ber/web']]), kept: [], options: DEFAULT_OPTIONS } as const
  return passedOverObjects(resourceListOf(objects), change).map(({ resourceRef }) => resourceRef?.kind)
}

test('a misread label counts in objects of a fleet, and in those of kinds by which a set selects', () => {
  const site = misread('example.com/v1', 'Site')
  const repository = misread('config.porch.kpt.dev/v1alpha1', 'Repository')
  expect(guardedBy(SET('Site'), site)).toEqual(['Site'])
  expect(guardedBy(SET('Region'), site, repository)).toEqual(['Repository'])
})

test('a Repository in another group of a fleet counts, once', () => {
  const repository = (apiVersion: string) => ({ apiVersion, kind: 'Repository', metadata: { name: 'a' } })
  expect(guardedBy(repository('kpt.dev/v1'))).toEqual(['Repository'])
  expect(guardedBy(repository('fn.krm-variants.dev/v1alpha1'))).toEqual(['Repository'])
})

test('a misread label of any kind counts without a set, as the set may be a functionConfig', () => {
  expect(guardedBy(misread('example.com/v1', 'Site'))).toEqual(['Site'])
})

test('an object that the fleet passes over is a warning, though nothing is taken away', () => {
  const object = (apiVersion: string | undefined, kind: string | undefined, more: JsonRecord = {}) => ({
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: { name: 'a' },
    ...more,
  })
  const repository = object('config.porch.kpt.dev/v1alpha1', 'Repository')
  const warnings = (...objects: readonly JsonRecord[]) =>
    passedOverWarnings(resourceListOf([SET('Site'), ...objects])).map(({ severity, field, message }) => [
      severity,
      field?.path.join('.'),
      message,
    ])
  const unset = (field: string) => ['warning', field, `\`${field}\` must be set, so it is passed over`]
  expect(warnings(object(undefined, 'Repository'), object(undefined, 'Site'))).toEqual([unset('apiVersion'), unset('apiVersion')])
  expect(warnings(object('config.porch.kpt.dev/v1alpha1', undefined))).toEqual([unset('kind')])
  const version = (got: string) => [
    'warning',
    'apiVersion',
    `\`apiVersion\` must be 'config.porch.kpt.dev/v1alpha1', got '${got}', so it is passed over`,
  ]
  expect(warnings(object('config.porch.kpt.dev/v1alpha9', 'Repository'), object('v1', 'Repository'))).toEqual([
    version('config.porch.kpt.dev/v1alpha9'),
    version('v1'),
  ])
  expect(
    warnings(object('kpt.dev/v1', 'Repository'), object('kpt.dev/v1', 'Kptfile'), object('porch.kpt.dev/v1alpha1', 'Repository')),
  ).toEqual([version('kpt.dev/v1'), version('porch.kpt.dev/v1alpha1')])
  expect(warnings({ apiVersion: 'v1', kind: 'List', items: [repository] })).toEqual([
    ['warning', 'kind', expect.stringContaining("must be a document of its own behind '---'")],
  ])
  for (const clusters of [{ a: repository }, [repository], { eu: { a: object('example.com/v1', 'Site') } }])
    expect(warnings({ title: 'ours', clusters })).toEqual([
      ['warning', 'clusters', expect.stringContaining('`clusters` must not hold objects of a fleet, each of which must be a document')],
    ])
  expect(warnings({ clusters: { a: object('v1', 'Namespace') } }, { patches: [{ target: { kind: 'Repository', name: 'a' } }] })).toEqual([])
  // A patch, values and objects of others are none of a fleet.
  expect(warnings(repository, object(undefined, undefined), object(undefined, 'Deployment'), object('v1', undefined))).toEqual([])
})

const OF_NO_FLEET = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
const UNTYPED = { kind: 'Repository', metadata: { name: 'ber' } }

/** Returns the messages of the errors when packages would be removed, or variants made. */
function messagesOf(
  objects: readonly JsonRecord[],
  removed: readonly string[],
  made?: readonly string[],
  what: 'packages' | 'variants' = 'packages',
) {
  const change = {
    what,
    removed: new Map(removed.map((name) => [name, name])),
    kept: [],
    options: DEFAULT_OPTIONS,
    ...(made && { made: new Set(made) }),
  }
  return passedOverObjects(resourceListOf(objects), change).map(({ severity, message }) => `${severity}: ${message}`)
}

test('an object that is passed over is an error that names what would be removed, at most three of these', () => {
  expect(messagesOf([UNTYPED], ['ber/web'])).toEqual([
    'error: `apiVersion` must be set, so it is passed over; it may declare what wants the packages that would be removed (ber/web): correct it, or name the file in the .krmignore at the top of the folder, by its path from there',
  ])
  expect(messagesOf([UNTYPED], ['a', 'b', 'c', 'd'], [], 'variants')).toEqual([
    expect.stringContaining('wants the variants that would be removed (a, b, c and 1 more)'),
  ])
  expect(messagesOf([OF_NO_FLEET], ['ber/web'])).toEqual([])
})

test('where nothing is removed or made, nothing is an error', () => {
  expect(messagesOf([UNTYPED], [])).toEqual([])
  expect(messagesOf([UNTYPED], [], [])).toEqual([])
})

test('where variants are made alone, an object that is passed over is an error if it has the name of one', () => {
  const variant = { kind: 'PackageVariant', metadata: { name: 'v' } }
  expect(messagesOf([variant], [], ['v'])).toEqual([expect.stringContaining('; it may be the variant that would be made (v): correct it')])
  expect(messagesOf([variant], [], ['w'])).toEqual([])
  expect(messagesOf([variant], ['ber/web'], ['v'])).toEqual([expect.stringContaining('wants the packages that would be removed')])
  const inList = { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'config.porch.kpt.dev/v1alpha1', ...variant }] }
  expect(messagesOf([inList], [], ['v'])).toEqual([expect.stringContaining('(v)')])
  expect(messagesOf([inList], [], ['w'])).toEqual([])
})

test('misread labels are no error where variants are made alone', () => {
  expect(messagesOf([misread('config.porch.kpt.dev/v1alpha1', 'Repository')], [], ['a'])).toEqual([])
})

test('a misspelt kind is one error, with the proposal and without a question', () => {
  const lines = messagesOf([{ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repositry', metadata: { name: 'ber' } }], ['ber/web'])
  expect(lines).toEqual([expect.stringMatching(/'Repository'; it may declare/)])
})

const warned = (...objects: readonly JsonRecord[]) => passedOverWarnings(resourceListOf(objects)).map(({ message }) => message)

test('entries of a list count by their kind, by that of the list, and in lists of the list', () => {
  const repository = { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', metadata: { name: 'a' } }
  const list = (items: readonly JsonRecord[], kind = 'List', apiVersion = 'v1'): JsonRecord => ({ apiVersion, kind, items })
  const isList = (kind: string) => [
    `\`kind\` must not be '${kind}' for objects of a fleet, each of which must be a document of its own behind '---', so it is passed over`,
  ]
  expect(warned(list([OF_NO_FLEET]))).toEqual([])
  expect(warned(list([OF_NO_FLEET, repository]))).toEqual(isList('List'))
  expect(warned(list([list([repository])]))).toEqual(isList('List'))
  expect(warned(list([{ metadata: { name: 'a' } }], 'RepositoryList', 'config.porch.kpt.dev/v1alpha1'))).toEqual(isList('RepositoryList'))
  expect(warned(list([{ metadata: { name: 'a' } }], 'ConfigMapList'))).toEqual([])
  expect(warned(list([{ metadata: { name: 'a' } }]))).toEqual(isList('List'))
  expect(warned(list([{ metadata: {} }]))).toEqual([])
})

test('a document without a name is judged by the objects that it holds, below whichever key', () => {
  const repository = { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', metadata: { name: 'a' } }
  expect(warned({ items: [repository] })).toEqual([expect.stringContaining('`items` must not be a list for objects of a fleet')])
  expect(warned({ values: [repository] })).toEqual([expect.stringContaining('`values` must not hold objects of a fleet')])
  expect(warned({ values: [{ a: 'b' }] })).toEqual([])
})

test('a kind that Porch does not have in its group is passed over, and one in another group of no fleet is not', () => {
  expect(warned({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Site', metadata: { name: 'a' } })).toEqual([
    "`kind` must be a kind of config.porch.kpt.dev, got 'Site', so it is passed over",
  ])
  expect(warned({ apiVersion: 'example.com/v1', kind: 'Repository', metadata: { name: 'a' } })).toEqual([])
  expect(warned({ apiVersion: 'config.porch.kpt.deb/v1alpha1', kind: 'Repository', metadata: { name: 'a' } })).toEqual([
    expect.stringContaining("`apiVersion` must be 'config.porch.kpt.dev/v1alpha1', got 'config.porch.kpt.deb/v1alpha1'"),
  ])
})

test('the findings about files that are no items are warnings here, before the others', () => {
  const list = { severity: 'error', message: 'm', tags: { rule: 'deletion-guard' } } as const
  const link = { severity: 'error', message: 'n', tags: { rule: 'link-outside' } } as const
  const found = passedOverWarnings({ items: resourceListOf([UNTYPED]).items, passedOver: [list, link] })
  expect(found.map(({ severity, message, tags }) => [severity, message, tags.rule])).toEqual([
    ['warning', 'm', 'unknown-kind'],
    ['warning', 'n', 'link-outside'],
    ['warning', '`apiVersion` must be set, so it is passed over', 'unknown-kind'],
  ])
})

test('sets select all kinds of a fleet and the kinds that their targets name', () => {
  const site = { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name: 'a' } }
  const kinds = (...objects: readonly JsonRecord[]) => selectableObjects(resourceListOf(objects).items).map(({ kind }) => kind)
  expect(kinds(SET('Site'), site, OF_NO_FLEET)).toEqual(['PackageVariantSet', 'Site'])
  expect(kinds(SET('Region'), site)).toEqual(['PackageVariantSet'])
})
