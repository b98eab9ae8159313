import { groupBy } from '../../src/group-by.ts'
import { printable } from '../../src/printable.ts'
import { resultToJson } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import type { MetPackage } from '../outdated/outdated-view.ts'
import { printResult } from '../print/print-results.ts'
import { printDocument } from '../print/print-value.ts'
import type { Styles } from '../print/styles.ts'
import type { RingsView, RingView } from './rings-view.ts'

/** The number of packages that are named; the others mostly are the same. */
const NAMED = 3

/**
 * Returns the rings for a terminal, a table for each upstream. Findings about the whole fleet are not included: they are printed to stderr.
 */
export function ringsText({ rings }: RingsView, styles: Styles): string {
  const tables = groupBy(rings, ({ namespace, matrix, upstream }) => `${namespace}/${matrix}: ${upstream}`)
  const parts = Array.from(tables, ([title, rows]) => `${styles.strong(printable(title))}\n${table(rows, styles)}${notes(rows, styles)}`)
  return parts.join('\n')
}

const HEAD = ['ring', 'revision', 'packages', 'there', 'behind', 'to create', 'edited', 'in conflict', 'failing'] as const

/** Returns a table whose numbers end below each other, with the place of each revision at the end of its row. */
function table(rows: readonly RingView[], styles: Styles): string {
  const cells = rows.map((row) => cellsOf(row).map(printable))
  const widths = HEAD.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')
  const places = rows.map(({ place }) => (place === undefined ? '' : `  ${styles.faint(printable(place))}`))
  return [`  ${styles.faint(line(HEAD))}\n`, ...cells.map((row, index) => `  ${line(row)}${places[index]}\n`)].join('')
}

function cellsOf({ ring, revision, packages, there, behind, missing, rendered }: RingView): readonly string[] {
  const counts = [packages, there, behind.length, missing.length].map(String)
  const found = [rendered?.edited, rendered?.conflicts, rendered?.failing].map((met) => (met === undefined ? '-' : String(met.length)))
  return [ring, revision, ...counts, ...found]
}

/** Returns the packages that hold a ring up, the first by name. */
function notes(rows: readonly RingView[], styles: Styles): string {
  return rows
    .flatMap(({ ring, behind, missing, rendered }) => [
      ...named(
        ring,
        'behind',
        behind.map(({ folder, locked }) => `${folder} (${locked})`),
      ),
      ...named(ring, 'to create', missing),
      ...named(ring, 'edited', rendered?.edited.map(({ folder }) => folder) ?? []),
      ...met(ring, 'in conflict', rendered?.conflicts ?? [], styles),
      ...met(ring, 'failing', rendered?.failing ?? [], styles),
    ])
    .map((line) => `  ${line}\n`)
    .join('')
}

function named(ring: string, what: string, folders: readonly string[]): readonly string[] {
  return folders.length === 0 ? [] : [printable(`${ring}, ${what}: ${nameFirst(folders, NAMED)}`)]
}

function met(ring: string, what: string, packages: readonly MetPackage[], styles: Styles): readonly string[] {
  if (packages.length === 0) return []
  const shown = packages.slice(0, NAMED).flatMap(({ results }) => results.map((result) => `  ${printResult(result, styles)}`))
  const rest = packages.length - NAMED
  return [
    ...named(
      ring,
      what,
      packages.map(({ folder }) => folder),
    ),
    ...shown,
    ...(rest > 0 ? [`  and ${countOf(rest, 'more package')}`] : []),
  ]
}

/** Returns the rings for programs. */
export function ringsJson({ rings, results }: RingsView): string {
  const packages = (found: readonly MetPackage[]) => found.map(({ folder, results: own }) => ({ folder, results: own.map(resultToJson) }))
  const shown = rings.map(({ rendered, ...ring }) => ({
    ...ring,
    ...(rendered && { edited: rendered.edited, conflicts: packages(rendered.conflicts), failing: packages(rendered.failing) }),
  }))
  return printDocument({ rings: shown }, results)
}
