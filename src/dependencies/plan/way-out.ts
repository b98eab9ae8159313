import { satisfy } from '../resolve/satisfy.ts'
import { chosenIn } from './chosen.ts'
import { closureOf } from './closure.ts'
import type { PlanInput, PlanPolicy } from './plan.ts'
import { Planning } from './planning.ts'

/** Settings that were not chosen, and the result that the solver has with them. */
export interface WayOut {
  /** As a person sets them: `upgrades: all`. */
  readonly settings: string
  /** Versions that objects would move to then, by the ids of their packages. */
  readonly moves: ReadonlyMap<string, string>
  /** The facts of the parts that fail even then. */
  readonly unsolved: ReadonlySet<string>
}

// The most steps for one way out, which is worth less than the plan itself.
const STEPS_FOR_A_WAY_OUT = 100_000

/** Returns the result of each more permissive setting, the least permissive first; none if no installed package has another version. */
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

/** Returns true if an installed package has another known version; else the settings change nothing. */
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
