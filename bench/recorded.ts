import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Row } from './bench.ts'
import { ratioToCopy } from './measure.ts'

const FILE = 'bench/baseline.json'

/** A row may need so many times the recorded N. */
const MOST = 1.15

/** The figures of the last tag: what each row needs, in N. N differs between versions of Node, so the rows of each version are apart. */
type Recorded = Readonly<Record<string, Readonly<Record<string, number>>>>

const NODE = `node ${Number.parseInt(process.versions.node, 10)}`

/** Returns the rows with the recorded figure of each, and whether the row is slower than that. A row without a record is not compared. */
export function compareWithRecorded(rows: readonly Row[]): readonly Row[] {
  const figures = read()[NODE] ?? {}
  return rows.map((row) => {
    const [recorded, ratio] = [figures[row.what], ratioToCopy(row.ours)]
    return recorded === undefined || ratio === undefined ? row : { ...row, recorded, isSlower: ratio > recorded * MOST }
  })
}

/** Writes the figures of a run, for the commit of a tag. The figures of other versions of Node stay. */
export function record(rows: readonly Row[]): void {
  const figures = rows.flatMap(({ what, ours }) => {
    const ratio = ratioToCopy(ours)
    return ratio === undefined ? [] : [[what, Number(ratio.toFixed(2))] as const]
  })
  writeFileSync(FILE, `${JSON.stringify({ ...read(), [NODE]: Object.fromEntries(figures) }, undefined, 2)}\n`)
}

function read(): Recorded {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
}
