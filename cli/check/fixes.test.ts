import { expect, test } from 'vitest'
import type { JsonValue } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import { applyFixes, fixOf } from './fixes.ts'

const FILE = { path: 'a.yaml', index: 0 }
const TEXT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  one: 1 # first\n  two: b\n'

const objectOf = (text = TEXT) => KrmObject.fromDocument(text, { ...FILE, line: 1 })

function finding(path: readonly (string | number)[], proposedValue: JsonValue, more: Partial<Result> = {}): Result {
  return { severity: 'error', message: 'm', tags: { rule: 'wrong-type' }, file: FILE, field: { path, proposedValue }, ...more }
}

/** Returns the number of findings that are fixed, and the lines that are new. */
function fixed(findings: readonly Result[], text = TEXT) {
  const object = objectOf(text)
  const count = applyFixes(findings, [object]).length
  return [
    count,
    object
      .toText()
      .split('\n')
      .filter((line) => !text.split('\n').includes(line)),
  ]
}

test('a proposed value is written into its field, with its comment', () => {
  expect(fixed([finding(['data', 'one'], 'x')])).toEqual([1, ['  one: x # first']])
})

test('a value of the same spelling is spelled anew for its type', () => {
  const one = finding(['data', 'one'], '1', { field: { path: ['data', 'one'], currentValue: '1', proposedValue: '1' } })
  expect(fixed([one])).toEqual([1, ['  one: "1" # first']])
})

test('of two findings about one field, or one below the other, the first counts', () => {
  expect(fixed([finding(['data', 'one'], 'x'), finding(['data', 'one'], 'y')])).toEqual([1, ['  one: x # first']])
  expect(fixed([finding(['data'], { z: 'z' }), finding(['data', 'one'], 'y')])[0]).toBe(1)
  expect(fixed([finding(['data', 'one'], 'y'), finding(['data'], { z: 'z' })])[0]).toBe(1)
  expect(fixed([finding(['data', 'one'], 'x'), finding(['data', 'two'], 'y')])[0]).toBe(2)
})

test('a proposed key replaces the key, unless the key is there already', () => {
  const renamed = (proposedKey: string) => finding(['data', 'one'], null, { field: { path: ['data', 'one'] }, proposedKey })
  expect(fixed([renamed('three')])).toEqual([1, ['  three: 1 # first']])
  expect(fixed([renamed('two')])).toEqual([0, []])
})

test('a finding of another file, or without a field, changes nothing', () => {
  expect(fixed([finding(['data', 'one'], 'x', { file: { path: 'b.yaml', index: 0 } })])).toEqual([0, []])
  expect(fixed([finding(['data', 'one'], 'x', { file: { path: 'a.yaml', index: 1 } })])).toEqual([0, []])
  const { field: _, ...bare } = finding([], '')
  expect(fixed([bare])).toEqual([0, []])
})

test('a finding about an entry of a List is fixed in that entry', () => {
  const text =
    'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: x}\n  data: {k: 1}\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: y}\n  data: {k: 2}\n'
  const ofEntry = finding(['data', 'k'], 'z', { resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'y' } })
  expect(fixed([ofEntry], text)).toEqual([1, ['  data: {k: z}']])
})

test('only a finding with a proposal, a file and a field has a fix', () => {
  const sound = finding(['data'], 'x', { tags: { rule: 'older-api-version' } })
  const { file: _, ...withoutFile } = sound
  expect(fixOf(sound)).toBeDefined()
  expect([
    fixOf(withoutFile),
    fixOf({ ...sound, field: { path: ['data'] } }),
    fixOf({ ...sound, field: { path: [], proposedValue: 'x' } }),
  ]).toEqual([undefined, undefined, undefined])
})
