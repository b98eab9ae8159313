import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

/** A program with its standard input and output in files. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly stdin: string
  readonly stdout: string
}

/** What one whole process took: wall time from start to end, and what it reports of itself, if it does. */
export interface Cost {
  readonly seconds: number
  readonly usage?: Usage
}

/** What the kernel counted for a process: the time of all its threads, which other work on the machine hardly changes, and memory. */
export interface Usage {
  readonly cpuSeconds: number
  readonly megabytes: number
}

/**
 * The median cost of a program over some runs, after one that is not counted.
 *
 * Processor time and memory (the maximum resident set) are what getrusage says, written by the process itself to descriptor 3 when
 * it ends: `KILOBYTES MICROSECONDS`. Exact, and no other tool is needed.
 *
 * @throws Error  when the program cannot be started, or ends with a code above 2, which is that there are changes
 */
export function measure(program: Program, runs: number): Cost {
  measureOnce(program)
  const costs = Array.from({ length: runs }, () => measureOnce(program))
  const usages = costs.flatMap(({ usage }) => usage ?? [])
  return { seconds: median(costs.map(({ seconds }) => seconds)), ...(usages.length > 0 && { usage: medianUsage(usages) }) }
}

function medianUsage(usages: readonly Usage[]): Usage {
  return { cpuSeconds: median(usages.map(({ cpuSeconds }) => cpuSeconds)), megabytes: median(usages.map(({ megabytes }) => megabytes)) }
}

/** The cost of one run, for programs that find something else the second time. @throws Error  as `measure` */
export function measureOnce({ command, args, stdin, stdout }: Program): Cost {
  const [input, output] = [openSync(stdin, 'r'), openSync(stdout, 'w')]
  const start = performance.now()
  const { status, error, stderr, output: written } = spawnSync(command, args, { stdio: [input, output, 'pipe', 'pipe'], encoding: 'utf8' })
  const seconds = (performance.now() - start) / 1000
  for (const descriptor of [input, output]) closeSync(descriptor)
  if (error !== undefined) throw error
  if (status === null || status > 2) throw new Error(`${command} ${args.join(' ')}: exit code ${status}: ${stderr}`)
  const [kilobytes, microseconds] = (written[3] ?? '').split(' ').map(Number)
  if (kilobytes === undefined || microseconds === undefined) return { seconds }
  return { seconds, usage: { cpuSeconds: microseconds / 1e6, megabytes: kilobytes / 1000 } }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Loaded into Node before a bundle; CommonJS, since that costs the start least. */
const REPORT_USAGE = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  require('node:fs').writeSync(3, maxRSS + ' ' + (userCPUTime + systemCPUTime))
})
`

/** Writes the reporter of memory into a folder and gives the arguments by which Node loads it. */
export function usageReporter(folder: string): readonly string[] {
  const path = join(folder, 'report-usage.cjs')
  writeFileSync(path, REPORT_USAGE)
  return ['--require', path]
}

/** Time of the processor: how long files take to be written depends on what else a disk has to do. */
export function workOf({ usage, seconds }: Cost): number {
  return usage?.cpuSeconds ?? seconds
}
