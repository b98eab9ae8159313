import { writeStderr } from '../src/standard-streams.ts'

/** The process while a function of others runs in it. */
export interface GuardedProcess {
  /** Says that the run is over: from now on the process may end, with no better exit code than this one. */
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
export function guardProcess(): GuardedProcess {
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

/** Also what Node's console and `import { stdout } from 'node:process'` print, whose streams are other references to the same one. */
function sendPrintsToStderr(): void {
  const toStderr = { configurable: true, get: () => process.stderr }
  Object.defineProperty(process, 'stdout', toStderr)
  Object.defineProperty(console, '_stdout', toStderr)
  process.getBuiltinModule('node:module').syncBuiltinESMExports()
}
