import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { readFleet } from './fleet.ts'
import { duplicateInFleet, findSets, inFile, isMatrix, isSet } from './sets.ts'

const SPEC = 'spec: {upstream: {repo: r, package: p, revision: 1}, targets: [{repositories: [{name: a}]}]}\n'
const PORCH = 'config.porch.kpt.dev/v1alpha2'
const OWN = 'fleet.krm-variants.dev/v1alpha1'

function set(metadata: string, kind = 'PackageVariantSet', apiVersion = PORCH, path = 'fleet/a.yaml'): KrmObject {
  return KrmObject.fromDocument(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: ${metadata}\n${SPEC}`, { path, index: 0, line: 1 })
}

test.each([
  ['PackageVariantSet', PORCH, true, false],
  ['PackageVariantSet', 'config.porch.kpt.dev/v1alpha1', true, false],
  ['PackageVariantSet', 'example.com/v1', false, false],
  ['PackageVariantSet', OWN, false, false],
  ['PackageVariantMatrix', OWN, true, true],
  ['PackageVariantMatrix', PORCH, false, false],
  ['PackageVariant', PORCH, false, false],
])('a %s of %s is a set: %s, a matrix: %s', (kind, apiVersion, expected, matrix) => {
  const object = set('{name: a}', kind, apiVersion)
  expect([isSet(object), isMatrix(object)]).toEqual([expected, matrix])
})

/** Returns the sets of some objects: the owner, and the messages about it. */
function found(items: readonly KrmObject[], functionConfig?: KrmObject) {
  return findSets({ items, functionConfig }, readFleet(items).kinds).map(({ owner, isItem, set: decoded, results }) => ({
    owner,
    isItem,
    isRead: decoded !== undefined,
    messages: results.map(({ message }) => message),
  }))
}

test('a set is owned by its namespace, name and uid; a matrix has no uid', () => {
  expect(found([set('{name: a, namespace: eu, uid: u}')])).toEqual([
    { owner: { namespace: 'eu', name: 'a', uid: 'u' }, isItem: true, isRead: true, messages: [] },
  ])
  expect(found([set('{name: a, uid: ""}')])[0]?.owner).toEqual({ namespace: 'default', name: 'a', uid: undefined })
  expect(found([set('{name: a, uid: 5}')])[0]?.owner.uid).toBeUndefined()
  expect(found([set('{name: a, uid: u}', 'PackageVariantMatrix', OWN)])[0]?.owner).toMatchObject({ uid: undefined, isMatrix: true })
})

test('the functionConfig is a set too, unless an item has its name', () => {
  expect(found([set('{name: a}')], set('{name: b}')).map(({ owner, isItem }) => [owner.name, isItem])).toEqual([
    ['a', true],
    ['b', false],
  ])
  expect(found([set('{name: a}')], set('{name: a}'))).toHaveLength(1)
  expect(found([set('{name: a}')], set('{name: a, namespace: eu}'))).toHaveLength(2)
  expect(found([set('{name: a}')], set('{name: b}', 'ConfigMap', 'v1'))).toHaveLength(1)
})

test('the second of two sets with one name, or with one uid, has a fault and is not planned', () => {
  const twins = (...metadata: readonly string[]) =>
    found(metadata.map((each) => set(each))).map(({ isRead, messages }) => [isRead, ...messages])
  const name = expect.stringContaining('`metadata.name` must differ from that of PackageVariantSet a in fleet/a.yaml')
  const uid = expect.stringContaining('`metadata.uid` must differ')
  expect(twins('{name: a}', '{name: a}')).toEqual([[true], [false, name]])
  expect(twins('{name: a}', '{name: a, namespace: eu}')).toEqual([[true], [true]])
  expect(twins('{name: a, uid: u}', '{name: b, uid: u}')).toEqual([[true], [false, uid]])
  expect(twins('{name: a, uid: u}', '{name: b, uid: v}')).toEqual([[true], [true]])
  expect(twins('{name: a}', '{name: b}')).toEqual([[true], [true]])
})

test('of two objects of one name the place of the first is said, if it has one', () => {
  const [first, second] = [set('{name: a}'), set('{name: a}')]
  expect(duplicateInFleet(second, first).message).toMatch(/ in fleet\/a\.yaml:3:18: a cluster has one of them, and here the first counts$/)
  const unplaced = KrmObject.fromDocument(`apiVersion: ${PORCH}\nkind: PackageVariantSet\nmetadata: {name: a}\n`)
  expect(duplicateInFleet(second, unplaced, 'no').message).toMatch(/PackageVariantSet a: a cluster has one of them, and no$/)
})

test('the place of a field ends a sentence only for an object with a file', () => {
  expect(inFile(set('{name: a}'), ['metadata', 'name'])).toBe(' in fleet/a.yaml:3:18')
  expect(inFile(KrmObject.fromDocument('apiVersion: v1\nkind: A\nmetadata: {name: a}\n'), ['metadata', 'name'])).toBe('')
})
