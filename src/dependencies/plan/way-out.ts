import { satisfy } from '../resolve/satisfy.ts'
import { chosenIn } from './chosen.ts'
import { closureOf } from './closure.ts'
import type { PlanInput, PlanPolicy } from './plan.ts'
import { Planning } from './planning.ts'

/** What settings would let a failed part be planned. */
export interface WayOut {
  /** As a person sets them: `upgrades: all`. */
  readonly settings: string
  /** Versions that objects would move to then, by the ids of their packages. */
  readonly moves: ReadonlyMap<string, string>
  /** The facts of the parts that fail even then. */
  readonly unsolved: ReadonlySet<string>
}

// A look at what other settings would give; it is worth less than the plan itself.
const STEPS_FOR_A_WAY_OUT = 100_000

/** What the settings would give that were not chosen, the least first. */
export function findWaysOut(input: PlanInput): WayOut[] {
  const { policy } = input
  const up: PlanPolicy = { ...policy, upgrades: 'all' }
  const canRise = policy.upgrades !== 'all'
  const canFall = !policy.downgrades
  if (!hasOther(input)) return []
  return [
    ...(canRise ? [wayOutBy({ ...input, policy: up }, 'upgrades: all')] : []),
    ...(canFall ? [wayOutBy({ ...input, policy: { ...policy, downgrades: true } }, 'downgrades: true')] : []),
    ...(canRise && canFall ? [wayOutBy({ ...input, policy: { ...up, downgrades: true } }, 'upgrades: all and downgrades: true')] : []),
  ]
}

/** Whether there is an object with another version to go to; without one the settings change nothing. */
function hasOther({ universes }: PlanInput): boolean {
  return universes.some(({ installs, compare }) =>
    installs.some(({ target, version }) => target.versions.some((each) => version === undefined || compare(each, version) !== 0)),
  )
}

function wayOutBy(input: PlanInput, settings: string): WayOut {
  const planning = new Planning(input, closureOf(input.universes, input.kinds))
  const answers = satisfy(planning, { maxSteps: Math.min(input.maxSteps, STEPS_FOR_A_WAY_OUT) })
  const values = [...chosenIn(answers, planning)]
  const moved = values.filter(([id, { isInstalled }]) => !isInstalled && planning.node(id)?.install !== undefined)
  const unsolved = answers.flatMap(({ facts, outcome }) => (outcome.type === 'solved' ? [] : facts.map(({ id }) => id)))
  return { settings, moves: new Map(moved.map(([id, { text }]) => [id, text])), unsolved: new Set(unsolved) }
}
