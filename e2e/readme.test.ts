import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

/** Returns what the README shows of commands: their lines, with … for what is left out. */
function shownRuns(): readonly { readonly command: string; readonly output: string }[] {
  const text = readFileSync(`${ROOT}README.md`, 'utf8')
  return Array.from(text.matchAll(/^```text\n\$ krm-variants (.*)\n([\s\S]*?)^```$/gm), ([, command = '', output = '']) => ({
    command,
    output,
  }))
}

test.each(shownRuns())('what the README shows of `$command` is what the tool prints', async ({ command, output }) => {
  const { stdout } = await runProgram(bundlePath('krm-variants'), command.split(' '))
  const parts = output.split(/^…\n/m).filter((part) => part !== '')
  expect(parts).not.toEqual([])
  expect(parts.filter((part) => !stdout.toString().includes(part))).toEqual([])
})

test('the README shows a plan, an explanation and a check', () => {
  expect(shownRuns().map(({ command }) => command.split(' ')[0])).toEqual(['plan', 'explain', 'check'])
})
