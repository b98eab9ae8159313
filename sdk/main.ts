import {
  type About,
  type AsyncKrmFunction,
  answerArguments,
  evaluateAsync,
  evaluateStdin,
  type KrmFunction,
  type Outcome,
  writeOutcome,
} from '../src/run.ts'
import { writeStdout } from '../src/standard-streams.ts'
import { guardProcess } from './guard-process.ts'

/**
 * Runs a function as a program: stdin to stdout, the exit code in `process.exitCode`. The function may be async. Nothing is written to
 * stdout before the whole output is known, and then all of it: what the function prints goes to stderr, and a function that ends the process
 * or never settles ends with exit code 1. With `--help`, `--doc` or `--version` stdin is not read; a person at a terminal is told that it is.
 *
 * @param fn - the function
 * @param about - what it says of itself
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
  if (answer !== undefined) return writeStdout(answer)
  const guard = guardProcess()
  try {
    const outcome = refuseNothing(await evaluateStdin((input) => evaluateAsync(fn, input)))
    guard.end(outcome.exitCode)
    writeOutcome(outcome)
  } catch (error) {
    guard.end(1)
    throw error
  }
}

/** An orchestrator takes an empty output without an error for an empty package, and deletes every file of it. */
function refuseNothing(outcome: Outcome): Outcome {
  if (outcome.stdout !== '' || outcome.exitCode === 1) return outcome
  return {
    stdout: '',
    stderr: 'the output must not be empty; the function replaced something that the SDK needs to write it\n',
    exitCode: 1,
  }
}
