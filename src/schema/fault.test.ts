import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { type Fault, faultToResult } from './fault.ts'

const TEXT = 'apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: b}\nspec:\n  list:\n  - name: x\n    other: y\n  text: z\n'
const OBJECT = KrmObject.fromDocument(TEXT, { path: 'a.yaml', index: 1, line: 11 })

function fault(fields: Partial<Fault>): Fault {
  return { severity: 'warning', rule: 'required', path: ['spec', 'text'], message: 'must be b', ...fields }
}

test('a result has the object, the field with its value, the file and the place', () => {
  expect(faultToResult(OBJECT, fault({}))).toStrictEqual({
    severity: 'warning',
    message: '`spec.text` must be b',
    resourceRef: { apiVersion: 'v1', kind: 'A', name: 'a', namespace: 'b' },
    field: { path: ['spec', 'text'], currentValue: 'z' },
    file: { path: 'a.yaml', index: 1 },
    position: { line: 18, column: 9 },
    tags: { rule: 'required' },
  })
})

test('an object without a file has none in its results', () => {
  expect(faultToResult(KrmObject.fromDocument(TEXT), fault({}))).not.toHaveProperty('file')
})

test('what is proposed and the reason of the controller are in the result', () => {
  const result = faultToResult(OBJECT, fault({ proposedValue: '', reason: 'Stalled' }))
  expect(result.field).toStrictEqual({ path: ['spec', 'text'], currentValue: 'z', proposedValue: '' })
  expect(result.tags).toStrictEqual({ rule: 'required', reason: 'Stalled' })
})

test('a missing field has no value', () => {
  expect(faultToResult(OBJECT, fault({ path: ['spec', 'none'] })).field).toStrictEqual({ path: ['spec', 'none'] })
})

test('a key is proposed if the map does not have it', () => {
  const path = ['spec', 'list', 0, 'name']
  expect(faultToResult(OBJECT, fault({ path, proposedKey: 'title' })).proposedKey).toBe('title')
  expect(faultToResult(OBJECT, fault({ path, proposedKey: 'other' }))).not.toHaveProperty('proposedKey')
})

test.each<{ readonly reason: string; readonly fields: Partial<Fault>; readonly at: string }>([
  { reason: 'the value of a scalar', fields: {}, at: '18:9' },
  { reason: 'the key, if the fault is about the key', fields: { atKey: true }, at: '18:3' },
  { reason: 'the key of a list', fields: { path: ['spec', 'list'] }, at: '15:3' },
  { reason: 'an entry of a list', fields: { path: ['spec', 'list', 0, 'other'] }, at: '17:12' },
  { reason: 'the key of the map that lacks a field', fields: { path: ['spec', 'none'] }, at: '14:1' },
  { reason: 'the entry of a list that lacks a field', fields: { path: ['spec', 'list', 0, 'none'] }, at: '16:5' },
  { reason: 'the key of a text that should be a map', fields: { path: ['spec', 'text', 'none'] }, at: '18:3' },
  { reason: 'the key of a list that lacks a key', fields: { path: ['spec', 'list', 'none'], atKey: true }, at: '15:3' },
  { reason: 'the object that lacks a field', fields: { path: ['none'] }, at: '11:1' },
  { reason: 'another field than the one that the message names', fields: { place: ['spec', 'list', 0, 'name'] }, at: '16:11' },
  { reason: 'the key of another field', fields: { place: ['spec', 'list', 0, 'name'], atKey: true }, at: '16:5' },
  { reason: 'the holder of another field that is missing', fields: { place: ['metadata', 'none'] }, at: '13:1' },
  { reason: 'a position that the search found', fields: { position: { line: 1, column: 2 } }, at: '1:2' },
])('a result points at $reason', ({ fields, at }) => {
  const { position } = faultToResult(OBJECT, fault(fields))
  expect(`${position?.line}:${position?.column}`).toBe(at)
})

test('annotations that are all of the wire are not in the file, so that the result points at the map around them', () => {
  const list = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'
  const item = '- kind: A\n  metadata:\n    name: a\n    annotations:\n      config.kubernetes.io/path: a.yaml\n'
  const [object] = ResourceList.parse(`${list}${item}`).items
  const { field, position } = faultToResult(object ?? OBJECT, fault({ path: ['metadata', 'annotations'] }))
  expect(field).toStrictEqual({ path: ['metadata', 'annotations'] })
  expect(position).toEqual({ line: 2, column: 1 })
})
