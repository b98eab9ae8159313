import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { fieldPathIn, mergeFleetChanges, readRecordedObjects, recordObjects } from './fleet-changes.ts'

const ID = '["apps","Deployment","","web"]'

function merge(before: JsonRecord | undefined, fleet: JsonRecord | undefined, tree: JsonRecord | undefined) {
  const recorded = readRecordedObjects(recordObjects(new Map(before === undefined ? [] : [[ID, before]])))
  const { value, kept, conflicts } = mergeFleetChanges(recorded?.get(ID), fleet, tree)
  return { value, kept: kept.map(({ path }) => path), conflicts: conflicts.map(({ path }) => path) }
}

const web = (spec: JsonRecord): JsonRecord => ({ kind: 'Deployment', spec })

test.each<[string, JsonRecord | undefined, JsonRecord | undefined, JsonRecord | undefined, ReturnType<typeof merge>]>([
  ['no person changed a field', web({ a: 1 }), web({ a: 1 }), web({ a: 1 }), { value: web({ a: 1 }), kept: [], conflicts: [] }],
  [
    'a field of each side',
    web({ a: 1, b: 1 }),
    web({ a: 2, b: 1 }),
    web({ a: 1, b: 2 }),
    { value: web({ a: 2, b: 2 }), kept: ['spec.a'], conflicts: [] },
  ],
  ['a field of both sides', web({ a: 1 }), web({ a: 2 }), web({ a: 3 }), { value: web({ a: 3 }), kept: [], conflicts: ['spec.a'] }],
  ['the same change', web({ a: 1 }), web({ a: 2 }), web({ a: 2 }), { value: web({ a: 2 }), kept: [], conflicts: [] }],
  [
    'a field that the fleet removed',
    web({ a: 1, b: 1 }),
    web({ b: 1 }),
    web({ a: 1, b: 2 }),
    { value: web({ b: 2 }), kept: ['spec.a'], conflicts: [] },
  ],
  [
    'a field that the tree removed',
    web({ a: 1, b: 1 }),
    web({ a: 1, b: 2 }),
    web({ b: 1 }),
    { value: web({ b: 2 }), kept: ['spec.b'], conflicts: [] },
  ],
  [
    'an entry without a name, in a list with other entries that have one',
    web({ l: [{ name: 'a' }, { x: 1 }] }),
    web({ l: [{ name: 'a' }, { x: 2 }] }),
    web({ l: [{ name: 'a' }, { x: 1 }] }),
    { value: web({ l: [{ name: 'a' }, { x: 2 }] }), kept: ['spec.l'], conflicts: [] },
  ],
  [
    'an entry of a name that another entry has',
    web({ l: [{ name: 'a', x: 1 }, { name: 'a' }] }),
    web({ l: [{ name: 'a', x: 2 }, { name: 'a' }] }),
    web({ l: [{ name: 'a', x: 1 }, { name: 'a' }] }),
    { value: web({ l: [{ name: 'a', x: 2 }, { name: 'a' }] }), kept: ['spec.l'], conflicts: [] },
  ],
  [
    'the order of the keys of an entry, and the tree the entry',
    web({ l: [{ x: 1, y: 2 }] }),
    web({ l: [{ y: 2, x: 1 }] }),
    web({ l: [{ x: 1, y: 3 }] }),
    { value: web({ l: [{ x: 1, y: 3 }] }), kept: [], conflicts: [] },
  ],
  [
    'a map that the tree added',
    web({ a: 1 }),
    web({ a: 1 }),
    web({ a: 1, m: { x: 1 } }),
    { value: web({ a: 1, m: { x: 1 } }), kept: [], conflicts: [] },
  ],
  [
    'a map that the tree removed and the fleet changed',
    web({ m: { x: 1, y: 1 } }),
    web({ m: { x: 1, y: 2 } }),
    web({}),
    { value: web({}), kept: [], conflicts: ['spec.m'] },
  ],
  [
    'entries of a list with names',
    web({ list: [{ name: 'a', v: 1 }] }),
    web({ list: [{ name: 'x' }, { name: 'a', v: 1 }] }),
    web({ list: [{ name: 'a', v: 2 }, { name: 'b' }] }),
    { value: web({ list: [{ name: 'a', v: 2 }, { name: 'b' }, { name: 'x' }] }), kept: ['spec.list[x]'], conflicts: [] },
  ],
  ['an object that the fleet deleted', web({ a: 1 }), undefined, web({ a: 2 }), { value: undefined, kept: [''], conflicts: [] }],
  ['an object that the tree deleted', web({ a: 1 }), web({ a: 1 }), undefined, { value: undefined, kept: [], conflicts: [] }],
  [
    'an object that the tree deleted and the fleet changed',
    web({ a: 1 }),
    web({ a: 2 }),
    undefined,
    { value: undefined, kept: [], conflicts: [''] },
  ],
  ['an object that the fleet added', undefined, web({ a: 1 }), undefined, { value: web({ a: 1 }), kept: [''], conflicts: [] }],
  ['an object that the tree added', undefined, undefined, web({ a: 1 }), { value: web({ a: 1 }), kept: [], conflicts: [] }],
])('%s', (_, before, fleet, tree, wanted) => {
  expect(merge(before, fleet, tree)).toEqual(wanted)
})

test('a schema is compared as a whole, and a record of another form is none', () => {
  const crd = (x: number): JsonRecord => ({ kind: 'CustomResourceDefinition', spec: { versions: [{ name: 'v1', x }] } })
  expect(merge(crd(1), crd(2), crd(1))).toEqual({ value: crd(2), kept: ['spec'], conflicts: [] })
  expect(readRecordedObjects('sha256:1')).toBeUndefined()
})

test.each<[string, JsonRecord, readonly (string | number)[]]>([
  ['has', web({ list: [{ name: 'b' }, { name: 'a', value: 1 }] }), ['spec', 'list', 1, 'value']],
  ['has up to its entry', web({ list: [{ name: 'a' }] }), ['spec', 'list', 0]],
  ['has up to its list', web({ list: [{ name: 'b' }] }), ['spec', 'list']],
  ['has up to its map', web({}), ['spec']],
  ['lacks', {}, []],
])('the path of a changed field leads as far as the object %s', (_, object, path) => {
  const steps = ['.spec', '.list', '[a]', '.value']
  expect(fieldPathIn(object, { steps, path: '', fleet: 1, tree: 2 })).toEqual(path)
})
