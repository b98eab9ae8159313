import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { findInjectionPoints } from './injection-point.ts'
import { readSources } from './injection-source.ts'
import { candidatesFor, injectorAppliesTo, mismatch, selectSource } from './select-source.ts'

function object(apiVersion: string, kind: string, name: string, rest = 'spec: {a: 1}'): KrmObject {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations: {kpt.dev/config-injection: required}\n${rest}\n`
  return KrmObject.fromDocument(text, { path: 'a.yaml', index: 0, line: 1 })
}

const SOURCES = readSources([
  object('example.org/v1', 'Site', 'a'),
  object('example.org/v1', 'Site', 'b'),
  object('example.org/v1', 'Site', 'bare', 'status: {}'),
  object('example.org/v1', 'Site', 'empty', 'spec:'),
  object('v1', 'ConfigMap', 'a', 'data: {x: "1"}'),
])

test.each([
  { reason: 'the name alone', kind: 'Site', injectors: [{ name: 'a' }], expected: 'a' },
  { reason: 'the first that exists', kind: 'Site', injectors: [{ name: 'x' }, { name: 'b' }, { name: 'a' }], expected: 'b' },
  { reason: 'a group that is not the point’s', kind: 'Site', injectors: [{ name: 'a', group: 'other' }, { name: 'b' }], expected: 'b' },
  { reason: 'the core group (docs/porch.md 7)', kind: 'ConfigMap', injectors: [{ name: 'a', group: '' }], expected: 'a' },
  {
    reason: 'an empty version never matches',
    kind: 'Site',
    injectors: [{ name: 'a', version: '' }],
    expected: 'no resource matched any injection selector for this injection point',
  },
  {
    reason: 'an empty kind never matches',
    kind: 'Site',
    injectors: [{ name: 'a', kind: '' }],
    expected: 'no resource matched any injection selector for this injection point',
  },
  {
    reason: 'all of group, version, kind and name',
    kind: 'Site',
    injectors: [{ name: 'b', group: 'example.org', version: 'v1', kind: 'Site' }],
    expected: 'b',
  },
  { reason: 'a version that is not the point’s', kind: 'Site', injectors: [{ name: 'a', version: 'v2' }, { name: 'b' }], expected: 'b' },
  { reason: 'a kind that is not the point’s', kind: 'Site', injectors: [{ name: 'a', kind: 'Area' }, { name: 'b' }], expected: 'b' },
  {
    reason: 'the name of the point, which an injector may give (docs/porch.md 9)',
    kind: 'Site',
    injectors: [
      { name: 'a', point: 'other' },
      { name: 'b', point: 'point' },
    ],
    expected: 'b',
  },
  {
    reason: 'the search ends at one whose field is null',
    kind: 'Site',
    injectors: [{ name: 'empty' }, { name: 'a' }],
    expected: 'unable to set <nil> at fields [spec] with error: the passed-in object must not be nil',
  },
  {
    reason: 'names are case sensitive',
    kind: 'Site',
    injectors: [{ name: 'A' }],
    expected: 'no resource matched any injection selector for this injection point',
  },
  {
    reason: 'the search ends at one without the field (docs/porch.md 8)',
    kind: 'Site',
    injectors: [{ name: 'bare' }, { name: 'a' }],
    expected: 'field "spec" not found in resource "bare"',
  },
  { reason: 'no injectors, whatever the kind', kind: 'Unknown', injectors: [], expected: 'no injectors defined' },
  {
    reason: 'a kind that no source and no definition knows',
    kind: 'Unknown',
    injectors: [{ name: 'a' }],
    expected: 'no matches for kind "Unknown" in version "example.org/v1"',
  },
  {
    reason: 'a built-in kind without an object',
    kind: 'Secret',
    injectors: [{ name: 'a' }],
    expected: 'no in-cluster resources of type v1.Secret',
  },
])('$reason', ({ kind, injectors, expected }) => {
  const kptfile = object('kpt.dev/v1', 'Kptfile', 'upf')
  const apiVersion = kind === 'ConfigMap' || kind === 'Secret' ? 'v1' : 'example.org/v1'
  const found = object(apiVersion, kind, 'point')
  const [point] = findInjectionPoints({ kptfile, pick: () => [found], files: () => [], add: () => found })
  if (point === undefined) throw new Error('no point')
  const selection = selectSource(point, { injectors, namespace: 'default', sources: SOURCES })
  expect(selection.met ? selection.source.name : selection.message).toBe(expected)
  if (selection.met) expect(selection.value).toEqual(kind === 'Site' ? { a: 1 } : { x: '1' })
})

/** Returns the injection point of an object with the name `point`. */
function pointOf(apiVersion: string, kind: string) {
  const found = object(apiVersion, kind, 'point')
  const [point] = findInjectionPoints({
    kptfile: object('kpt.dev/v1', 'Kptfile', 'upf'),
    pick: () => [found],
    files: () => [],
    add: () => found,
  })
  if (point === undefined) throw new Error('no point')
  return point
}

test.each([
  [{ name: 'a' }, undefined],
  [{ name: 'a', group: 'example.org', version: 'v1', kind: 'Site', point: 'point' }, undefined],
  [{ name: 'a', group: 'x', version: 'x', kind: 'x', point: 'x' }, 'group'],
  [{ name: 'a', group: 'example.org', version: 'x', kind: 'x', point: 'x' }, 'version'],
  [{ name: 'a', kind: 'x', point: 'x' }, 'kind'],
  [{ name: 'a', point: 'x' }, 'point'],
  [{ name: 'a', group: '' }, 'group'],
  [{ name: 'a', version: 'example.org/v1' }, 'version'],
])('the first field in which the injector %j differs from a point is %s', (injector, field) => {
  const point = pointOf('example.org/v1', 'Site')
  expect(mismatch(injector, point)).toBe(field)
  expect(injectorAppliesTo(injector, point)).toBe(field === undefined)
})

test('a point of the core group has the group without a name, and its version', () => {
  const point = pointOf('v1', 'ConfigMap')
  expect(mismatch({ name: 'a', group: '', version: 'v1' }, point)).toBeUndefined()
  expect(mismatch({ name: 'a', group: 'v1' }, point)).toBe('group')
})

test('the candidates of a point are those of its group, version and kind', () => {
  const names = (apiVersion: string, kind: string) =>
    candidatesFor(pointOf(apiVersion, kind), { injectors: [], namespace: 'default', sources: SOURCES }).all.map(({ name }) => name)
  expect(names('example.org/v1', 'Site')).toEqual(['a', 'b', 'bare', 'empty'])
  expect(names('v1', 'ConfigMap')).toEqual(['a'])
  expect(names('example.org/v2', 'Site')).toEqual([])
})
