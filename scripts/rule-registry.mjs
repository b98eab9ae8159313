/**
 * The text of cli/generated/rules.ts: every row of docs/rules.md, for a bundle that has no files beside it.
 *
 * @param text  docs/rules.md
 */
export function rules(text) {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return `// Written by scripts/generate.mjs from docs/rules.md.

/** A row of docs/rules.md. */
export interface RuleRow {
  readonly id: string
  readonly severity: string
  readonly meaning: string
  readonly example: string
  readonly mending: string
}

export const RULES: readonly RuleRow[] = [
${rows.map((row) => `  ${JSON.stringify(rowOf(row))},`).join('\n')}
]
`
}

/** The cells of a row; a \\| stands for | in one. */
function rowOf(row) {
  const [, id, severity, meaning, example, mending] = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
  return { id: id.replaceAll('`', ''), severity, meaning, example, mending }
}
