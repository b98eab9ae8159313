import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cost } from './measure.ts'

/** One line of the table: the work of users, our cost, and the cost of the program that users would take instead. */
export interface Row {
  readonly work: string
  readonly ours: Cost
  /** The same work by another program; undefined where the program cannot be built. */
  readonly beside?: { readonly what: string; readonly cost: Cost }
  readonly asked: Asked
}

/** The limits of a row. `missesOf` compares each limit that is set. */
export interface Asked {
  /** The program beside costs so many times as much. */
  readonly times?: number
  /** `times` is of the clock, where the program beside runs one process after the other and ours does not. */
  readonly byClock?: boolean
  /** Seconds of the processor. */
  readonly seconds?: number
  /** So many seconds of the processor more than the program beside. */
  readonly secondsMore?: number
  readonly megabytes?: number
  /** The program beside does a tenth of the work: the cost may grow by 10 to the power of `exponent`. */
  readonly exponent?: number
}

/** The inputs of a row. */
export interface Bench {
  /** A folder for files of the run. */
  readonly folder: string
  /** True if inputs are a fiftieth and nothing is judged. */
  readonly quick: boolean
  /** The least of so many runs counts. */
  readonly runs: number
}

/** Returns a size of input: a fiftieth in a quick run. */
export function scaled({ quick }: Pick<Bench, 'quick'>, size: number): number {
  return quick ? Math.ceil(size / 50) : size
}

/** Writes an input file. Returns its path. */
export function writeInput({ folder }: Pick<Bench, 'folder'>, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** Returns how many times as much the program beside costs, by which a row is judged and recorded; undefined if there is none. */
export function timesOf({ ours, beside, asked }: Row): number | undefined {
  if (beside === undefined) return undefined
  return asked.byClock === true ? beside.cost.wall / ours.wall : beside.cost.processor / ours.processor
}

/** Returns the power of ten by which the cost grows with ten times the input. */
export function exponentOf({ ours, beside }: Row): number | undefined {
  return beside && Math.log10(ours.processor / beside.cost.processor)
}

/** Returns the demands that a row misses, in words. A demand for a program that is not there is no miss. */
export function missesOf(row: Row): readonly string[] {
  const { ours, beside, asked } = row
  const [ratio, exponent] = [timesOf(row), exponentOf(row)]
  const more = beside && ours.processor - beside.cost.processor
  return [
    ...(isLess(ratio, asked.times) ? ['times'] : []),
    ...(isLess(asked.seconds, ours.processor) ? ['seconds'] : []),
    ...(isLess(asked.secondsMore, more) ? ['start'] : []),
    ...(isLess(asked.megabytes, ours.megabytes) ? ['memory'] : []),
    ...(isLess(asked.exponent, exponent) ? ['growth'] : []),
  ]
}

/** Returns true if both figures are known and the first is less. */
function isLess(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one < other
}
