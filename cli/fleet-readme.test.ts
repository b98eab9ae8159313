import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The blocks of the README that show a command of ours with what it says. */
function shownRuns(): readonly { readonly command: string; readonly output: string }[] {
  const text = readFileSync(resolve(ROOT, 'examples/fleet/README.md'), 'utf8')
  return Array.from(text.matchAll(/```console\n\$ krm-variants (.*)\n([\s\S]*?)```/g), ([, command = '', output = '']) => ({
    command,
    output,
  }))
}

/** The words of a command line; double quotes keep blanks together. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare = '']) => quoted ?? bare)
}

test.each(shownRuns())('examples/fleet/README.md shows what `$command` says', async ({ command, output }) => {
  const { both } = await recordRun(ROOT, wordsOf(command))
  expect(output).toBe(both)
})

test('the README shows a plan', () => {
  expect(shownRuns().map(({ command }) => command)).toContain('plan examples/fleet')
})
