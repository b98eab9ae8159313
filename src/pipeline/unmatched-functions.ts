import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { imageFault } from './image.ts'
import { findRunners, type Runners, unmatchedResult } from './match.ts'
import { functionsIn } from './pipeline-steps.ts'

/**
 * Returns an info for each image in the pipelines of Kptfiles that nothing can run here, with the number of packages that need it.
 * `render` and `run` refuse such a package.
 */
export function unmatchedFunctions(items: readonly KrmObject[], runners: Runners): readonly Result[] {
  const steps = items.filter(({ kind, file }) => kind === 'Kptfile' && file !== undefined).flatMap(functionsIn)
  const sound = steps.filter(({ image }) => image !== '' && imageFault(image) === undefined)
  const unmatched = findRunners(sound, runners).unmatched.filter(({ rule }) => rule === 'no-runner')
  return [...groupBy(unmatched, ({ message }) => message).values()].map((same): Result => {
    return { ...unmatchedResult(same[0], new Set(same.map(({ step }) => step.kptfile)).size), severity: 'info' }
  })
}
