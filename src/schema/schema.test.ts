import { expect, test } from 'vitest'
import {
  closedMap,
  closedMapWith,
  configKind,
  configObject,
  ownKind,
  ownObject,
  placesOfField,
  type Schema,
  schemaAt,
  typesOf,
} from './schema.ts'

test('a closed map has its fields and no others', () => {
  const properties = { a: { type: 'string' } } as const
  expect(closedMap(properties)).toEqual({ type: 'object', properties, additionalProperties: false })
  expect(closedMapWith(['a'], properties)).toEqual({ type: 'object', properties, required: ['a'], additionalProperties: false })
})

test('the types of a schema are a list', () => {
  expect(typesOf({})).toEqual([])
  expect(typesOf({ type: 'string' })).toEqual(['string'])
  expect(typesOf({ type: ['array', 'object'] })).toEqual(['array', 'object'])
})

const TEXT: Schema = { type: 'string' }
const ITEM: Schema = { properties: { name: TEXT } }
const SCHEMA: Schema = {
  properties: {
    list: { items: ITEM },
    map: { properties: { fixed: ITEM }, additionalProperties: TEXT },
    closed: { properties: {}, additionalProperties: false },
    open: {},
  },
}

test.each<{ readonly path: readonly (string | number)[]; readonly expected: Schema | undefined }>([
  { path: [], expected: SCHEMA },
  { path: ['list', 3], expected: ITEM },
  { path: ['list', 0, 'name'], expected: TEXT },
  { path: ['list', 'name'], expected: undefined },
  { path: ['map', 'fixed'], expected: ITEM },
  { path: ['map', 'other'], expected: TEXT },
  { path: ['map', 'constructor'], expected: TEXT },
  { path: ['map', 0], expected: undefined },
  { path: ['closed', 'a'], expected: undefined },
  { path: ['open', 'a', 'b'], expected: undefined },
])('the part of a schema for $path', ({ path, expected }) => {
  expect(schemaAt(SCHEMA, path)).toBe(expected)
})

test('the places of a field are listed level by level, with [] for the items of a list', () => {
  const schema: Schema = {
    properties: {
      deep: { properties: { list: { items: { properties: { name: TEXT, only: TEXT } } } } },
      name: TEXT,
      near: { properties: { name: TEXT } },
    },
  }
  expect(placesOfField(schema, 'name')).toEqual(['', 'near', 'deep.list[]'])
  expect(placesOfField(schema, 'only')).toEqual(['deep.list[]'])
  expect(placesOfField(schema, 'list')).toEqual(['deep'])
  expect(placesOfField(schema, 'none')).toEqual([])
})

test('the head of a kind of functionConfig: its constants, and a map with a name', () => {
  const { apiVersion, kind, metadata } = configKind('a/v1', 'B')
  expect([apiVersion.const, kind.const, metadata.type, metadata.properties.name.type]).toEqual(['a/v1', 'B', 'object', 'string'])
  expect(configObject('a/v1', 'B')).toEqual({ apiVersion: 'a/v1', kind: 'B', metadata: { name: 'example' } })
})

test('our own kinds have our own group', () => {
  expect(ownKind('B').apiVersion.const).toBe('fn.krm-variants.dev/v1alpha1')
  expect(ownKind('B').kind.const).toBe('B')
  expect(ownObject('B')).toEqual({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'B', metadata: { name: 'example' } })
})
