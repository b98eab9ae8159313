import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A program to measure. Without `stdin` the program reads an empty input; without `stdout` its output is dropped. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  /** The path of a file. */
  readonly stdin?: string
  /** The path of a file. */
  readonly stdout?: string
  /** Exit codes beside 0 that are a success: 2 says that there are changes. */
  readonly mayExit?: readonly number[]
  /** Variables of the environment beside those of this process. */
  readonly env?: Readonly<Record<string, string>>
}

/** The cost of one process and of all processes that it starts. */
export interface Cost {
  /** Seconds of the clock. */
  readonly wall: number
  /** Seconds of the processor, user and system. Other work on the machine hardly changes them. */
  readonly processor: number
  /** The most memory at one time (maximum resident set), of a program that reports it. */
  readonly megabytes?: number
}

/**
 * Returns the least cost of each program over some runs in turn: other work on the machine only adds.
 *
 * @throws Error when a program cannot be started, or ends with another code than 0 and those of `mayExit`
 */
export function measureInTurn(programs: readonly Program[], runs: number): readonly Cost[] {
  const rounds = Array.from({ length: runs }, () => programs.map(measureOnce))
  return programs.map((_, index) => least(rounds.flatMap((round) => round[index] ?? [])))
}

/** Returns the least cost of one program over some runs. @throws Error as `measureInTurn` */
export function measure(program: Program, runs: number): Cost {
  return least(Array.from({ length: runs }, () => measureOnce(program)))
}

function least(costs: readonly Cost[]): Cost {
  const megabytes = Math.max(...costs.map((cost) => cost.megabytes ?? 0))
  return {
    wall: Math.min(...costs.map(({ wall }) => wall)),
    processor: Math.min(...costs.map(({ processor }) => processor)),
    ...(megabytes > 0 && { megabytes }),
  }
}

/** Prints the times of a program and of its children to descriptor 3, as `WALL USER SYSTEM`. */
const TIMED = `TIMEFORMAT='%R %U %S'; { time "$@" 2>&5; } 5>&2 2>&3`

/** Returns the cost of one run, for programs that find something else the second time. @throws Error as `measureInTurn` */
export function measureOnce({ command, args, stdin = '/dev/null', stdout = '/dev/null', mayExit = [], env = {} }: Program): Cost {
  const [input, output] = [openSync(stdin, 'r'), openSync(stdout, 'w')]
  const {
    status,
    error,
    stderr,
    output: written,
  } = spawnSync('bash', ['-c', TIMED, 'bash', command, ...args], {
    stdio: [input, output, 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', ...env },
  })
  for (const descriptor of [input, output]) closeSync(descriptor)
  if (error !== undefined) throw error
  if (status === null || ![0, ...mayExit].includes(status))
    throw new Error(`${command} ${args.join(' ')}: exit code ${status}: ${stderr.slice(0, 2000)}`)
  const [wall = 0, user = 0, system = 0] = (written[3] ?? '').trim().split(' ').map(Number)
  const kilobytes = Number(written[4] ?? '')
  return { wall, processor: user + system, ...(kilobytes > 0 && { megabytes: kilobytes / 1000 }) }
}

/** Loaded into Node before a bundle, writes the memory of the process to descriptor 4 at its end; CommonJS costs the start least. */
const REPORT_MEMORY = `process.on('exit', () => require('node:fs').writeSync(4, String(process.resourceUsage().maxRSS)))\n`

/** Returns a bundle of ours as a program that reports its memory. The reporter is written into `folder`. */
export function nodeProgram(folder: string, args: readonly string[], rest: Omit<Program, 'command' | 'args'> = {}): Program {
  const reporter = join(folder, 'report-memory.cjs')
  writeFileSync(reporter, REPORT_MEMORY)
  return { command: process.execPath, args: ['--require', reporter, ...args], ...rest }
}

/** Returns a cost so many times. */
export function times(factor: number, { wall, processor, megabytes }: Cost): Cost {
  return { wall: wall * factor, processor: processor * factor, ...(megabytes !== undefined && { megabytes }) }
}
