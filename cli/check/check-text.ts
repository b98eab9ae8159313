import { formatExcerpt } from '../../src/cel/expression-position.ts'
import { formatFieldPath } from '../../src/field-path.ts'
import { holdsSecretUrl } from '../../src/git/git-address.ts'
import { groupBy } from '../../src/group-by.ts'
import { groupedResults } from '../../src/grouped-results.ts'
import { printable, printableText } from '../../src/printable.ts'
import { formatResourceRef, type Result } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { isViolation, violationKey, violator } from '../print/equal-violations.ts'
import { compareFindings, printResult } from '../print/print-results.ts'
import type { Styles } from '../print/styles.ts'
import type { CheckView } from './check-view.ts'

/** At most this many equal findings are printed one by one: one line for all would not be shorter. */
const FEW = 2

/** A finding, and equal findings on other objects. */
interface FindingGroup {
  readonly first: Result
  readonly others: readonly Result[]
}

/**
 * Returns the findings of a check for people, each with its line and a caret below the place. Findings that differ only in their object are
 * printed once, and at most as many of one rule and object as functions report.
 */
export function checkText(view: CheckView, { styles, lineOf, all }: CheckTextOptions): string {
  const results = view.findings.map(({ result }) => result)
  const groups = all ? results.map((first) => ({ first, others: [] })) : groupFindings(groupedResults(results).toSorted(compareFindings))
  return [...groups.map((group) => groupText(group, styles, lineOf)), `${styles.strong(summarizeCheck(view))}\n`].join('')
}

export interface CheckTextOptions {
  readonly styles: Styles
  readonly lineOf: LineOf
  /** True to print equal findings one by one. */
  readonly all: boolean
}

function groupText({ first, others }: FindingGroup, styles: Styles, lineOf: LineOf): string {
  const { file, position } = first
  const line = file && position && lineOf(file.path, position.line)
  const excerpt =
    line === undefined || showsSecret(line, first.tags.rule) || NO_TEXT.test(line)
      ? ''
      : excerptOf(line, position?.line ?? 1, position?.column ?? 1, styles)
  const names = others.map((other) => printable(nameOf(other)))
  const more = others.length === 0 ? '' : `  the same of ${nameFirst(names, NAMED_OBJECTS)}\n`
  return `${printResult(first, styles)}\n${excerpt}${more}`
}

/** Returns the name of what a finding is about: the item of a policy, the object, or the file. */
function nameOf(result: Result): string {
  if (isViolation(result)) return violator(result)
  return result.resourceRef === undefined ? (result.file?.path ?? '') : formatResourceRef(result.resourceRef)
}

/**
 * Returns true if a line may hold a password: the line of a refused repository address, even if that is no URL, or any line with a URL that
 * holds one.
 */
function showsSecret(line: string, rule: string): boolean {
  return rule === 'repository-address' || holdsSecretUrl(line)
}

/** Matches a line of a binary file, or of one in another encoding: its bytes say nothing. */
const NO_TEXT = /[\0\ufffd]/

const NAMED_OBJECTS = 3

/** Returns a line of a file on disk; undefined if the file cannot be read. */
export type LineOf = (path: string, line: number) => string | undefined

/** Returns a summary: `2 errors, 1 warning, 1 can be fixed with --fix`. */
export function summarizeCheck({ counts: { errors, warnings, safe, unsafe } }: CheckView): string {
  return [
    countOf(errors, 'error'),
    ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
    `${safe} can be fixed with --fix`,
    ...(unsafe > 0 ? [`${unsafe} with --unsafe-fixes`] : []),
  ].join(', ')
}

/** A longer line is cut on both sides of the place. */
const WIDTH = 120

function excerptOf(line: string, number: number, column: number, { faint, strong }: Styles): string {
  const start = column > WIDTH ? column - WIDTH / 2 : 1
  const characters = [...line].slice(start - 1, start - 1 + WIDTH)
  const before = printableText(characters.slice(0, column - start).join(''))
  const behind = printableText(characters.slice(column - start).join(''))
  const [text = '', caret = ''] = formatExcerpt(`${before}${behind}`, 1, [...before].length + 1).split('\n')
  const margin = String(number)
  return `${faint(`  ${margin} |`)} ${text}\n${faint(`  ${' '.repeat(margin.length)} |`)} ${caret.slice(0, -1)}${strong('^')}\n`
}

/** Findings of one rule that differ by their object only as one, in the place of the first. */
function groupFindings(results: readonly Result[]): readonly FindingGroup[] {
  return [...groupBy(results, keyOf).values()].flatMap((group) => {
    const [first, ...others] = group
    return group.length > FEW ? [{ first, others }] : group.map((each) => ({ first: each, others: [] }))
  })
}

function keyOf(result: Result): string {
  if (isViolation(result)) return violationKey(result)
  const { severity, message, resourceRef, field, tags } = result
  if (resourceRef === undefined) return JSON.stringify([severity, tags.rule, message])
  const said = message.replaceAll(formatResourceRef(resourceRef), resourceRef.kind)
  return JSON.stringify([severity, tags.rule, resourceRef.kind, formatFieldPath(field?.path ?? []), said])
}
