import { didYouMean } from '../../src/schema/nearest-name.ts'
import { UsageError } from '../usage-error.ts'
import { type Operation, type PlanView, type SetView, viewPlan } from './plan-view.ts'
import { nameSet } from './plan-wording.ts'

/** The part of a plan that is shown. A filter that is undefined leaves nothing out. */
export interface PlanFilter {
  /** Sets by name, or as NAMESPACE/NAME. */
  readonly set?: readonly string[]
  readonly only?: readonly Operation[]
}

/**
 * Returns the part of a plan that is asked for, with the counts of that part and of the rest.
 *
 * @throws UsageError for an unknown set
 */
export function filterPlan(view: PlanView, { set: names, only }: PlanFilter): PlanView {
  if (names === undefined && only === undefined) return view
  for (const name of names ?? []) refuseUnknown(name, view.sets)
  const sets = view.sets.filter((set) => names === undefined || names.some((name) => isNamed(set, name)))
  const kept = sets.map((set) => ({ ...set, changes: set.changes.filter(({ op }) => only === undefined || only.includes(op)) }))
  const { counts } = viewPlan(kept, [])
  const others = { ...counts }
  for (const op of Object.keys(others) as (keyof typeof others)[]) others[op] = view.counts[op] - counts[op]
  return { ...view, counts, sets: kept, others }
}

function isNamed(set: SetView, name: string): boolean {
  return set.name === name || nameSet(set) === name
}

function refuseUnknown(name: string, sets: readonly SetView[]): void {
  if (sets.some((set) => isNamed(set, name))) return
  throw new UsageError(`no set '${name}'${didYouMean(name, [...new Set(sets.flatMap((set) => [set.name, nameSet(set)]))])}`)
}
