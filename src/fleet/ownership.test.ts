import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { readFleet } from './fleet.ts'
import { addMarks, controllingUid, foreignController, lacksMarks, ownerFinder, ownerMark, ownerMetadata, writeMarks } from './ownership.ts'

const SET = { name: 'fleet', namespace: 'sites' }

test('a variant of a set without uid has our annotation, and none of the marks that an API server would clean up by', () => {
  expect(ownerMetadata('fleet-a-app', 'sites', { ...SET, uid: undefined })).toEqual({
    name: 'fleet-a-app',
    namespace: 'sites',
    annotations: { 'krm-variants.dev/package-variant-set': 'sites/fleet' },
  })
})

test("a variant of a set with a uid has Porch's marks alone", () => {
  expect(ownerMetadata('fleet-a-app', undefined, { ...SET, uid: '8c1f' })).toEqual({
    name: 'fleet-a-app',
    labels: { 'config.porch.kpt.dev/packagevariantset': '8c1f' },
    ownerReferences: [
      { apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet', name: 'fleet', uid: '8c1f', controller: true },
    ],
    finalizers: ['config.porch.kpt.dev/packagevariants'],
  })
})

const variantWith = (metadata: JsonRecord) =>
  KrmObject.fromDocument(
    JSON.stringify({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'PackageVariant', metadata: { name: 'v', ...metadata } }),
  )

/** Returns the name of the set that owns a variant, of two sets in `sites` and one in `default`. */
function ownerOf(metadata: JsonRecord): string | undefined {
  const find = ownerFinder([
    { ...SET, uid: '8c1f' },
    { ...SET, name: 'other', uid: '77aa' },
    { name: 'fleet', namespace: 'default', uid: undefined },
  ])
  const [variant] = readFleet([variantWith(metadata)]).allOf(PORCH_CONFIG_GROUP, 'PackageVariant')
  const owner = variant && find(variant)
  return owner && `${owner.namespace}/${owner.name}`
}

const named = (owner: string) => ({ annotations: { 'krm-variants.dev/package-variant-set': owner } })
const labeled = (uid: string) => ({ labels: { 'config.porch.kpt.dev/packagevariantset': uid } })

test('the set of a variant is the one that our annotation names, else the one with the uid in the label of Porch', () => {
  expect(ownerOf({ namespace: 'sites', ...named('sites/fleet') })).toBe('sites/fleet')
  expect(ownerOf({ namespace: 'sites', ...labeled('77aa') })).toBe('sites/other')
  expect(ownerOf({ namespace: 'sites', ...named('sites/fleet'), ...labeled('77aa') })).toBe('sites/fleet')
  expect(ownerOf({ namespace: 'sites', ...named('sites/gone'), ...labeled('77aa') })).toBe('sites/other')
  expect(ownerOf({ namespace: 'sites', ...labeled('other') })).toBeUndefined()
  expect(ownerOf({ namespace: 'sites' })).toBeUndefined()
})

test('a set owns no variant of another namespace, whatever the variant says', () => {
  expect(ownerOf({ namespace: 'shop', ...named('sites/fleet') })).toBeUndefined()
  expect(ownerOf({ namespace: 'shop', ...labeled('8c1f') })).toBeUndefined()
  expect(ownerOf(named('default/fleet'))).toBe('default/fleet')
})

const reference = (more: JsonRecord = {}) => ({ kind: 'PackageVariantSet', name: 'fleet', uid: 'old', controller: true, ...more })

test.each<[string, readonly JsonRecord[], readonly string[]]>([
  ['a controller gets the uid', [reference()], ['8c1f']],
  ['a controller behind other owners gets the uid', [reference({ uid: 'x', controller: false }), reference()], ['x', '8c1f']],
  ['without a controller one is added', [reference({ uid: 'x', controller: false })], ['x', '8c1f']],
  ['without owners one is added', [], ['8c1f']],
])('where the marks of a set are written, %s', (_, ownerReferences, uids) => {
  const variant = variantWith({ ownerReferences })
  writeMarks(variant, { ...SET, uid: '8c1f' })
  const written = variant.get(['metadata', 'ownerReferences'])
  expect(Array.isArray(written) && written).toMatchObject(uids.map((uid) => ({ uid })))
  expect(variant.labels.get('config.porch.kpt.dev/packagevariantset')).toBe('8c1f')
})

test('the set that controls a variant is known by its kind and name, and any other controller is foreign', () => {
  const controlled = (more: JsonRecord) => variantWith({ ...labeled('old'), ownerReferences: [reference(more)] })
  expect([controllingUid(controlled({}), 'fleet'), foreignController(controlled({}), 'fleet')]).toEqual(['old', undefined])
  expect([controllingUid(controlled({}), 'other'), foreignController(controlled({}), 'other')]).toEqual([
    undefined,
    'PackageVariantSet fleet',
  ])
  expect(foreignController(controlled({ kind: 'Deployment' }), 'fleet')).toBe('Deployment fleet')
  expect(foreignController(controlled({ controller: false }), 'other')).toBeUndefined()
  expect(controllingUid(variantWith({ ownerReferences: [reference()] }), 'fleet')).toBeUndefined()
})

test.each<[string, JsonRecord, string | undefined, string | undefined]>([
  ['our annotation, also beside a uid', { ...named('sites/fleet'), ...labeled('77aa') }, 'annotations', 'sites/fleet'],
  ['the label of Porch', labeled('77aa'), 'labels', '77aa'],
  ['nothing for an empty label', labeled(''), undefined, undefined],
  ['nothing without marks', {}, undefined, undefined],
])('the mark of a variant is %s', (_, metadata, field, owner) => {
  const [variant] = readFleet([variantWith(metadata)]).allOf(PORCH_CONFIG_GROUP, 'PackageVariant')
  const mark = variant && ownerMark(variant)
  expect([mark?.path[1], mark?.owner]).toEqual([field, owner])
})

test('marks are added beside what a variant has: finalizers once, a controller only where there is none, and the annotation stays', () => {
  const variant = variantWith({ ...named('sites/fleet'), ownerReferences: [reference()], finalizers: ['other'] })
  for (const _ of [1, 2]) addMarks(variant, { ...SET, uid: '8c1f' })
  expect(variant.get(['metadata', 'finalizers'])).toEqual(['other', 'config.porch.kpt.dev/packagevariants'])
  expect(variant.get(['metadata', 'ownerReferences'])).toMatchObject([{ uid: 'old' }])
  expect(variant.annotations.get('krm-variants.dev/package-variant-set')).toBe('sites/fleet')
})

test('a controller of another kind, or without a uid, is no set that controls a variant', () => {
  const uidOf = (more: JsonRecord) => controllingUid(variantWith({ ...labeled('old'), ownerReferences: [reference(more)] }), 'fleet')
  expect([uidOf({ kind: 'Deployment' }), uidOf({ uid: '' })]).toEqual([undefined, undefined])
})

test.each<[string, JsonRecord, string | undefined, boolean]>([
  ['without the label, of a set with a uid', named('sites/fleet'), '8c1f', true],
  ['without the label, of a set without a uid', named('sites/fleet'), undefined, false],
  ['with the label', labeled('8c1f'), '8c1f', false],
  ['with the label of another uid, and without other marks', labeled('77aa'), '8c1f', false],
])('a variant lacks the marks of Porch: %s', (_, metadata, uid, lacks) => {
  const [variant] = readFleet([variantWith(metadata)]).allOf(PORCH_CONFIG_GROUP, 'PackageVariant')
  expect(variant && lacksMarks(variant, { ...SET, uid })).toBe(lacks)
})
