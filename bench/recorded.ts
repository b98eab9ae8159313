import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Row, timesOf } from './row.ts'
import type { ComparedRow } from './table.ts'

const FILE = 'bench/baseline.json'

/** A row that falls by more than a fifth of what it was fails. */
const LEAST = 0.8

/** How many times as much the program beside costs, for each row, as at the last tag. */
type Recorded = Readonly<Record<string, number>>

/** Returns the rows with the figure of the last tag, and whether the row fell. A row without a program beside is not compared. */
export function compareWithRecorded(rows: readonly Row[]): readonly ComparedRow[] {
  const figures: Recorded = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
  return rows.map((row) => {
    const [recorded, ratio] = [figures[row.work], timesOf(row)]
    return recorded === undefined || ratio === undefined ? { row } : { row, recorded, isSlower: ratio < recorded * LEAST }
  })
}

/** Writes the figures of a run, for the commit of a tag. */
export function record(rows: readonly Row[]): void {
  const figures = rows.flatMap((row) => {
    const ratio = timesOf(row)
    return ratio === undefined || row.asked.exponent !== undefined ? [] : [[row.work, Number(ratio.toFixed(2))] as const]
  })
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(figures), undefined, 2)}\n`)
}
