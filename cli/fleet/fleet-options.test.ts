import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The commands that read a fleet. */
const COMMANDS = ['plan', 'diff', 'explain', 'outdated', 'rings', 'promote', 'check', 'graph', 'render', 'resolve', 'simulate', 'sync']

/** The other commands, and what they read instead of a fleet with its packages. */
const OTHERS: Readonly<Record<string, string>> = {
  init: 'makes a fleet',
  import: 'makes an upstream package of the files of others',
  convert: 'makes a fleet of the tree of another tool',
  run: 'runs the functions of the packages that it is given',
  catalog: 'reads archives and folders of packages',
  adopt: 'reads variants, and the sets of a cluster',
  cel: 'reads the targets of sets',
  schema: 'reads the kinds of files',
  fn: 'gives a function its list, whose options are its functionConfig',
  rule: 'reads nothing',
  completion: 'reads nothing',
  help: 'reads nothing',
}

/** The options that choose a part of the fleet by a name. */
const CHOICES = ['--set', '--matrix', '--package', '--ring', '--only']

function flagsIn(help: string): readonly string[] {
  return Array.from(help.matchAll(/^ {2}(--[\w-]+)/gm), ([, flag = '']) => flag)
}

/** Returns the flags of a command in the group of options of the fleet, as its help shows them. */
async function optionsInHelp(command: string): Promise<readonly string[]> {
  const { stdout } = await recordRun(ROOT, [command, '--help'])
  return flagsIn(/\nOptions of the fleet, with one meaning in every command:\n(.*?)\n\n/s.exec(`${stdout}\n\n`)?.[1] ?? '')
}

/** Returns the rows of a table of the page of options: each command with its options. */
function tableOfPage(heading: string): readonly (readonly [command: string, flags: string])[] {
  const page = readFileSync(join(ROOT, 'docs/options.md'), 'utf8')
  const table = page.slice(page.indexOf(`\n| command | ${heading} |\n`) + 1).split('\n\n')[0] ?? ''
  return Array.from(table.matchAll(/^\| (\w+) \| (`--.*) \|$/gm), ([, command = '', flags = '']) => [command, flags] as const)
}

function rowOf(command: string, flags: readonly string[]): readonly [command: string, flags: string] {
  return [command, flags.map((flag) => `\`${flag}\``).join(' ')]
}

test('each command of the help takes the options of the fleet, or reads something else', async () => {
  const { stdout } = await recordRun(ROOT, ['--help'])
  const commands = Array.from(stdout.slice(stdout.indexOf('\nCommands:\n')).matchAll(/^ {2}([a-z]+) /gm), ([, name = '']) => name)
  expect(commands.toSorted()).toEqual([...COMMANDS, ...Object.keys(OTHERS)].sort())
  const taking = await Promise.all(commands.map(async (name) => ((await optionsInHelp(name)).length > 0 ? [name] : [])))
  expect(taking.flat().sort()).toEqual(COMMANDS.toSorted())
})

test('the page of options has the options of the fleet that the help of each command has', async () => {
  const found = await Promise.all(COMMANDS.map(async (command) => rowOf(command, await optionsInHelp(command))))
  expect(tableOfPage('options')).toEqual(found)
})

test('the page of options has the options of each command that choose a part of the fleet by name', async () => {
  const found = await Promise.all(
    [...COMMANDS, 'run', 'cel', 'adopt'].map(async (command) => {
      const { stdout } = await recordRun(ROOT, [command, '--help'])
      return rowOf(
        command,
        flagsIn(stdout).filter((flag) => CHOICES.includes(flag)),
      )
    }),
  )
  expect(tableOfPage('choices')).toEqual(found.filter(([, flags]) => flags !== ''))
})

const WRONG_NAMES = [
  ...['plan', 'diff', 'explain --behind', 'explain --missing ber-01', 'explain tills-store-ber-01-tills', 'explain ConfigMap/x'].map(
    (command) => `${command} --cluster store-ber-0l`,
  ),
  ...['outdated', 'rings', 'check', 'graph', 'render --dry-run'].map((command) => `${command} --cluster store-ber-0l`),
  'outdated --ring canry',
  'rings --ring canry',
  'promote --matrix tills --package tills --to 4 --ring canry',
  'promote --matrix til --package tills --to 4 --ring canary',
  'rings --matrix til',
  'rings --package til',
  'plan --set til',
  'outdated --set til',
  'outdated --on catalog/til@3',
  'render --dry-run --only set=til',
  'render --dry-run --only repository=store-ber-0l',
]

test.each(WRONG_NAMES)('%s names the nearest name of the fleet, and exits with 1', async (command) => {
  const { exitCode, both } = await recordRun(join(ROOT, 'testdata/cli/promote'), [...command.split(' '), 'input'])
  const wanted = command.includes('canry') ? 'canary' : command.includes('0l') ? 'store-ber-01' : 'tills'
  expect([exitCode, both]).toEqual([1, expect.stringMatching(new RegExp(`did you mean '(catalog/)?${wanted}'|(there is|are) .*${wanted}`))])
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
