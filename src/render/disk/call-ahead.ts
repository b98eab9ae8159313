import type { AnswersAhead } from '../../pipeline/runners/answers-ahead.ts'
import { endPrograms } from '../../pipeline/runners/program.ts'
import type { Progress } from '../../progress.ts'
import { FunctionError } from '../../result.ts'
import type { RenderPlan } from '../plan-render.ts'
import type { PackageFunctions } from '../runs/package-functions.ts'

/** Work on packages that is done to find the calls of their functions. What the work finds is dropped. */
export interface Trial<Item> {
  /** The functions that the work runs: those of `forTrial`. */
  readonly functions: PackageFunctions
  /** Works on one package, or compares one. @throws FunctionError  for a fault, which is reported when the work is done in earnest */
  work(item: Item): void
}

/**
 * Calls the programs and containers of all packages before the packages are rendered, several at one time. A package is rendered until it
 * needs an unknown answer; the calls of all packages are made together, and the packages are rendered again, until none needs a call.
 *
 * @param items  the packages that need a render
 * @param trial  begins the work once more
 */
export function* callAhead<Item>(items: readonly Item[], trial: () => Trial<Item>, ahead: AnswersAhead): Generator<Progress, void> {
  let open = items
  try {
    while (open.length > 0) {
      const { functions, work } = trial()
      const waiting: Item[] = []
      for (const [done, item] of open.entries()) {
        yield { done, total: open.length }
        if (!isTried(() => work(item), ahead)) waiting.push(item)
      }
      // No function runs if one of the fleet has no runner.
      if (functions.unmatched.length > 0) ahead.forgetWanted()
      if (!ahead.isWorthCalling) return
      let hasWaited = false
      yield {
        done: 0,
        total: open.length,
        wait: async (note) => {
          hasWaited = true
          await ahead.callWanted(note)
        },
      }
      if (!hasWaited) return
      open = waiting
    }
  } finally {
    ahead.forgetWanted()
    endPrograms()
  }
}

/** Returns false if the work needs an unknown answer. A fault is reported when the work is done in earnest. */
function isTried(work: () => void, ahead: AnswersAhead): boolean {
  try {
    return ahead.tries(work)
  } catch (error) {
    if (error instanceof FunctionError) return true
    throw error
  }
}

/** Returns a plan whose packages are rendered with other functions. */
export function planWith(plan: RenderPlan, functions: PackageFunctions): RenderPlan {
  return { ...plan, renderContext: { ...plan.renderContext, functions } }
}
