import type { PackageVariantSet, Target } from '../kinds/package-variant-set.ts'
import { firstUnmetClause, type LabelSelector } from '../kubernetes/label-selector.ts'
import { downstreamKey } from './downstream.ts'
import type { Draft } from './draft-set.ts'
import type { FleetObject, Surroundings } from './fleet.ts'
import { renderVariant } from './render-variant.ts'
import { type UnrolledTarget, unrollTargets } from './unroll-targets.ts'

/** A place that a set would have if one clause did not leave its object out. */
export interface MissedPlace {
  readonly place: UnrolledTarget
  readonly object: FleetObject
  /** The first clause of the target's selector that the object does not meet, as kubectl prints it. */
  readonly clause: string
}

const EVERYTHING: LabelSelector = { matchLabels: new Map(), matchExpressions: [] }

/**
 * The places that a set would have if its selectors left nothing out, by downstream as `downstreamKey` prints it. Every object of
 * the selected kinds is rendered.
 */
export function missedPlaces(set: PackageVariantSet, { context }: Draft, surroundings: Surroundings): ReadonlyMap<string, MissedPlace> {
  const narrow = new Map(set.targets.map((target) => [widen(target), target]))
  const unrolled = unrollTargets({ ...set, targets: [...narrow.keys()] }, surroundings)
  const missed = unrolled.flatMap(({ target, places }) =>
    places.flatMap((place) => {
      const leftOut = leftOutBy(narrow.get(target), place)
      return leftOut === undefined ? [] : [[downstreamKey(renderVariant(place, context)), leftOut] as const]
    }),
  )
  return new Map(missed)
}

/** The target with a selector that leaves nothing out. */
function widen(target: Target): Target {
  const { criteria } = target
  return { ...target, criteria: criteria.type === 'repositories' ? criteria : { ...criteria, selector: EVERYTHING } }
}

/** undefined when the real target has the place too. */
function leftOutBy(target: Target | undefined, place: UnrolledTarget): MissedPlace | undefined {
  const { object } = place
  if (target === undefined || object === undefined || target.criteria.type === 'repositories') return undefined
  const clause = firstUnmetClause(target.criteria.selector, object.labels)
  return clause === undefined ? undefined : { place, object, clause }
}
