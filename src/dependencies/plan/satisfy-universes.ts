import { firstLook } from '../resolve/first-look.ts'
import { satisfy } from '../resolve/satisfy.ts'
import { type Chosen, chosenIn, valuesOf, valuesThere } from './chosen.ts'
import { closureOf } from './closure.ts'
import { failuresOf } from './failure.ts'
import type { Plan, PlanInput } from './plan.ts'
import { Planning } from './planning.ts'
import { stepsTo } from './steps.ts'
import { findWaysOut } from './way-out.ts'

/**
 * The plan that meets every requirement of every parent at once, found by a search that learns from conflicts.
 * Parts that have nothing to do with each other fail alone: the steps are those of the others.
 */
export function satisfyUniverses(input: PlanInput): Plan {
  return planAtFirstLook(input) ?? planFollowingAll(input)
}

/** Without reading what nobody tries; undefined where that does not do. */
function planAtFirstLook(input: PlanInput): Plan | undefined {
  const planning = new Planning(input)
  const versions = firstLook(planning, input.maxSteps)
  if (versions === undefined || planning.isDoubtful) return undefined
  return { steps: stepsTo(valuesOf(versions, planning), planning), failures: [] }
}

function planFollowingAll(input: PlanInput): Plan {
  const planning = new Planning(input, closureOf(input.universes, input.kinds))
  const answers = satisfy(planning, input)
  const chosen = chosenIn(answers, planning)
  const failed = answers.filter(({ outcome }) => outcome.type !== 'solved')
  if (failed.length === 0) return { steps: stepsTo(chosen, planning), failures: [] }
  const waysOut = findWaysOut(input)
  // A part that fails keeps what is there.
  const kept: Chosen = new Map([...valuesThere(planning), ...chosen])
  return { steps: stepsTo(kept, planning), failures: failed.flatMap((answer) => failuresOf(answer, planning, waysOut)) }
}
