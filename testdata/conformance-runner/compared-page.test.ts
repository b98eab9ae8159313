import { expect, test } from 'vitest'
import { faultsOfPage } from './compared-page.ts'

const COUNTS = new Map([['porch/clone', { equal: 1038, cases: 1042 }]])

test('a page that gives the counts of a run has no fault', () => {
  expect(faultsOfPage('| `porch/clone` | Porch | 1,038 of 1,042 |\n', COUNTS)).toEqual([])
})

test('a count that is no longer true, a folder without a row and a row without a folder are faults', () => {
  expect(faultsOfPage('| `porch/clone` | Porch | 1,042 of 1,042 |\n| `kpt` | kpt | 1 of 1 |\n', COUNTS)).toEqual([
    'docs/compared.md: the row of `porch/clone` must say 1,038 of 1,042, and says 1,042 of 1,042',
    'docs/compared.md: no answers of `kpt` were compared',
  ])
  expect(faultsOfPage('', COUNTS)).toEqual(['docs/compared.md: the row of `porch/clone` must say 1,038 of 1,042, and says nothing'])
})
