import { answerDoc, type FunctionDoc, NO_DOC, waitingNote } from './doc/function-doc.ts'
import { placeInKptfile } from './kinds/kptfile-config-map.ts'
import { ResourceList } from './resource-list/resource-list.ts'
import { utf8Text } from './resource-list/utf8-text.ts'
import { WireError } from './resource-list/wire-error.ts'
import { FunctionError, formatResult, hasErrors, type Result } from './result.ts'
import { readStdin, stdinIsTerminal, writeStderr, writeStdout } from './standard-streams.ts'
import { toldResults } from './told-results.ts'

/** A KRM function: it changes the list in place, and throws FunctionError for the user's faults only. */
export type KrmFunction = (list: ResourceList) => void

/** What one invocation leaves behind, before any I/O. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: 0 | 1
}

/**
 * Evaluates a function on a serialized ResourceList. Touches no stream: tests call it as kpt would.
 *
 * The exit code follows from the results: 1 exactly when one is an error. Then stdout holds the items of the input, since a
 * function that failed changed nothing, and stderr says the same as the results. A text that is no ResourceList leaves stdout
 * empty: an orchestrator takes a list without items for the wish to delete them all.
 *
 * @param fn - the function
 * @param input - the text of a ResourceList
 *
 * @example
 * ```ts
 * import { evaluate } from 'krm-variants/sdk'
 *
 * const input = `apiVersion: config.kubernetes.io/v1
 * kind: ResourceList
 * items:
 * - kind: ConfigMap # stays
 *   metadata: {name: a}
 * `
 * const { stdout, exitCode } = evaluate((list) => list.items[0]?.set(['data', 'key'], 'value'), input)
 * console.log(exitCode, stdout.includes('kind: ConfigMap # stays'), stdout.includes('key: value')) // 0 true true
 * ```
 */
export function evaluate(fn: KrmFunction, input: string): Outcome {
  try {
    return run(fn, ResourceList.parse(input), input)
  } catch (error) {
    if (error instanceof WireError) return { stdout: '', stderr: `${error.message}\n`, exitCode: 1 }
    throw error
  }
}

function run(fn: KrmFunction, list: ResourceList, input: string): Outcome {
  const found = [...resultsOf(fn, list), ...refuseEmptying(list)]
  const results = toldResults(placeInKptfile(found, () => ResourceList.parse(input)))
  if (!hasErrors(results)) return { stdout: list.toString(results), stderr: '', exitCode: 0 }
  const stderr = results.map((result) => `${formatResult(result)}\n`).join('')
  return { stdout: list.inputWith(results), stderr, exitCode: 1 }
}

/** The results of a function on a list, whose edits are written; those that it threw come beside those it had reported. */
export function resultsOf(fn: KrmFunction, list: ResourceList): readonly Result[] {
  try {
    fn(list)
    list.settle()
    return list.results
  } catch (error) {
    if (error instanceof FunctionError) return [...list.results, ...error.results]
    throw error
  }
}

/** kpt takes an empty list for an empty package and deletes every file of it. */
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

/** What a program says of itself: `doc` to `--help` and `--doc`, `version` to `--version`. */
export interface About {
  readonly doc?: Partial<FunctionDoc>
  readonly version?: string
}

/** Put into each bundle by the build (scripts/function-doc.mjs, scripts/version.mjs). */
declare const FUNCTION_DOC: FunctionDoc
declare const PACKAGE_VERSION: string

/**
 * Runs a function as a program: stdin to stdout, the exit code in `process.exitCode`. Of the functions and the core, only this and `standard-streams.ts` touch the streams, arguments and exit code of the process.
 * Nothing is written before the whole output is known. With `--help`, `--doc` or `--version` stdin is not read; a person at a terminal is
 * told that it is.
 *
 * @param fn - the function
 * @param about - what it says of itself; the build of this project puts that in for its own functions
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
export async function main(fn: KrmFunction, about: About = { doc: FUNCTION_DOC, version: PACKAGE_VERSION }): Promise<void> {
  const doc = { ...NO_DOC, ...about.doc }
  const answer = answerDoc(process.argv.slice(2), doc, about.version ?? 'unknown version')
  if (answer === undefined && stdinIsTerminal()) writeStderr(waitingNote(doc))
  const outcome: Outcome = answer === undefined ? await evaluateStdin(fn) : { stdout: answer, stderr: '', exitCode: 0 }
  process.exitCode = outcome.exitCode
  writeStderr(outcome.stderr)
  writeStdout(outcome.stdout)
}

/** @throws what is no fault of the input */
async function evaluateStdin(fn: KrmFunction): Promise<Outcome> {
  try {
    return evaluate(fn, utf8Text(await inputBytes()))
  } catch (error) {
    if (error instanceof WireError) return { stdout: '', stderr: `${error.message}\n`, exitCode: 1 }
    throw error
  }
}

async function inputBytes(): Promise<Uint8Array> {
  try {
    return await readStdin()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new WireError(`stdin cannot be read: ${error.message}`)
  }
}
