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
  /** The file that N copies in turn with the program; without this field `stdin`. */
  readonly copied?: string
}

/** The cost of one whole process. */
export interface Cost {
  /** Wall time from start to end. */
  readonly seconds: number
  readonly usage?: Usage
  /** N: the processor time of Node that copies the same bytes from stdin to stdout through a string, in the same run. */
  readonly copySeconds?: number
}

/** The kernel's figures for a process and all its threads. Other work on the machine hardly changes them. */
export interface Usage {
  /** User and system time. */
  readonly cpuSeconds: number
  /** The time that a row is judged by: `cpuSeconds`; of a program that runs once and writes many files, the user time alone. */
  readonly judgedSeconds: number
  readonly megabytes: number
}

/**
 * Returns the least cost of a program over some runs in turn with N, after one run that is not counted: other work on the machine
 * only adds.
 *
 * Times and memory (the maximum resident set) are those of getrusage. The process itself writes them to descriptor 3 when it ends:
 * `KILOBYTES USER_MICROSECONDS SYSTEM_MICROSECONDS`.
 *
 * @throws Error  when the program cannot be started, or ends with a code above 2; 2 says that there are changes
 */
export function measure(program: Program, runs: number): Cost {
  const [cost, copy] = measureInTurn([program, copyOf(program)], runs)
  if (cost === undefined || copy === undefined) throw new Error('each program must have a cost')
  return { ...cost, copySeconds: workOf(copy) }
}

/** Returns the least cost of each program over some runs in turn, after one run of each that is not counted. @throws Error  as `measure` */
export function measureInTurn(programs: readonly Program[], runs: number): readonly Cost[] {
  for (const program of programs) runOnce(program)
  const rounds = Array.from({ length: runs }, () => programs.map(runOnce))
  return programs.map((_, index) => least(rounds.flatMap((round) => round[index] ?? [])))
}

const COPIES_BESIDE_ONE_RUN = 3

/** Returns the cost of one run, for programs that find something else the second time. @throws Error  as `measure` */
export function measureOnce(program: Program): Cost {
  const [copy] = measureInTurn([copyOf(program)], COPIES_BESIDE_ONE_RUN)
  const { seconds, usage } = runOnce(program)
  const judged = usage && { ...usage, judgedSeconds: usage.userSeconds }
  return { seconds, ...(judged && { usage: judged }), ...(copy && { copySeconds: workOf(copy) }) }
}

interface UsageOfRun extends Usage {
  readonly userSeconds: number
}

interface CostOfRun extends Cost {
  readonly usage?: UsageOfRun
}

function least(costs: readonly Cost[]): Cost {
  const usages = costs.flatMap(({ usage }) => usage ?? [])
  const leastOf = (figure: (usage: Usage) => number) => Math.min(...usages.map(figure))
  const usage = {
    cpuSeconds: leastOf(({ cpuSeconds }) => cpuSeconds),
    judgedSeconds: leastOf(({ judgedSeconds }) => judgedSeconds),
    megabytes: Math.max(...usages.map(({ megabytes }) => megabytes)),
  }
  return { seconds: Math.min(...costs.map(({ seconds }) => seconds)), ...(usages.length > 0 && { usage }) }
}

function runOnce({ command, args, stdin, stdout }: Program): CostOfRun {
  const [input, output] = [openSync(stdin, 'r'), openSync(stdout, 'w')]
  const start = performance.now()
  const { status, error, stderr, output: written } = spawnSync(command, args, { stdio: [input, output, 'pipe', 'pipe'], encoding: 'utf8' })
  const seconds = (performance.now() - start) / 1000
  for (const descriptor of [input, output]) closeSync(descriptor)
  if (error !== undefined) throw error
  if (status === null || status > 2) throw new Error(`${command} ${args.join(' ')}: exit code ${status}: ${stderr}`)
  const [kilobytes, user, system] = (written[3] ?? '').split(' ').map(Number)
  if (kilobytes === undefined || user === undefined || system === undefined) return { seconds }
  const cpuSeconds = (user + system) / 1e6
  return { seconds, usage: { cpuSeconds, judgedSeconds: cpuSeconds, userSeconds: user / 1e6, megabytes: kilobytes / 1000 } }
}

const REPORT = `const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  require('node:fs').writeSync(3, [maxRSS, userCPUTime, systemCPUTime].join(' '))`

/** Loaded into Node before a bundle; CommonJS costs the start least. */
const REPORT_USAGE = `process.on('exit', () => {
  ${REPORT}
})
`

/** Writes the reporter of usage into a folder. Returns the arguments by which Node loads the reporter. */
export function usageReporter(folder: string): readonly string[] {
  const path = join(folder, 'report-usage.cjs')
  writeFileSync(path, REPORT_USAGE)
  return ['--require', path]
}

const COPY = `const fs = require('node:fs')
  fs.writeFileSync(1, fs.readFileSync(0, 'utf8'))
  ${REPORT}`

/** Returns N beside a program. */
function copyOf({ stdin, copied = stdin }: Program): Program {
  return { command: process.execPath, args: ['-e', COPY], stdin: copied, stdout: `${copied}.copy` }
}

/** Returns the seconds that a cost is judged by: processor time where the process reports it. */
export function workOf({ usage, seconds }: Cost): number {
  return usage?.judgedSeconds ?? seconds
}

/** Returns the work of a cost in N, undefined if N was not measured. */
export function ratioToCopy(cost: Cost): number | undefined {
  return cost.copySeconds === undefined ? undefined : workOf(cost) / cost.copySeconds
}

/** Returns ten times the time of a cost. */
export function tenTimes({ seconds, usage }: Cost): Cost {
  const times = usage && { ...usage, cpuSeconds: usage.cpuSeconds * 10, judgedSeconds: usage.judgedSeconds * 10 }
  return { seconds: seconds * 10, ...(times && { usage: times }) }
}
