import { expect, test } from 'vitest'
import { RULES } from '../src/rules/all-rules.ts'
import { recordRun } from '../testdata/cli/recorded-run.ts'

test('rule lists every rule in a line', async () => {
  const { stdout, exitCode } = await recordRun('.', ['rule'])
  const listed = stdout.trimEnd().split('\n')
  expect(exitCode).toBe(0)
  expect(listed.map((line) => line.split(' ')[0])).toEqual([...RULES.keys()])
})

test('rule shows the files of an example, with an arrow below the place of the finding', async () => {
  const { stdout } = await recordRun('.', ['rule', 'empty'])
  expect(stdout).toContain('\nFound by krm-variants check:\n\n  apiVersion: config.porch.kpt.dev/v1alpha2\n')
  expect(stdout).toContain('\n    - repositories: []\n    # ^\n')
})
