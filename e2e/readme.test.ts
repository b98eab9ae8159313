import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

test('what the README shows of a plan is what the tool prints', async () => {
  const [, shown = ''] = readFileSync(`${ROOT}README.md`, 'utf8').match(/^```\n(fleet\/.*?)^```$/ms) ?? []
  const { stdout, exitCode } = await runProgram(bundlePath('krm-variants'), ['plan', 'examples/fleet'])
  expect(exitCode).toBe(2)
  expect(shown).not.toBe('')
  expect(stdout.toString()).toContain(shown)
})
