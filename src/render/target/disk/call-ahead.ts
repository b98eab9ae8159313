import type { AnswersAhead } from '../../../pipeline/runners/answers-ahead.ts'
import { endPrograms } from '../../../pipeline/runners/program.ts'
import type { Progress } from '../../../progress.ts'
import { FunctionError } from '../../../result.ts'
import type { RenderPlan } from '../../plan-render.ts'
import { type FolderRenderContext, renderStep } from './render-step.ts'

type Step = RenderPlan['steps'][number]

/**
 * Calls the programs and containers of all packages before the packages are rendered, several at one time. A package is rendered until it
 * needs an unknown answer; the calls of all packages are made together, and the packages are rendered again, until none needs a call. A
 * package that is made from another package of the fleet calls its functions when it is rendered.
 *
 * @param isDone  returns true for a package that needs no render
 * @param trial   returns where packages are rendered to look for calls; the findings there are reported by the render itself
 */
export function* callAhead(
  { steps }: RenderPlan,
  isDone: (step: Step) => boolean,
  trial: () => FolderRenderContext,
  ahead: AnswersAhead,
): Generator<Progress, void> {
  let open: readonly Step[] = steps.filter((step) => step.upstream.maker === undefined && !isDone(step))
  try {
    while (open.length > 0) {
      const context = trial()
      const waiting: Step[] = []
      for (const [done, step] of open.entries()) {
        yield { done, total: open.length }
        if (!isTried(step, context, ahead)) waiting.push(step)
      }
      // No function runs if one of the fleet has no runner.
      if ((context.plan.renderContext.functions?.unmatched.length ?? 0) > 0) ahead.forgetWanted()
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

/** Returns false if a package needs an unknown answer. A fault is reported when the package is rendered. */
function isTried(step: Step, context: FolderRenderContext, ahead: AnswersAhead): boolean {
  try {
    return ahead.tries(() => renderStep(step, context))
  } catch (error) {
    if (error instanceof FunctionError) return true
    throw error
  }
}
