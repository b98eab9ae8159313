import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { Collector } from '../reading/collector.ts'
import { fieldAt, pathOfField } from '../reading/field.ts'
import { readKindFields, readProvides, readSelection } from './fields.ts'

/** Returns what a reader makes of a value, and the number of faults. */
function reading<Answer>(read: (field: ReturnType<typeof fieldAt>, collector: Collector) => Answer, value: unknown) {
  const object = KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'Holder', metadata: { name: 'a' }, value }))
  const collector = new Collector('carvel', rangeReader(DIALECTS.k14s), [])
  return [read(fieldAt(object, ['value']), collector), collector.findings.length]
}

const API = { apiVersion: 'example.org/v1', kind: 'App' }

test.each([
  [{ apiVersion: 'example.org/v1', kind: 'App' }, API, 0],
  [{ group: 'example.org', version: 'v1', kind: 'App' }, API, 0],
  [{ apiVersion: 'example.org/v1', group: 'other.org', version: 'v2', kind: 'App' }, API, 0],
  [{ version: 'v1', kind: 'Secret' }, { apiVersion: 'v1', kind: 'Secret' }, 0],
  [{ group: '', version: 'v1', kind: 'Secret' }, { apiVersion: 'v1', kind: 'Secret' }, 0],
  [{ group: 'example.org', kind: 'App' }, undefined, 1],
  [{ apiVersion: 'example.org/v1' }, undefined, 1],
  [{ apiVersion: 'example.org/v1', kind: '' }, undefined, 1],
  [{ kind: 'App' }, undefined, 1],
  [{ apiVersion: 5, kind: 'App' }, undefined, 1],
  [['App'], undefined, 1],
])('the kind %o is read as %o', (written, kind, faults) => {
  expect(reading(readKindFields, written)).toEqual([kind, faults])
})

test('a provided kind is plain or below gvk, as both examples of the seed have it', () => {
  expect(reading(readProvides, [API, { gvk: API }])).toEqual([[API, API], 0])
  expect(reading(readProvides, [{ gvk: API, name: 'a' }])).toEqual([[API], 1])
  expect(reading(readProvides, undefined)).toEqual([[], 0])
  expect(reading(readProvides, API)).toEqual([[], 1])
})

test.each([
  [undefined, [undefined, undefined], 0],
  [{ constraints: '1.0.0' }, ['1.0.0', undefined], 0],
  [{ constraints: '1.0.0', prereleases: {} }, ['1.0.0', { identifiers: [] }], 0],
  [{ prereleases: { identifiers: ['rc', 'beta'] } }, [undefined, { identifiers: ['rc', 'beta'] }], 0],
  [{ prereleases: null }, [undefined, undefined], 0],
  [{ prereleases: { identifiers: ['rc', 5] } }, [undefined, { identifiers: ['rc'] }], 1],
  [{ prereleases: { identifier: ['rc'] } }, [undefined, { identifiers: [] }], 1],
  [{ prereleases: 'rc' }, [undefined, undefined], 1],
  [{ constraint: '1.0.0' }, [undefined, undefined], 1],
])('the selection %j admits %j', (written, admitted, faults) => {
  const selected = reading((field, collector) => {
    const { constraints, constraintsField, prereleases } = readSelection(field, collector)
    expect(pathOfField(constraintsField)).toEqual(['value', 'constraints'])
    return [constraints, prereleases]
  }, written)
  expect(selected).toEqual([admitted, faults])
})
