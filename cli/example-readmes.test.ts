import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const READMES = ['examples/fleet/README.md', 'examples/lifecycles/README.md']

/** The blocks of a README that show a command of ours with what it says. */
function shownRuns(readme: string): readonly { readonly readme: string; readonly command: string; readonly output: string }[] {
  const text = readFileSync(resolve(ROOT, readme), 'utf8')
  return Array.from(text.matchAll(/```console\n\$ krm-variants (.*)\n([\s\S]*?)```/g), ([, command = '', output = '']) => ({
    readme,
    command,
    output,
  }))
}

/** The words of a command line; double quotes keep blanks together. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare = '']) => quoted ?? bare)
}

test.each(READMES.flatMap(shownRuns))('$readme shows what `$command` says', async ({ command, output }) => {
  const { both } = await recordRun(ROOT, wordsOf(command))
  expect(output).toBe(both)
})

test('the READMEs show a plan, and simulations', () => {
  expect(shownRuns('examples/lifecycles/README.md')).toHaveLength(3)
  expect(shownRuns('examples/fleet/README.md').map(({ command }) => command)).toContain('plan examples/fleet')
})
