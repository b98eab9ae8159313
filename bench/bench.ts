import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cost, measure, type Program, ratioToCopy, usageReporter, workOf } from './measure.ts'

/** One line of the table: what was measured, beside what, and what is demanded (spec: speed and size). */
export interface Row {
  readonly what: string
  readonly ours: Cost
  readonly baseline?: Cost & { readonly what: string }
  readonly must: string
  /** undefined: nothing to judge by, since inputs are small or there is no baseline. */
  readonly met?: boolean
  /** The N of the last tag. */
  readonly recorded?: number
  /** True if the row needs more than that by more than noise. */
  readonly isSlower?: boolean
}

/** The inputs of a row. */
export interface Bench {
  /** For files of the run. */
  readonly folder: string
  readonly quick: boolean
  /** The least of so many runs counts. */
  readonly runs: number
  /** The Go SDK's identity function on `identityInput`; undefined without Go. */
  readonly baseline: Cost | undefined
  /** The large list that the baseline reads. */
  readonly identityInput: string
}

/** A size of input: a fiftieth in a quick run. */
export function scaled({ quick }: Bench, size: number): number {
  return quick ? Math.ceil(size / 50) : size
}

/** Writes an input file and gives its path. */
export function writeInput({ folder }: Pick<Bench, 'folder'>, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** A bundle as a whole process on an input file; its output comes to stand beside the input. */
export function bundleOn({ folder }: Pick<Bench, 'folder'>, bundle: string, stdin: string): Program {
  return { command: process.execPath, args: [...usageReporter(folder), bundle], stdin, stdout: `${stdin}.out` }
}

/** The cost of a bundle, which must succeed. */
export function costOf(bench: Bench, bundle: string, stdin: string): Cost {
  const program = bundleOn(bench, bundle, stdin)
  refuseFailure(program)
  return measure(program, bench.runs)
}

function refuseFailure({ command, args, stdin }: Program): void {
  const { status, stderr } = spawnSync(command, args, {
    input: readFileSync(stdin),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'pipe', 'ignore'],
  })
  if (status !== 0) throw new Error(`${args.at(-1)} on ${stdin} failed: ${stderr.slice(0, 2000)}`)
}

/**
 * A row that must stay below a part of the baseline, and below so many megabytes.
 *
 * @param part  the baseline's time is divided by this
 */
export function judge({ baseline, quick }: Bench, what: string, ours: Cost, part: number, megabytes?: number): Row {
  const must = `${part < 1 ? `${1 / part} G` : `G / ${part}`}${megabytes === undefined ? '' : `, ${megabytes} MB`}`
  if (baseline === undefined) return { what, ours, must }
  const met = workOf(ours) <= workOf(baseline) / part && isWithin(ours, megabytes)
  return { what, ours, baseline: { what: 'G', ...baseline }, must, ...(!quick && { met }) }
}

/**
 * Returns a row that must stay below so many times N, and below so many megabytes.
 *
 * @param copies  the most N
 */
export function judgeByCopies({ quick }: Pick<Bench, 'quick'>, what: string, ours: Cost, copies: number, megabytes?: number): Row {
  const must = `${copies} N${megabytes === undefined ? '' : `, ${megabytes} MB`}`
  const met = (ratioToCopy(ours) ?? 0) <= copies && isWithin(ours, megabytes)
  return { what, ours, must, ...(!quick && { met }) }
}

function isWithin({ usage }: Cost, megabytes: number | undefined): boolean {
  return megabytes === undefined || (usage?.megabytes ?? 0) <= megabytes
}
