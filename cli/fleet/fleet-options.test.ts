import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The commands that read a fleet; `run` and `cel` read packages and targets alone. */
const COMMANDS = ['plan', 'diff', 'explain', 'outdated', 'rings', 'promote', 'check', 'graph', 'render', 'resolve', 'simulate', 'sync']

/** Returns the flags of a command in the group of options of the fleet, as its help shows them. */
async function optionsInHelp(command: string): Promise<readonly string[]> {
  const { stdout } = await recordRun(ROOT, [command, '--help'])
  const group = /\nOptions of the fleet, with one meaning in every command:\n(.*?)\n\n/s.exec(`${stdout}\n\n`)?.[1] ?? ''
  return Array.from(group.matchAll(/^ {2}(--[\w-]+)/gm), ([, flag = '']) => flag)
}

test('the page of options has the options of the fleet that the help of each command has', async () => {
  const found = await Promise.all(COMMANDS.map(async (command) => [command, await optionsInHelp(command)] as const))
  const page = readFileSync(join(ROOT, 'docs/options.md'), 'utf8')
  const rows = Array.from(page.matchAll(/^\| (\w+) \| (`--.*) \|$/gm), ([, command = '', flags = '']) => [command, flags] as const)
  expect(rows).toEqual(found.map(([command, flags]) => [command, flags.map((flag) => `\`${flag}\``).join(' ')]))
})

test('every command that reads a fleet takes every option of the fleet, but for four reasons that the page gives', async () => {
  const all = ['--out', '--config', '--allow-outside', '--offline', '--git-timeout', '--cluster']
  for (const command of COMMANDS) {
    const missing = all.filter((flag) => flag !== '--cluster' || (command !== 'promote' && command !== 'sync'))
    const renamed = missing.map((flag) => (command === 'plan' && flag === '--out' ? '--packages' : flag))
    expect([command, await optionsInHelp(command)]).toEqual([command, renamed])
  }
})

test('no command has an option of the fleet with another meaning outside of the group', async () => {
  for (const command of COMMANDS) {
    const { stdout } = await recordRun(ROOT, [command, '--help'])
    const flags = Array.from(stdout.matchAll(/^ {2}(--[\w-]+)/gm), ([, flag = '']) => flag)
    const twice = flags.filter((flag, i) => flags.indexOf(flag) !== i)
    expect([command, twice]).toEqual([command, []])
  }
})
