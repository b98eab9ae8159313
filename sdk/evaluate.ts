import type { ResourceList as ListOfObjects } from '../src/resource-list/resource-list.ts'
import { evaluate as evaluateList, evaluateAsync as evaluateListAsync, type Outcome } from '../src/run.ts'
import type { ResourceList } from './objects.ts'

/** A KRM function: changes the list in place, and throws FunctionError only for faults of the user. */
export type KrmFunction = (list: ResourceList) => void

/**
 * A KRM function that waits for something, such as a file or a service. Behaves as KrmFunction; the promise is rejected instead of an
 * exception.
 */
export type AsyncKrmFunction = (list: ResourceList) => Promise<void>

/**
 * Evaluates a function on the text of a ResourceList, as kpt would. Uses no stream, so tests can call it.
 *
 * An item whose path leads out of the folder of the list is an error, in the input and in the output of the function.
 *
 * The exit code follows from the results: 1 exactly when one is an error. Then stdout holds the items of the input, since a
 * function that failed changed nothing, and stderr has the results as text. If the input is no ResourceList, stdout is empty: an
 * orchestrator would read a list without items as the wish to delete all items.
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
  return misuse(fn, input) ?? evaluateList(guarded(fn), input)
}

/**
 * Evaluates a function as `evaluate` does, and awaits it.
 *
 * @param fn - the function, which may be async
 * @param input - the text of a ResourceList
 *
 * @example
 * ```ts
 * import { evaluateAsync } from 'krm-variants/sdk'
 *
 * const input = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: ConfigMap\n'
 * const team = Promise.resolve('payments')
 * const { stdout } = await evaluateAsync(async (list) => list.items[0]?.set(['data', 'team'], await team), input)
 * console.log(stdout.includes('team: payments')) // true
 * ```
 */
export async function evaluateAsync(fn: KrmFunction | AsyncKrmFunction, input: string): Promise<Outcome> {
  return misuse(fn, input) ?? (await evaluateListAsync(guarded<void | Promise<void>>(fn), input))
}

/** Returns the function for a list that refuses changes of its `items` in words. */
function guarded<Returned>(fn: (list: ResourceList) => Returned): (list: ListOfObjects) => Returned {
  return (list) => {
    list.guardItems()
    return fn(list)
  }
}

/** Returns the refusal of what is no function or no text: JavaScript may pass anything. */
function misuse(fn: unknown, input: unknown): Outcome | undefined {
  const message =
    typeof fn !== 'function'
      ? `the first argument must be a function that changes the list, got ${typeof fn}`
      : typeof input !== 'string'
        ? `the second argument must be the text of a ResourceList, got ${typeof input}`
        : undefined
  return message === undefined ? undefined : { stdout: '', stderr: `${message}\n`, exitCode: 1 }
}
