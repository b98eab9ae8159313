import type { Row } from './bench.ts'

const HEAD = ['what', 'ours s', 'cpu s', 'MB', 'baseline', 's', 'cpu s', 'ratio', 'must', '']

/** The rows as a table for people. */
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

function cells({ what, ours, baseline, must, met }: Row): readonly string[] {
  return [
    what,
    ours.seconds.toFixed(3),
    ours.usage?.cpuSeconds.toFixed(3) ?? '',
    ours.usage?.megabytes.toFixed(0) ?? '',
    baseline?.what ?? '',
    baseline?.seconds.toFixed(3) ?? '',
    baseline?.usage?.cpuSeconds.toFixed(3) ?? '',
    baseline === undefined ? '' : (ours.seconds / baseline.seconds).toFixed(3),
    must,
    met === undefined ? '' : met ? 'met' : 'missed',
  ]
}
