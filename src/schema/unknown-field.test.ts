import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import type { Schema } from './schema.ts'
import { proposeKey, unknownField } from './unknown-field.ts'
import type { Validator } from './validator.ts'

const TEXTS: Schema = { type: 'object', additionalProperties: { type: 'string' } }
const SCHEMA: Schema = {
  properties: {
    metadata: { properties: { name: {}, deprecatedName: { deprecated: true } } },
    spec: {
      properties: {
        targets: { items: { properties: { repositories: {}, selector: { properties: { matchLabels: TEXTS, expressions: {} } } } } },
        entries: { items: { properties: { key: {}, keyExpr: {}, value: {}, valueExpr: {} } } },
        upstream: { properties: { revision: {}, workspace: {} } },
        strict: {},
      },
    },
  },
}

function messageOf(path: readonly (string | number)[], holder: JsonValue = {}, validator: Partial<Validator> = {}) {
  return unknownField({ schema: SCHEMA, ...validator }, { path, kind: 'Fleet', holder })
}

test.each([
  { reason: 'a near name', path: ['spec', 'targts'], message: "is not a field of spec; did you mean 'targets'?", proposedKey: 'targets' },
  { reason: 'a field of the object itself', path: ['spek'], message: "is not a field of Fleet; did you mean 'spec'?", proposedKey: 'spec' },
  {
    reason: 'a field of an entry of a list',
    path: ['spec', 'targets', 0, 'repositorys'],
    message: "is not a field of targets[]; did you mean 'repositories'?",
    proposedKey: 'repositories',
  },
])('$reason is proposed', ({ path, message, proposedKey }) => {
  expect(messageOf(path)).toStrictEqual({ message, proposedKey })
})

test('a former name is named and not proposed as a key, and the first that the map has is named', () => {
  const formerNames = { objects: ['expressions', 'repositories'], strct: ['none'], targts: ['strict'] }
  expect(messageOf(['spec', 'targets', 0, 'objects'], {}, { formerNames })).toStrictEqual({
    message: "is not a field of targets[]; did you mean 'repositories'?",
  })
  expect(messageOf(['spec', 'targts'], {}, { formerNames })).toStrictEqual({ message: "is not a field of spec; did you mean 'strict'?" })
  expect(messageOf(['spec', 'strct'], {}, { formerNames })).toStrictEqual({
    message: "is not a field of spec; did you mean 'strict'?",
    proposedKey: 'strict',
  })
})

test('a key of every object is no former name', () => {
  expect(messageOf(['metadata', 'constructor'], {}, { formerNames: {} })).toStrictEqual({
    message: "is not a field of metadata; its fields are 'name'",
  })
})

test('a deprecated field is neither proposed nor listed', () => {
  expect(messageOf(['metadata', 'deprecatedNam']).message).toBe("is not a field of metadata; its fields are 'name'")
})

test.each([
  {
    reason: 'below a field that the map has',
    path: ['spec', 'revision'],
    holder: { upstream: {} },
    says: 'it is a field of spec.upstream',
  },
  { reason: 'below a field that the map could have', path: ['spec', 'revision'], holder: {}, says: 'it is a field of spec.upstream' },
  { reason: 'in the spec', path: ['strict'], holder: {}, says: 'it is a field of spec' },
  { reason: 'in the spec, for a field of an entry', path: ['spec', 'targets', 0, 'upstream'], holder: {}, says: 'it is a field of spec' },
  {
    reason: 'in a map around the map',
    path: ['spec', 'targets', 0, 'selector', 'repositories'],
    holder: {},
    says: 'it is a field of spec.targets[]',
  },
  { reason: 'in the spec, for a field of metadata', path: ['metadata', 'strict'], holder: {}, says: 'it is a field of spec' },
])('the place of a field: $reason', ({ path, holder, says }) => {
  expect(messageOf(path, holder).message.endsWith(`; ${says}`)).toBe(true)
})

test('a field of another part is named after the fields of the map', () => {
  expect(messageOf(['spec', 'upstream', 'repositories']).message).toBe(
    "is not a field of upstream; its fields are 'revision', 'workspace'; 'repositories' is a field of spec.targets[]",
  )
})

test('the place that the map has comes before a place nearer to the root', () => {
  const part: Schema = { properties: { name: {} } }
  const schema: Schema = { properties: { spec: { properties: { first: part, second: part } } } }
  const found = { path: ['spec', 'name'], kind: 'A', holder: { second: {} } }
  expect(unknownField({ schema }, found).message).toBe('is not a field of spec; it is a field of spec.second')
  expect(unknownField({ schema }, { ...found, holder: {} }).message).toBe('is not a field of spec; it is a field of spec.first')
  expect(unknownField({ schema }, { ...found, holder: 'text' }).message).toBe('is not a field of spec; it is a field of spec.first')
})

test('a place in the metadata is none', () => {
  expect(messageOf(['spec', 'upstream', 'name']).message).toBe("is not a field of upstream; its fields are 'revision', 'workspace'")
})

test.each([
  {
    reason: 'a key of an entry with key and value',
    path: ['spec', 'entries', 0, 'region'],
    holder: { region: 'eu' },
    says: "its fields are 'key', 'keyExpr', 'value', 'valueExpr'; an entry is written {key: region, valueExpr: eu}",
  },
  {
    reason: 'a key of the only map with keys of the user',
    path: ['spec', 'targets', 0, 'selector', 'region'],
    holder: { region: 'eu' },
    says: "its fields are 'matchLabels', 'expressions'; keys of your own belong below 'matchLabels'",
  },
  {
    reason: 'a value that is no text is no key of the user',
    path: ['spec', 'targets', 0, 'selector', 'region'],
    holder: { region: 1 },
    says: "its fields are 'matchLabels', 'expressions'",
  },
  {
    reason: 'a map that is no map',
    path: ['spec', 'targets', 0, 'selector', 'region'],
    holder: 'text',
    says: "its fields are 'matchLabels', 'expressions'",
  },
])('a key of the user: $reason', ({ path, holder, says }) => {
  expect(messageOf(path, holder).message.endsWith(`; ${says}`)).toBe(true)
})

test('with two maps for keys of the user, neither is named', () => {
  const schema: Schema = { properties: { labels: TEXTS, annotations: TEXTS } }
  expect(unknownField({ schema }, { path: ['region'], kind: 'A', holder: { region: 'eu' } }).message).toBe(
    "is not a field of A; its fields are 'labels', 'annotations'",
  )
})

test('a key that the user may write comes before the place of a field elsewhere', () => {
  const schema: Schema = {
    properties: { spec: { properties: { labels: TEXTS, part: { properties: { mine: TEXTS } }, other: { properties: { region: {} } } } } },
  }
  const message = unknownField({ schema }, { path: ['spec', 'part', 'region'], kind: 'A', holder: { region: 'eu' } }).message
  expect(message).toBe("is not a field of part; its fields are 'mine'; keys of your own belong below 'mine'")
})

test('a near name is proposed as the key', () => {
  expect(proposeKey('lables', ['labels'])).toStrictEqual({ proposedKey: 'labels' })
  expect(proposeKey('frobnicate', ['labels'])).toStrictEqual({})
})

test('an entry is written with key and value only where the list has such entries', () => {
  for (const properties of [
    { key: {}, operator: {} },
    { name: {}, valueExpr: {} },
  ]) {
    const found = { path: ['region'], kind: 'A', holder: { region: 'eu' } }
    expect(unknownField({ schema: { properties } }, found).message).toBe(
      `is not a field of A; its fields are ${Object.keys(properties)
        .map((name) => `'${name}'`)
        .join(', ')}`,
    )
  }
})
