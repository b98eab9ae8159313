import { expect, test } from 'vitest'
import type { FieldPath } from '../field-path.ts'
import { readYaml } from '../yaml/read/yaml-reader.ts'
import {
  holdsWire,
  isWireAnnotation,
  keepWire,
  newWireAnnotations,
  placeKeys,
  seqindent,
  wireFile,
  withoutWire,
} from './wire-annotations.ts'

const INTERNAL = 'internal.config.kubernetes.io'
const LEGACY = 'config.kubernetes.io'

test.each([
  [`${INTERNAL}/path`, true],
  [`${INTERNAL}/anything`, true],
  [`${LEGACY}/path`, true],
  [`${LEGACY}/index`, true],
  ['config.k8s.io/id', true],
  ['kustomize.config.k8s.io/id', true],
  ['internal.config.k8s.io/kpt-resource-id', true],
  [`${LEGACY}/local-config`, false],
  [`${LEGACY}/depends-on`, false],
  [`example.com/${INTERNAL}/`, false],
])('%s is of the wire: %s', (key, expected) => {
  expect(isWireAnnotation(key)).toBe(expected)
})

test('the file of an item is that of the new annotations before the legacy ones, each with its index, by default 0', () => {
  const fileOf = (annotations: Readonly<Record<string, string>>) => wireFile(new Map(Object.entries(annotations)))
  expect(fileOf({ [`${LEGACY}/path`]: 'old.yaml', [`${INTERNAL}/path`]: 'new.yaml', [`${INTERNAL}/index`]: '2' })).toEqual({
    path: 'new.yaml',
    index: 2,
  })
  expect(fileOf({ [`${LEGACY}/path`]: 'old.yaml', [`${LEGACY}/index`]: '3' })).toEqual({ path: 'old.yaml', index: 3 })
  expect(fileOf({ [`${INTERNAL}/path`]: 'a.yaml' })).toEqual({ path: 'a.yaml', index: 0 })
  for (const index of ['one', '1.5', '9007199254740993'])
    expect(fileOf({ [`${INTERNAL}/path`]: 'a.yaml', [`${INTERNAL}/index`]: index })).toEqual({ path: 'a.yaml', index: 0 })
  expect(fileOf({ [`${INTERNAL}/index`]: '1' })).toBeUndefined()
})

test('a new item says where it belongs in both spellings, and its package if that is known', () => {
  const file = { path: 'a.yaml', index: 1 }
  const both = { [`${LEGACY}/index`]: '1', [`${LEGACY}/path`]: 'a.yaml', [`${INTERNAL}/index`]: '1', [`${INTERNAL}/path`]: 'a.yaml' }
  expect(newWireAnnotations(file, undefined)).toEqual(both)
  expect(newWireAnnotations(file, '/pkg')).toEqual({ ...both, [`${INTERNAL}/package-path`]: '/pkg' })
})

const OWN = { note: 'x' }
const MIXED = { ...OWN, [`${INTERNAL}/path`]: 'a.yaml' }
const WIRE = { [`${INTERNAL}/path`]: 'a.yaml' }

test('a value is read without the annotations of the wire, wherever the reading begins', () => {
  const object = { kind: 'A', metadata: { name: 'a', annotations: MIXED }, spec: { annotations: MIXED } }
  expect(withoutWire([], object)).toEqual({ ...object, metadata: { name: 'a', annotations: OWN } })
  expect(withoutWire(['metadata'], object.metadata)).toEqual({ name: 'a', annotations: OWN })
  expect(withoutWire(['metadata', 'annotations'], MIXED)).toEqual(OWN)
  for (const path of [['spec'], ['spec', 'annotations'], ['metadata', 'labels'], ['metadata', 'annotations', 'x']])
    expect(withoutWire(path, { annotations: MIXED })).toEqual({ annotations: MIXED })
})

test('annotations that were all of the wire are none, and empty ones stay empty', () => {
  expect(withoutWire(['metadata', 'annotations'], WIRE)).toBeUndefined()
  expect(withoutWire([], { metadata: { name: 'a', annotations: WIRE } })).toEqual({ metadata: { name: 'a' } })
  expect(withoutWire(['metadata', 'annotations'], {})).toEqual({})
  expect(withoutWire(['metadata'], { name: 'a' })).toEqual({ name: 'a' })
  expect([withoutWire([], 'text'), withoutWire(['metadata', 'annotations'], ['a'])]).toEqual(['text', ['a']])
})

test('the fields of a map keep their order when annotations of the wire are left out', () => {
  const read = withoutWire([], { apiVersion: 'v1', metadata: { annotations: MIXED, name: 'a' }, kind: 'A' })
  expect(JSON.stringify(read)).toBe('{"apiVersion":"v1","metadata":{"annotations":{"note":"x"},"name":"a"},"kind":"A"}')
})

test.each<readonly [FieldPath, boolean]>([
  [[], true],
  [['metadata'], true],
  [['metadata', 'annotations'], true],
  [['metadata', 'annotations', 'x'], false],
  [['metadata', 'labels'], false],
  [['spec'], false],
  [['spec', 'annotations'], false],
])('the value at %j may hold annotations of the wire: %s', (path, expected) => {
  expect(holdsWire(path)).toBe(expected)
})

const written = (annotations: string) => readYaml(`metadata:\n  annotations: {${annotations}}\n`)
const ON_WIRE = written(`note: x, ${INTERNAL}/path: a.yaml, ${INTERNAL}/seqindent: wide`)
const KEPT = { [`${INTERNAL}/path`]: 'a.yaml', [`${INTERNAL}/seqindent`]: 'wide' }

test('a value that is written keeps the annotations of the wire, wherever the writing begins', () => {
  expect(keepWire(['metadata', 'annotations'], { b: 'c' }, ON_WIRE)).toEqual({ b: 'c', ...KEPT })
  expect(keepWire(['metadata'], { name: 'a' }, ON_WIRE)).toEqual({ name: 'a', annotations: KEPT })
  expect(keepWire([], { kind: 'A' }, ON_WIRE)).toEqual({ kind: 'A', metadata: { annotations: KEPT } })
  expect(keepWire(['metadata', 'labels'], { b: 'c' }, ON_WIRE)).toEqual({ b: 'c' })
  expect(keepWire([], { kind: 'A' }, written('note: x'))).toEqual({ kind: 'A' })
  expect([keepWire([], 'text', ON_WIRE), keepWire([], { kind: 'A' }, readYaml('kind: A\n'))]).toEqual(['text', { kind: 'A' }])
})

test('the annotation for the indentation of lists says nothing about the place of an item', () => {
  expect(placeKeys(ON_WIRE)).toEqual([`${INTERNAL}/path`])
  const indents = ['wide', 'compact', 'other', '[wide]'].map((indent) => seqindent(written(`${INTERNAL}/seqindent: ${indent}`)))
  expect(indents).toEqual(['wide', 'compact', undefined, undefined])
  expect(seqindent(written('note: x'))).toBeUndefined()
})
