import type { Command } from 'commander'
import { meaningOf, RULES, type Rule, severityText } from '../src/rules/all-rules.ts'
import { didYouMean } from '../src/schema/nearest-name.ts'
import type { ExitCode, Host } from './host.ts'
import { UsageError } from './usage-error.ts'

const EXAMPLES = `
Examples:
  krm-variants rule deletion-guard
  krm-variants rule | grep context`

/** Adds `rule [ID]`: prints the meaning of a finding and how to fix it. */
export function addRule(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('rule')
    .description('say what a rule means that a finding names, or list all')
    .argument('[id]', 'the id in brackets at the end of a finding')
    .addHelpText('after', EXAMPLES)
    .action((id: string | undefined) => {
      host.write(id === undefined ? Array.from(RULES.values(), lineOf).join('') : describe(findRule(id)))
      finish(0)
    })
}

/** Returns the rule with an id, with or without brackets. @throws UsageError when no rule has the id */
function findRule(id: string): Rule {
  const name = id.replace(/^\[|\]$/g, '')
  const rule = RULES.get(name)
  if (rule === undefined) throw new UsageError(`no rule '${name}'${didYouMean(name, [...RULES.keys()]) || '; krm-variants rule lists all'}`)
  return rule
}

const WIDTH = Math.max(...Array.from(RULES.keys(), (id) => id.length))

function lineOf(rule: Rule): string {
  return `${rule.id.padEnd(WIDTH)}  ${severityText(rule).padEnd('warning'.length)}  ${rule.summary}\n`
}

function describe(rule: Rule): string {
  const { id, example, toFix = 'Nothing to fix' } = rule
  const files = rule.bad === undefined ? '' : `\nFound by krm-variants ${rule.run ?? 'check'}:\n\n${rule.bad.replaceAll(/^(?=.)/gm, '  ')}`
  return `${id} (${severityText(rule)})\n\n${meaningOf(rule)}.\n\nExample: ${example}\nTo fix it: ${toFix}\n${files}`
}
