import { expect, test } from 'vitest'
import { objectOf } from '../crossplane/testing/objects.ts'
import { fieldsOfPeople, groupKind, isGenerated, isOneOf, namespaceOf, ownedObjects, ownersOf } from './object-metadata.ts'

const of = (apiVersion: string, kind: string, metadata: object = { name: 'a' }, rest: object = {}) =>
  objectOf({ apiVersion, kind, metadata, ...rest })

test('a kind has the group in front, the core group its version', () => {
  expect([groupKind(of('apps/v1', 'Deployment')), groupKind(of('v1', 'Secret'))]).toEqual(['apps/Deployment', 'v1/Secret'])
})

test('an object is of a kind of a group in any version', () => {
  const object = of('x.io/v2', 'Site')
  expect(
    isOneOf(object, [
      { group: 'x.io', kind: 'Other' },
      { group: 'x.io', kind: 'Site' },
    ]),
  ).toBe(true)
  expect(isOneOf(object, [{ group: 'y.io', kind: 'Site' }])).toBe(false)
})

test('an object without a namespace is in default', () => {
  expect([namespaceOf({ namespace: 'eu' }), namespaceOf({ namespace: '' }), namespaceOf({ namespace: undefined })]).toEqual([
    'eu',
    'default',
    'default',
  ])
})

const owner = (name: string, more: object = {}) => ({ apiVersion: 'v1', kind: 'Owner', name, uid: `u-${name}`, ...more })

test('owners have their texts, and control the object if they say so', () => {
  const object = of('v1', 'A', {
    name: 'a',
    ownerReferences: [owner('one', { controller: true }), owner('two', { controller: 'true' }), {}],
  })
  expect(ownersOf(object)).toEqual([
    { ...owner('one'), controller: true },
    { ...owner('two'), controller: false },
    { apiVersion: '', kind: '', name: '', uid: '', controller: false },
  ])
  expect(ownersOf(of('v1', 'A'))).toEqual([])
})

test('owned objects are those with owner references, with the owners that have a kind and a name', () => {
  const owned = of('v1', 'A', {
    name: 'a',
    ownerReferences: [owner('one'), owner('two', { controller: true }), { kind: 'K' }, { name: 'n' }],
  })
  const [found, ...others] = ownedObjects([of('v1', 'A'), owned], ({ kind, name }) => `${kind} ${name}`)
  expect([
    found?.object,
    found?.owners.map(({ name }) => name),
    found?.controllers.map(({ name }) => name),
    found?.place.path,
    others,
  ]).toEqual(['A a', ['one', 'two'], ['two'], ['metadata', 'ownerReferences'], []])
})

test.each<[string | undefined, string, boolean, boolean]>([
  [undefined, '1.0.0', false, false],
  [undefined, '1.0.0', true, true],
  ['1.0.0', '1.0.0', false, true],
  ['1.0.0', '2.0.0', true, false],
  ['', '', false, true],
])('an object that was made at %j and is at %j, marked: %s, is generated: %s', (resolved, written, marked, expected) => {
  const annotations = resolved === undefined ? {} : { 'krm-variants.dev/resolved': resolved }
  expect(isGenerated(of('v1', 'A', { name: 'a', annotations }), { written, marked })).toBe(expected)
})

test('the fields that a person may have set are those that are not generated', () => {
  const object = of('v1', 'A', { name: 'a', labels: { x: 'y' } }, { spec: { made: 1, mine: 2 } })
  const generated = [
    { path: ['spec'], keys: ['made'] },
    { path: ['metadata'], keys: ['name'] },
    { path: ['status'], keys: [] },
  ]
  expect(fieldsOfPeople(object, generated)).toBe('a person may have set `spec.mine` and `metadata.labels`')
  expect(
    fieldsOfPeople(object, [
      { path: ['spec'], keys: ['made', 'mine'] },
      { path: ['kind'], keys: [] },
    ]),
  ).toBeUndefined()
})
