import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CEL } from '../../../testdata/conformance-runner/cel/adapter.ts'
import { runTree } from '../../../testdata/conformance-runner/run-tree.ts'

const FOLDER = fileURLToPath(new URL('../../../testdata/conformance/cel', import.meta.url))

test('every answer is that of cel-go, or its difference is meant', async () => {
  const { lines, cases, failed } = await runTree(FOLDER, [CEL])
  expect(failed ? lines : []).toEqual([])
  expect(cases).toBeGreaterThan(2000)
})
