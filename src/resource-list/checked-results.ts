import type { Result } from '../result.ts'
import { findNotPlain, notPlainMessage } from './plain-value.ts'

const SEVERITIES: ReadonlySet<unknown> = new Set(['error', 'warning', 'info'])

/**
 * Returns the results; replaces each result that a host could not read by an error with its path and the rule `plain-json`.
 * A function written without types may report anything.
 */
export function checkedResults(results: readonly Result[]): readonly Result[] {
  return results.map((result, index) => {
    const message = faultOf(result, `results[${index}]`)
    return message === undefined ? result : { severity: 'error', message, tags: { rule: 'plain-json' } }
  })
}

function faultOf(result: Partial<Result> | null | undefined, at: string): string | undefined {
  if (typeof result !== 'object' || result === null) return `\`${at}\` must be a result with severity, message and tags, got ${result}`
  const { severity, message, tags, field } = result
  if (!SEVERITIES.has(severity)) return `\`${at}.severity\` must be one of 'error', 'warning', 'info', got ${quoted(severity)}`
  if (typeof message !== 'string') return `\`${at}.message\` must be a text, got ${quoted(message)}`
  if (typeof tags?.rule !== 'string') return `\`${at}.tags.rule\` must be a text, got ${quoted(tags?.rule)}`
  if (field === undefined) return undefined
  if (!Array.isArray(field.path)) return `\`${at}.field.path\` must be a list of keys and positions, got ${quoted(field.path)}`
  return notPlainIn(field.currentValue, `${at}.field.currentValue`) ?? notPlainIn(field.proposedValue, `${at}.field.proposedValue`)
}

function notPlainIn(value: unknown, at: string): string | undefined {
  const notPlain = value === undefined ? undefined : findNotPlain(value)
  return notPlain && notPlainMessage(`${at}${notPlain.path.map((step) => `[${JSON.stringify(step)}]`).join('')}`, notPlain.found)
}

function quoted(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  return findNotPlain(value)?.found ?? (typeof value === 'object' && value !== null ? 'a list or record' : String(value))
}
