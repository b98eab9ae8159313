import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { type LabelSelectorFields, labelSelectorFaults } from './label-selector-rules.ts'

// Which of these an API server refuses, and at which field: apimachinery, validation.ValidateLabelSelector.
const ROWS: readonly { readonly reason: string; readonly selector: LabelSelectorFields; readonly fields: readonly string[] }[] = [
  { reason: 'the empty selector matches everything', selector: {}, fields: [] },
  { reason: 'keys with and without prefix', selector: { matchLabels: { env: 'prod', 'example.com/zone': '' } }, fields: [] },
  { reason: 'a key with two slashes', selector: { matchLabels: { 'a/b/c': 'x' } }, fields: ['matchLabels["a/b/c"]'] },
  { reason: 'a key of 64 letters', selector: { matchLabels: { ['k'.repeat(64)]: 'x' } }, fields: [`matchLabels.${'k'.repeat(64)}`] },
  { reason: 'a value with a blank', selector: { matchLabels: { env: 'not ok!' } }, fields: ['matchLabels.env'] },
  { reason: 'a value that ends with a dot', selector: { matchLabels: { env: 'prod.' } }, fields: ['matchLabels.env'] },
  { reason: 'a value with a placeholder is left to the rule about those', selector: { matchLabels: { env: '${ENV}' } }, fields: [] },
  { reason: 'In without values', selector: { matchExpressions: [{ key: 'a', operator: 'In' }] }, fields: ['matchExpressions[0].values'] },
  {
    reason: 'NotIn with no value',
    selector: { matchExpressions: [{ key: 'a', operator: 'NotIn', values: [] }] },
    fields: ['matchExpressions[0].values'],
  },
  {
    reason: 'Exists with an empty list of values',
    selector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: [] }] },
    fields: [],
  },
  {
    reason: 'DoesNotExist with values',
    selector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist', values: ['x'] }] },
    fields: ['matchExpressions[0].values'],
  },
  {
    reason: 'every fault of one requirement',
    selector: { matchExpressions: [{ key: '-', operator: 'In', values: ['ok', 'not ok'] }] },
    fields: ['matchExpressions[0].key', 'matchExpressions[0].values[1]'],
  },
]

test.each(ROWS)('$reason', ({ selector, fields }) => {
  const faults = labelSelectorFaults(selector, [])
  expect(faults.map(({ path }) => formatFieldPath(path))).toEqual(fields)
  expect(faults.map(({ rule, reason }) => [rule, reason])).toEqual(fields.map(() => ['label-selector', 'UnexpectedError']))
})
