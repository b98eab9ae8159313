import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ADAPTERS } from './conformance-runner/adapters.ts'
import { runTree } from './conformance-runner/run-tree.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

// Runs of real kpt, read where they are, beside the repository. What needs the test function is left out without Go.
const RECORDED = fileURLToPath(new URL('../../shared/pipelines/kpt', import.meta.url))
const there = existsSync(RECORDED)

test('the recorded runs are there, on a machine that must have them', () => {
  expect(there || !SHARED_MUST_BE_THERE).toBe(true)
})

test.skipIf(!there)('run gives what kpt fn render gives, but for the documented differences', { timeout: 300_000 }, async () => {
  const { lines, failed } = await runTree(RECORDED, ADAPTERS)
  expect(failed, lines.join('\n')).toBe(false)
})
