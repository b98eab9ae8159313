import type { Command } from 'commander'
import { didYouMean } from '../src/schema/nearest-name.ts'
import { RULES, type RuleRow } from './generated/rules.ts'
import type { ExitCode, Host } from './host.ts'
import { UsageError } from './usage-error.ts'

const EXAMPLES = `
Examples:
  krm-variants rule deletion-guard
  krm-variants rule | grep context`

/** Adds `rule [ID]`: prints the meaning of a finding and how to fix it, from docs/rules.md. */
export function addRule(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('rule')
    .description('say what a rule means that a finding names, or list all')
    .argument('[id]', 'the id in brackets at the end of a finding')
    .addHelpText('after', EXAMPLES)
    .action((id: string | undefined) => {
      host.write(id === undefined ? RULES.map(lineOf).join('') : describe(findRule(id)))
      finish(0)
    })
}

/** Returns the rule with an id, with or without brackets. @throws UsageError when no rule has the id */
function findRule(id: string): RuleRow {
  const name = id.replace(/^\[|\]$/g, '')
  const row = RULES.find((rule) => rule.id === name)
  const ids = RULES.map((rule) => rule.id)
  if (row === undefined) throw new UsageError(`no rule '${name}'${didYouMean(name, ids) || '; krm-variants rule lists all'}`)
  return row
}

const WIDTH = Math.max(...RULES.map(({ id }) => id.length))

function lineOf({ id, severity, meaning }: RuleRow): string {
  return `${id.padEnd(WIDTH)}  ${severity.padEnd('warning'.length)}  ${meaning}\n`
}

function describe({ id, severity, meaning, example, mending }: RuleRow): string {
  return `${id} (${severity})\n\n${meaning}.\n\nExample: ${example}\nTo fix it: ${mending}\n`
}
