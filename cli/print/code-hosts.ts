import { printable } from '../../src/printable.ts'
import { printJson } from './print-value.ts'

/** Returns a workflow command, which GitHub Actions shows at a line of a pull request (actions/toolkit, command.ts). */
export function githubCommand(
  level: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`)
  return `::${level} ${listed.join(',')}::${escapeCommand(message)}\n`
}

function escapeCommand(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeCommand(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

const LINK_START = /\[(?=[^[\]]*\]\()/g

/** Returns a plain message of SARIF 2.1.0. Users write messages' values, so what looks like a link is escaped with a backslash (3.11.6). */
export function sarifMessage(text: string): { readonly text: string } {
  return { text: text.replaceAll(LINK_START, '\\[') }
}

/**
 * Returns results as SARIF 2.1.0 for code scanning of GitHub, GitLab and editors (OASIS, 2020), with the rules that they name.
 *
 * @param version  the text of `--version`: `1.2.3` of `1.2.3 (commit 0123456789ab, …)` is the version of the driver
 */
export function sarifText(
  { name, version, rules: known }: { readonly name: string; readonly version: string; readonly rules: readonly { readonly id: string }[] },
  results: readonly { readonly ruleId: string }[],
): string {
  const used = new Set(results.map(({ ruleId }) => ruleId))
  const rules = known.filter(({ id }) => used.has(id))
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const indexed = results.map(({ ruleId, ...rest }) => {
    const ruleIndex = indexes.get(ruleId)
    return { ruleId, ...(ruleIndex !== undefined && { ruleIndex }), ...rest }
  })
  const driver = { name, version: version.replace(/ .*/, ''), rules }
  const run = { tool: { driver }, columnKind: 'unicodeCodePoints', results: indexed }
  return `${printJson({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, 2)}\n`
}
