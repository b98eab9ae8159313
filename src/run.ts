import { turnOnDebugLogs } from './debug-log.ts'
import { answerDoc, type FunctionDoc, NO_DOC, waitingNote } from './doc/function-doc.ts'
import { listPathFaults } from './folder/list-paths.ts'
import { groupedResults } from './grouped-results.ts'
import { placeInKptfile } from './kinds/kptfile-config-map.ts'
import { watchSecrets } from './known-secrets.ts'
import { printableLines, printableMessage } from './printable.ts'
import type { WrapperRule } from './resource-list/cut-unusual.ts'
import { textKeeper } from './resource-list/krm-object.ts'
import { checkedResults } from './resource-list/plain-value.ts'
import { thrownValue } from './resource-list/refusal.ts'
import { ResourceList } from './resource-list/resource-list.ts'
import { utf8Text } from './resource-list/utf8-text.ts'
import { WireError } from './resource-list/wire-error.ts'
import { FunctionError, formatResult, hasErrors, type Result } from './result.ts'
import { readStdin, stdinIsTerminal, writeStderr, writeStdout } from './standard-streams.ts'

/** A KRM function: changes the list in place, and throws FunctionError only for faults of the user. */
export type KrmFunction = (list: ResourceList) => void

/**
 * A KRM function that waits for something, such as a file or a service. Behaves as KrmFunction; the promise is rejected instead of an
 * exception.
 */
export type AsyncKrmFunction = (list: ResourceList) => Promise<void>

