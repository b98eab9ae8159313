import { type About, answerArguments, evaluateStdin, type PrintedOutcome, writeOutcome } from '../src/run.ts'
import { writeStderr, writeStdout } from '../src/standard-streams.ts'
import { type AsyncKrmFunction, evaluateAsync, type KrmFunction } from './evaluate.ts'

/**
 * Runs a function as a program: stdin to stdout, the exit code in `process.exitCode`. The function may be async. Nothing is written to
 * stdout before the whole output is known, and then all of it: what the function prints goes to stderr, and a function that ends the
 * process or never settles ends with exit code 1. With `--help`, `--doc` or `--version` stdin is not read. Otherwise a person at a terminal
 * gets a note that stdin is read.
 *
 * @param fn - the function
 * @param about - the texts for `--help`, `--doc` and `--version`
 *
 * @example
 * ```ts
 * import { main } from 'krm-variants/sdk'
 *
 * await main((list) => {
 *   for (const item of list.items) item.set(['metadata', 'labels', 'team'], 'payments')
 * }, { version: '1.0.0' })
 * ```
 */
export async function main(fn: KrmFunction | AsyncKrmFunction, about: About = {}): Promise<void> {
  const answer = answerArguments(about)
  if (answer !== undefined) return writeStdout([answer])
  const guard = guardProcess()
  try {
    const outcome = refuseNothing(await evaluateStdin((input) => printed(fn, input)))
    guard.end(outcome.exitCode)
    writeOutcome(outcome)
  } catch (error) {
    guard.end(1)
    throw error
  }
}

async function printed(fn: KrmFunction | AsyncKrmFunction, input: string): Promise<PrintedOutcome> {
  const { stdout, ...outcome } = await evaluateAsync(fn, input)
  return { stdout: [stdout], ...outcome }
}

/** Refuses an empty output without an error: an orchestrator reads it as an empty package, and deletes every file of the package. */
function refuseNothing(outcome: PrintedOutcome): PrintedOutcome {
  if (outcome.stdout.some((text) => text !== '') || outcome.exitCode === 1) return outcome
  return {
    stdout: [],
    stderr: 'the output must not be empty; the function replaced something that the SDK needs to write it\n',
    exitCode: 1,
  }
}

/** The process in which a function of others runs. */
interface GuardedProcess {
  /** Ends the guard: from now on the process may end, with this exit code or a worse one. */
  end(exitCode: 0 | 1): void
}

const ENDED = '`process.exit` must not be called by a function: push a result to `results` or throw a FunctionError; nothing was written\n'
const PENDING = 'the function must settle its promise: nothing is left that could, and the promise is still pending; nothing was written\n'

/**
 * Protects the output from the function until the process ends. Prints of the function are sent to stderr, and a process that ends before
 * the run does has exit code 1. kpt reads an empty output with exit code 0 as an empty package, and deletes the package's files.
 *
 * Not prevented: writes to descriptor 1 by `node:fs` or by a child process.
 */
function guardProcess(): GuardedProcess {
  let exitCode: 0 | 1 | undefined
  let hasThrown = false
  let isIdle = false
  sendPrintsToStderr()
  process.exitCode = 1
  process.on('uncaughtExceptionMonitor', () => {
    hasThrown = true
  })
  process.on('beforeExit', () => {
    isIdle = true
  })
  process.prependListener('exit', () => {
    if (exitCode === 0) return
    process.exitCode = 1
    // Node prints the trace of an exception behind this event.
    if (hasThrown || exitCode === 1) return
    writeStderr(isIdle ? PENDING : ENDED)
    // At once: a listener of the function could set another exit code.
    process.exit(1)
  })
  return {
    end(ended): void {
      exitCode = ended
    },
  }
}

/**
 * Sends prints to stderr, also those of Node's console and of `import { stdout } from 'node:process'`, which have their own references to
 * the stream.
 */
function sendPrintsToStderr(): void {
  const toStderr = { configurable: true, get: () => process.stderr }
  Object.defineProperty(process, 'stdout', toStderr)
  Object.defineProperty(console, '_stdout', toStderr)
  process.getBuiltinModule('node:module').syncBuiltinESMExports()
}
