import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ADAPTERS } from './conformance-runner/adapters.ts'
import { runTree } from './conformance-runner/run-tree.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

// Answers of real kpt and of the real catalog functions, read where they are, beside the repository. Runs that need the test function are left
// out without Go.
describe.each([
  { folder: 'kpt', what: 'run gives what kpt fn render gives' },
  { folder: 'catalog', what: 'the built-in functions give what those of the catalog give' },
])('pipelines/$folder', ({ folder, what }) => {
  const recorded = fileURLToPath(new URL(`../../shared/pipelines/${folder}`, import.meta.url))
  const there = existsSync(recorded)

  test('the recorded answers are there, on a machine that must have them', () => {
    expect(there || !SHARED_MUST_BE_THERE).toBe(true)
  })

  test.skipIf(!there)(`${what}, but for the documented differences`, { timeout: 300_000 }, async () => {
    const { lines, failed } = await runTree(recorded, ADAPTERS)
    expect(failed, lines.join('\n')).toBe(false)
  })
})
