import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { originAt, originsOf, setOrigins } from './origins.ts'

const objectOf = (fields: object = {}) =>
  KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...fields }))

test('an object is its own origin, unless it is known to have no text', () => {
  const [plain, made] = [objectOf(), objectOf()]
  expect(originsOf(plain)).toBeUndefined()
  expect(originAt(plain, ['data', 'x'])).toBe(plain)
  setOrigins(made, [])
  expect(originsOf(made)).toEqual([])
  expect(originAt(made, ['data', 'x'])).toBeUndefined()
})

test('an object of one text has all its fields from that text', () => {
  const [merged, text] = [objectOf({ data: { x: '1' } }), objectOf()]
  setOrigins(merged, [text])
  expect(originAt(merged, ['data', 'x'])).toBe(text)
  expect(originAt(merged, [])).toBe(text)
})

// The change repeats the fields that name the object.
const CHANGE = objectOf({ metadata: { name: 'a', labels: { tier: 'web' } }, data: { x: '2' } })
const FILE = objectOf({ metadata: { name: 'a', namespace: 'eu' }, data: { x: '1', y: '1' } })

test.each([
  ['a changed field', ['data', 'x'], CHANGE],
  ['an added field', ['metadata', 'labels'], CHANGE],
  ['a map of which a field was changed', ['data'], CHANGE],
  ['an unchanged field', ['data', 'y'], FILE],
  ['a field that no text has', ['data', 'z'], FILE],
  ['the object', [], FILE],
  ['the apiVersion', ['apiVersion'], FILE],
  ['the kind', ['kind'], FILE],
  ['the metadata', ['metadata'], FILE],
  ['the name', ['metadata', 'name'], FILE],
  ['the namespace', ['metadata', 'namespace'], FILE],
])('of a changed object, %s has its origin', (_what, path, expected) => {
  const merged = objectOf()
  setOrigins(merged, [CHANGE, FILE])
  expect(originAt(merged, path)).toBe(expected)
})

test('of several changes the last one that has a field is its origin', () => {
  const merged = objectOf()
  const last = objectOf({ data: { z: '3' } })
  setOrigins(merged, [last, CHANGE, FILE])
  expect([['data', 'z'], ['data', 'x'], ['data', 'y'], ['kind']].map((path) => originAt(merged, path))).toEqual([last, CHANGE, FILE, FILE])
})