/** The permissions that the caller of a program gives, and the folder in which programs of the caller's machine start. */
export interface Caller {
  /** True for `--allow-exec`: programs that a Kptfile or a functionConfig names may run. */
  readonly allowExec: boolean
  /** The folder that relative names of programs begin in. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Returns what the caller of this process allows: the flag `--allow-exec`, the current folder and the environment. */
export function callerOfProcess(): Caller {
  return { allowExec: process.argv.includes('--allow-exec'), folder: process.cwd(), environment: process.env }
}

/** The output of one run, before any I/O. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: 0 | 1
}

/** An outcome whose stdout is in parts. */
export interface PrintedOutcome extends Omit<Outcome, 'stdout'> {
  readonly stdout: readonly string[]
}

function joined({ stdout, ...outcome }: PrintedOutcome): Outcome {
  return { stdout: stdout.join(''), ...outcome }
}

/**
 * Evaluates a function on the text of a ResourceList, as kpt would. Uses no stream, so tests can call it.
 *
 * An item whose path leads out of the folder of the list is an error, in the input and in the output of the function.
 *
 * The exit code follows from the results: 1 exactly when one is an error. Then stdout holds the items of the input, since a
 * function that failed changed nothing, and stderr has the results as text. If the input is no ResourceList, stdout is empty: an
 * orchestrator would read a list without items as the wish to delete all items.
 *
 * @param wrapper  the fields that the wrapper of the list may have; unknown ones stay
 */
export function evaluate(fn: KrmFunction, input: string, wrapper: WrapperRule = 'strict'): Outcome {
  return joined(printedOutcome(fn, input, wrapper))
}

function printedOutcome(fn: KrmFunction, input: string, wrapper: WrapperRule): PrintedOutcome {
  try {
    const list = ResourceList.parse(input, wrapper)
    const unsafe = listPathFaults(list.items, input)
    return outcomeOf(list, unsafe.length > 0 ? unsafe : resultsOf(fn, list), () => ResourceList.parse(input, wrapper))
  } catch (error) {
    return refused(error)
  }
}

/** Evaluates a function as `evaluate` does, and awaits it. */
export async function evaluateAsync(fn: KrmFunction | AsyncKrmFunction, input: string): Promise<Outcome> {
  try {
    const list = ResourceList.parse(input)
    const unsafe = listPathFaults(list.items, input)
    return joined(outcomeOf(list, unsafe.length > 0 ? unsafe : await awaitedResults(fn, list), () => ResourceList.parse(input)))
  } catch (error) {
    return joined(refused(error))
  }
}

/** Returns the outcome of an input that is no ResourceList. Throws every other error. */
function refused(error: unknown): PrintedOutcome {
  if (error instanceof WireError) return { stdout: [], stderr: printableLines(`${printableMessage(error.message)}\n`), exitCode: 1 }
  throw error
}

/** @param again  reads the input once more */
function outcomeOf(list: ResourceList, reported: readonly Result[], again: () => ResourceList): PrintedOutcome {
  const results = shownResults(list, reported, again)
  if (!hasErrors(results)) return { stdout: list.printed(results), stderr: '', exitCode: 0 }
  return { stdout: list.inputWith(results), stderr: errorText(results), exitCode: 1 }
}

/** Returns the results of a run as an orchestrator gets them, with an error for a list that became empty. */
function shownResults(list: ResourceList, reported: readonly Result[], again: () => ResourceList): readonly Result[] {
  return groupedResults(placeInKptfile([...checkedResults(reported), ...refuseEmptying(list)], again))
}

/** Returns the results of a failed run as text for stderr. */
export function errorText(results: readonly Result[]): string {
  return printableLines(results.map((result) => `${formatResult(result)}\n`).join(''))
}

/**
 * Runs a function on a list of documents, without the text of a list. Returns the results as `evaluate` writes them. If a result is an
 * error, the documents have the texts that they had before, as in the output of `evaluate`.
 */
export function evaluateDocuments(fn: KrmFunction, list: ResourceList): readonly Result[] {
  const restore = textKeeper(list.items)
  const reported = resultsOf(fn, list)
  if (hasErrors(reported)) restore()
  const results = shownResults(list, reported, () => list)
  if (hasErrors(results)) restore()
  return results
}

/**
 * Runs a function on a list and writes its edits. Returns what the function reported and what it threw as FunctionError.
 *
 * @throws TypeError  if the function is async: its edits would be made after the list was written
 */
export function resultsOf(fn: KrmFunction, list: ResourceList): readonly Result[] {
  try {
    const returned: unknown = fn(list)
    if (returned instanceof Promise) throw new TypeError('an async function must be run by main or evaluateAsync, which await it')
    return settledResults(list)
  } catch (error) {
    return withThrown(list, error)
  }
}

async function awaitedResults(fn: KrmFunction | AsyncKrmFunction, list: ResourceList): Promise<readonly Result[]> {
  try {
    await fn(list)
    return settledResults(list)
  } catch (error) {
    return withThrown(list, error)
  }
}

/**
 * Writes the edits of a function. Returns the results of the function, with an error for each item that the function put outside of the
 * folder of the list.
 */
function settledResults(list: ResourceList): readonly Result[] {
  list.settle()
  return [...list.results, ...listPathFaults(list.items.filter((item) => !item.isDocument && item.changed))]
}

function withThrown(list: ResourceList, error: unknown): readonly Result[] {
  if (error instanceof FunctionError) return [...list.results, ...error.results]
  if (error instanceof Error) throw error
  return [...list.results, thrownValue(error)]
}

/** Returns an error if a function removed all items: kpt reads an empty list as an empty package and deletes every file of the package. */
function refuseEmptying(list: ResourceList): readonly Result[] {
  if (list.removed.size === 0 || list.items.length > 0) return []
  return [
    {
      severity: 'error',
      message: '`items` must not become empty: the orchestrator would delete the whole package',
      tags: { rule: 'empty-package' },
    },
  ]
}

/** The description of a program: `doc` for `--help` and `--doc`, `version` for `--version`. */
export interface About {
  readonly doc?: Partial<FunctionDoc>
  readonly version?: string
}

/** The build puts these constants into each bundle (scripts/function-doc.mjs, scripts/version.mjs). */
declare const FUNCTION_DOC: FunctionDoc
declare const PACKAGE_VERSION: string

/**
 * Runs a function of this project as a program: reads stdin, writes stdout, and sets `process.exitCode`. Of the functions and the core,
 * only this function and `standard-streams.ts` use the streams, arguments and exit code of the process.
 */
export async function main(fn: KrmFunction): Promise<void> {
  const about: About = { doc: FUNCTION_DOC, version: PACKAGE_VERSION }
  const answer = answerArguments(about)
  if (answer !== undefined) return writeStdout([answer])
  turnOnDebugLogs(process.env.KRM_VARIANTS_DEBUG, writeStderr)
  writeOutcome(await evaluateStdin((input) => printedOutcome(fn, input, 'strict')))
}

/**
 * Returns the answer to `--help`, `--doc` or `--version`. Returns undefined if stdin is to be read; a person at a terminal then gets a
 * note on stderr.
 */
export function answerArguments(about: About): string | undefined {
  const doc = { ...NO_DOC, ...about.doc }
  const answer = answerDoc(process.argv.slice(2), doc, about.version ?? 'unknown version')
  if (answer === undefined && stdinIsTerminal()) writeStderr(waitingNote(doc))
  return answer
}

/** Writes a complete outcome; no part of the outcome was written before. */
export function writeOutcome({ stdout, stderr, exitCode }: PrintedOutcome): void {
  process.exitCode = exitCode
  writeStderr(stderr)
  writeStdout(stdout)
}

/**
 * Evaluates the text of stdin.
 *
 * @throws errors that are no faults of the input
 */
export async function evaluateStdin(evaluateText: (input: string) => PrintedOutcome | Promise<PrintedOutcome>): Promise<PrintedOutcome> {
  try {
    watchSecrets()
    return await evaluateText(await stdinText())
  } catch (error) {
    return refused(error)
  }
}

/** Returns the text of stdin. A function of its own, since the frame of a caller would hold the bytes during the whole run. */
async function stdinText(): Promise<string> {
  return utf8Text(await readStdin())
}
