import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SHARED_MUST_BE_THERE } from '../../shared-folder.ts'
import { runTree } from '../run-tree.ts'
import { DEPENDENCIES } from './all.ts'

// Vectors that restate the tests of other projects are read where they lie, beside the repository.
const SHARED = fileURLToPath(new URL('../../../../shared/vectors', import.meta.url))
const there = existsSync(SHARED)

test('the vectors are there, on a machine that must have them', () => {
  expect(there || !SHARED_MUST_BE_THERE).toBe(true)
})

test.runIf(there)('every vector that judges check-dependencies is equal', async () => {
  const others = ['porch', 'cel'].map((folder) => ({ folder, cases: () => [], run: () => [], known: [] }))
  const { lines, failed } = await runTree(SHARED, [...DEPENDENCIES, ...others])
  expect(failed ? lines : []).toEqual([])
})
