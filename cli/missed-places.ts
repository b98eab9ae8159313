import { formatFieldPath } from '../src/field-path.ts'
import { downstreamKey } from '../src/fleet/downstream.ts'
import { draftSet } from '../src/fleet/draft-set.ts'
import { type FleetObject, readFleet } from '../src/fleet/fleet.ts'
import { DEFAULT_OPTIONS } from '../src/fleet/options.ts'
import type { SetPlan } from '../src/fleet/plan-fan-out.ts'
import type { UnrolledTarget } from '../src/fleet/unroll-targets.ts'
import { readRevisions } from '../src/fleet/upstream.ts'
import { decodePackageVariantSet, type Target } from '../src/kinds/package-variant-set.ts'
import { firstUnmetClause, type LabelSelector } from '../src/kubernetes/label-selector.ts'
import type { ResourceList } from '../src/resource-list/resource-list.ts'

/** By downstream, as `downstreamKey` prints it: the object that would give it, and the clause that leaves the object out. */
export type MissedPlaces = ReadonlyMap<string, string>

const EVERYTHING: LabelSelector = { matchLabels: new Map(), matchExpressions: [] }

/**
 * Why a set no longer asks for what it removes: the places that it would have if its selectors left nothing out. Empty when it removes
 * nothing, since every object of a kind has to be rendered.
 */
export function missedPlaces({ object, owner: { namespace }, changes }: SetPlan, list: ResourceList): MissedPlaces {
  if (!changes.some(({ op }) => op === 'remove' || op === 'rename')) return new Map()
  const { set } = decodePackageVariantSet(object)
  const narrow = new Map(set.targets.map((target) => [widen(target), target]))
  const fleet = readFleet(list.items)
  const { rendered } = draftSet({ ...set, targets: [...narrow.keys()] }, namespace, fleet, readRevisions(fleet), DEFAULT_OPTIONS)
  const missed = rendered.flatMap((variant): [string, string][] => {
    const reason = whyLeftOut(variant.place, narrow.get(variant.place.target))
    return reason === undefined ? [] : [[downstreamKey(variant), reason]]
  })
  return new Map(missed)
}

/** The target with a selector that leaves nothing out. */
function widen(target: Target): Target {
  const { criteria } = target
  return { ...target, criteria: criteria.type === 'repositories' ? criteria : { ...criteria, selector: EVERYTHING } }
}

/** The clause of the real target that its object does not meet; undefined when it meets them all. */
function whyLeftOut({ path, object }: UnrolledTarget, target: Target | undefined): string | undefined {
  if (target === undefined || object === undefined || target.criteria.type === 'repositories') return undefined
  const clause = firstUnmetClause(target.criteria.selector, object.labels)
  return (
    clause && `${formatFieldPath(path)} leaves out ${object.kind} ${object.name}: ${clause} does not hold ${describeLabel(clause, object)}`
  )
}

/** The label that the clause looks at, as the object has it. */
function describeLabel(clause: string, { labels }: FleetObject): string {
  const key = clause.replace(/^!/, '').split(/[ =]/)[0] ?? ''
  return labels.has(key) ? `for ${key}=${labels.get(key)}` : `without label ${key}`
}
