import type { Answer } from '../resolve/answer.ts'
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
 * Where nothing has to go below the version it has, nothing does, even if it may.
 */
export function satisfyUniverses(input: PlanInput): Plan {
  const { policy } = input
  const rising = policy.downgrades ? planWithoutFailure({ ...input, policy: { ...policy, downgrades: false } }) : undefined
  return rising ?? planAtFirstLook(input) ?? planFollowingAll(input)
}

function planWithoutFailure(input: PlanInput): Plan | undefined {
  return planAtFirstLook(input) ?? solvedPlan(answersTo(input))
}

/** Without reading what nobody tries; undefined where that does not do. */
function planAtFirstLook(input: PlanInput): Plan | undefined {
  const planning = new Planning(input)
  const versions = firstLook(planning, input.maxSteps)
  if (versions === undefined || planning.isDoubtful) return undefined
  return { steps: stepsTo(valuesOf(versions, planning), planning), failures: [] }
}

interface Answered {
  readonly planning: Planning
  readonly answers: readonly Answer[]
}

function answersTo(input: PlanInput): Answered {
  const planning = new Planning(input, closureOf(input.universes, input.kinds))
  return { planning, answers: satisfy(planning, input) }
}

/** Undefined where a part has no answer. */
function solvedPlan({ planning, answers }: Answered): Plan | undefined {
  if (answers.some(({ outcome }) => outcome.type !== 'solved')) return undefined
  return { steps: stepsTo(chosenIn(answers, planning), planning), failures: [] }
}

function planFollowingAll(input: PlanInput): Plan {
  const answered = answersTo(input)
  return solvedPlan(answered) ?? planWithFailures(answered, input)
}

function planWithFailures({ planning, answers }: Answered, input: PlanInput): Plan {
  const failed = answers.filter(({ outcome }) => outcome.type !== 'solved')
  const waysOut = findWaysOut(input)
  // A part that fails keeps what is there.
  const kept: Chosen = new Map([...valuesThere(planning), ...chosenIn(answers, planning)])
  return { steps: stepsTo(kept, planning), failures: failed.flatMap((answer) => failuresOf(answer, planning, waysOut)) }
}
