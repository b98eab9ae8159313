import { expect, test } from 'vitest'
import { judgedRows } from '../../../testdata/danger-changes/read-changes.ts'
import { fieldChanges } from '../field-changes.ts'
import { dangersOf } from './dangers.ts'

const ROWS = judgedRows()

test('the table has 300 changes, and half of them only look dangerous', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(300)
  const harmless = ROWS.filter(({ has }) => has.length === 0).length
  expect(harmless / ROWS.length).toBeGreaterThan(0.45)
})

test.each(ROWS)('$title', ({ before, after, objects, has }) => {
  const found = dangersOf({
    op: after === undefined ? 'delete' : 'change',
    before,
    ...(after && { after }),
    fields: after === undefined ? [] : fieldChanges(before, after),
    objects: () => ({ before: [before, ...objects], after: [...(after === undefined ? [] : [after]), ...objects] }),
    kubernetesVersion: '1.37',
  })
  expect([...new Set(found.map(({ rule }) => rule))].sort()).toEqual([...has].sort())
})
