import { expect, test } from 'vitest'
import { omitEmpty } from './render-template.ts'

test.each([
  { reason: 'empty values go', record: { a: '', b: [], c: {}, d: 0, e: 1, f: 'x' }, expected: { e: 1, f: 'x' } },
  {
    reason: 'those of records in lists too',
    record: { selectors: [{ kind: 'A', name: '' }, {}] },
    expected: { selectors: [{ kind: 'A' }, {}] },
  },
  { reason: 'entries of maps stay', record: { selectors: [{ labels: { a: '' } }] }, expected: { selectors: [{ labels: { a: '' } }] } },
])('as Go writes it: $reason', ({ record, expected }) => {
  expect(omitEmpty(record)).toEqual(expected)
})
