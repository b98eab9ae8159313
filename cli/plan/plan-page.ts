import type { VariantChange } from '../../src/fleet/change.ts'
import type { Earlier } from '../../src/fleet/change-reason.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { fleetGraph } from '../graph/fleet-graph.ts'
import { fleetPage, pageData } from '../graph/page-data.ts'
import { isGroup, type PlanView } from './plan-view.ts'
import { summarize } from './plan-wording.ts'

/** A plan, and what it was made from. */
export interface PlannedFleet {
  readonly view: PlanView
  /** As they are compared: with the folder, or with a git revision. */
  readonly sets: readonly SetPlan[]
  readonly byHand: readonly VariantChange[]
  /** The folder, as the caller named it. */
  readonly dir: string
  readonly earlier?: Earlier | undefined
  /** undefined where the folder cannot be read. */
  readonly plan?: FleetPlan
  /** Returns the cluster of a variant. */
  readonly clusterOf?: (change: VariantChange) => string
}

/** Returns a plan as a page that shows changes first; only the part that was asked for. */
export function planPage({ view, sets, byHand, dir, earlier, plan, clusterOf }: PlannedFleet): string {
  const part = view.others === undefined ? undefined : new Set(view.sets.flatMap(({ changes }) => changes.flatMap(namesOf)))
  const data = pageData({
    title: `Plan ${dir}`,
    summary: summarize(view),
    first: 'changes',
    sets,
    byHand,
    graph: plan === undefined ? { nodes: [], edges: [], rings: [] } : fleetGraph(plan, []),
    results: view.results,
    earlier,
    clusterOf,
    isShown: ({ op, namespace, name }) => part?.has(`${op} ${namespace}/${name}`) ?? true,
  })
  return fleetPage(data)
}

function namesOf(entry: PlanView['sets'][number]['changes'][number]): readonly string[] {
  return isGroup(entry) ? [] : [`${entry.op} ${entry.namespace}/${entry.name}`]
}
