import { exponentOf, missesOf, type Row, timesOf } from './row.ts'

const HEAD = ['work', 'clock', 'processor', 'memory', 'beside', 'clock', 'processor', 'times', 'asked', 'last tag', ''] as const

/** A row, and what it was at the last tag. */
export interface ComparedRow {
  readonly row: Row
  readonly recorded?: number
  readonly isSlower?: boolean
}

/** Returns the rows as a table of Markdown, as `docs/speed.md` shows it. */
export function formatTable(rows: readonly ComparedRow[], isJudged: boolean): string {
  const cells = rows.map((row) => cellsOf(row, isJudged))
  return [HEAD, HEAD.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function cellsOf({ row, recorded, isSlower }: ComparedRow, isJudged: boolean): readonly string[] {
  const { work, ours, beside } = row
  return [
    work,
    seconds(ours.wall),
    seconds(ours.processor),
    ours.megabytes === undefined ? '' : `${ours.megabytes.toFixed(0)} MB`,
    beside?.what ?? '',
    beside === undefined ? '' : seconds(beside.cost.wall),
    beside === undefined ? '' : seconds(beside.cost.processor),
    ratioText(row),
    askedText(row),
    recorded?.toFixed(1) ?? '',
    isJudged ? verdictOf(row, isSlower === true) : '',
  ]
}

function verdictOf(row: Row, isSlower: boolean): string {
  const faults = [...missesOf(row).map((what) => `missed: ${what}`), ...(isSlower ? ['slower'] : [])]
  const hasNothingBeside = row.beside === undefined && row.asked.seconds === undefined && row.asked.megabytes === undefined
  return faults.join(', ') || (Object.keys(row.asked).length === 0 || hasNothingBeside ? 'not judged' : 'met')
}

function ratioText(row: Row): string {
  if (row.asked.exponent !== undefined) return `exponent ${exponentOf(row)?.toFixed(2)}`
  return timesOf(row)?.toFixed(1) ?? ''
}

function askedText({ asked: { times, byClock, seconds: most, secondsMore, megabytes, exponent } }: Row): string {
  return [
    ...(times === undefined ? [] : [`${times} ×${byClock === true ? ' by the clock' : ''}`]),
    ...(most === undefined ? [] : [`${most} s`]),
    ...(secondsMore === undefined ? [] : [`${secondsMore * 1000} ms more`]),
    ...(megabytes === undefined ? [] : [`${megabytes} MB`]),
    ...(exponent === undefined ? [] : [`exponent ${exponent}`]),
  ].join(', ')
}

function seconds(figure: number): string {
  return figure < 1 ? `${(figure * 1000).toFixed(0)} ms` : `${figure.toFixed(1)} s`
}
