import type { Row } from './bench.ts'
import { ratioToCopy, workOf } from './measure.ts'

const HEAD = ['what', 'ours s', 'cpu s', 'MB', 'baseline', 's', 'cpu s', 'ratio', 'N', 'N was', 'must', '']

/** Returns the rows as a table for people. */
export function formatTable(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(row: Row): readonly string[] {
  const { what, ours, baseline, recorded, must } = row
  return [
    what,
    ours.seconds.toFixed(3),
    ours.usage?.cpuSeconds.toFixed(3) ?? '',
    ours.usage?.megabytes.toFixed(0) ?? '',
    baseline?.what ?? '',
    baseline?.seconds.toFixed(3) ?? '',
    baseline?.usage?.cpuSeconds.toFixed(3) ?? '',
    ratioToBaseline(row)?.toFixed(3) ?? '',
    ratioToCopy(ours)?.toFixed(2) ?? '',
    recorded?.toFixed(2) ?? '',
    must,
    verdict(row),
  ]
}

/** Processes of which one does not report its processor time are compared by wall time. */
function ratioToBaseline({ ours, baseline }: Row): number | undefined {
  if (baseline === undefined) return undefined
  const byWall = ours.usage === undefined || baseline.usage === undefined
  return byWall ? ours.seconds / baseline.seconds : workOf(ours) / workOf(baseline)
}

function verdict({ met, isSlower }: Row): string {
  const limit = met === undefined ? [] : [met ? 'met' : 'missed']
  return [...limit, ...(isSlower === true ? ['slower'] : [])].join(', ')
}
