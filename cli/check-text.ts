import { formatExcerpt } from '../src/cel/excerpt.ts'
import { countOf } from '../src/wording.ts'
import type { CheckView } from './check-view.ts'
import { printResult } from './print-results.ts'
import type { Styles } from './styles.ts'

/** What a check found, for people: each finding with its line and a caret below the place. */
export function checkText(view: CheckView, styles: Styles, lineOf: LineOf): string {
  const findings = view.findings.map(({ result }) => {
    const { file, position } = result
    const line = file && position && lineOf(file.path, position.line)
    const excerpt = line === undefined ? '' : excerptOf(line, position?.line ?? 1, position?.column ?? 1, styles)
    return `${printResult(result, styles)}\n${excerpt}`
  })
  return [...findings, `${styles.strong(summarizeCheck(view))}\n`].join('')
}

/** Gives a line of a file as it stands on disk; undefined where it cannot be read. */
export type LineOf = (path: string, line: number) => string | undefined

/** `2 errors, 1 warning, 1 can be fixed with --fix`. */
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
  const shown = [...line].slice(start - 1, start - 1 + WIDTH).join('')
  const [text = '', caret = ''] = formatExcerpt(shown, 1, column - start + 1).split('\n')
  const margin = String(number)
  return `${faint(`  ${margin} |`)} ${text}\n${faint(`  ${' '.repeat(margin.length)} |`)} ${caret.slice(0, -1)}${strong('^')}\n`
}
