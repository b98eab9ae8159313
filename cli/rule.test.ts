import { expect, test } from 'vitest'
import { RULES } from '../src/rules/all-rules.ts'
import { recordRun } from '../testdata/cli/recorded-run.ts'

test('rule lists every rule in a line', async () => {
  const { stdout, exitCode } = await recordRun('.', ['rule'])
  const listed = stdout.trimEnd().split('\n')
  expect(exitCode).toBe(0)
  expect(listed.map((line) => line.split(' ')[0])).toEqual([...RULES.keys()])
})
