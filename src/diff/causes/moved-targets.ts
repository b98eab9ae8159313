import type { FieldPath } from '../../field-path.ts'
import type { FleetObject } from '../../fleet/fleet.ts'
import type { SetPlan } from '../../fleet/plan-fan-out.ts'
import type { RenderedVariant } from '../../fleet/templates/rendered-variant.ts'
import { remember } from '../../remember.ts'
import type { VariantOrigin } from '../fleet-state.ts'
import type { CauseInput } from '../report.ts'
import { shortChange } from '../short-value.ts'
import { lineIn } from './object-places.ts'

/**
 * Returns the target of a variant in its set, which stays the same if the variant gets another downstream.
 *
 * @param isNamed  true to distinguish the packages that a target names, `packageNames: [a, b]`
 */
function placeKey({ plan: { owner }, change: { why } }: VariantOrigin, isNamed: boolean): string {
  if (why === undefined) return ''
  const { object, repoDefault, packageDefault, upstream } = why.place
  const target = object === undefined ? [repoDefault] : [object.kind, object.namespace, object.name]
  const { repo, package: name } = upstream.upstream
  return JSON.stringify([owner.namespace, owner.name, target, repo, name, ...(isNamed ? [packageDefault] : [])])
}

/**
 * Finds the variant of the other state that has the same target: the only one of the target in both states, else the one of its own name.
 */
export class VariantsByTarget {
  readonly #maps: readonly (readonly [from: OriginsByTarget, to: OriginsByTarget])[]
  readonly #asked = new Map<SetPlan, ReadonlySet<string>>()

  constructor(from: OriginsByTarget, to: OriginsByTarget) {
    this.#maps = [false, true].map((isNamed) => [originsByPlace(from, isNamed), originsByPlace(to, isNamed)])
  }

  /** Returns the variant of FROM for one of TO, or the reverse; undefined if there is none, or several. */
  otherOf(origin: VariantOrigin): VariantOrigin | undefined {
    const found = this.#maps.flatMap(([from, to], at) => {
      const key = placeKey(origin, at === 1)
      const [was, is] = [from.get(key), to.get(key)]
      return was !== undefined && is !== undefined ? [was === origin ? is : was] : []
    })
    return found[0]
  }

  /** Returns true if the set of a variant asks for a variant by the same entry of its targets, with the same downstream. */
  isAsked({ plan, change: { why } }: VariantOrigin): boolean {
    const asked = remember(
      this.#asked,
      plan,
      () => new Set(plan.changes.flatMap((change) => (change.why ? [downstreamOfEntry(change.why)] : []))),
    )
    return why !== undefined && asked.has(downstreamOfEntry(why))
  }
}

/** Returns a text that identifies a variant of a set by its entry of the targets and its downstream. */
function downstreamOfEntry({ place, repo, package: name }: RenderedVariant): string {
  return JSON.stringify([place.target.path, repo, name])
}

type OriginsByTarget = ReadonlyMap<string, VariantOrigin>

/** Returns the origins by their targets. A target of several variants says nothing and is left out. */
function originsByPlace(origins: OriginsByTarget, isNamed: boolean): OriginsByTarget {
  const found = new Map<string, VariantOrigin>()
  const several = new Set([''])
  for (const origin of origins.values()) {
    const key = placeKey(origin, isNamed)
    if (found.has(key)) several.add(key)
    found.set(key, origin)
  }
  for (const key of several) found.delete(key)
  return found
}

export function labelPath(key: string): FieldPath {
  return ['metadata', 'labels', key]
}

/** Returns the labels that an object has otherwise in the later state, each with its line; one that is gone has the line of the object. */
export function changedLabels(keys: Iterable<string>, [before, after]: readonly [FleetObject, FleetObject]): readonly CauseInput[] {
  return Array.from(keys).flatMap((key) => {
    const [was, is] = [before.labels.get(key), after.labels.get(key)]
    if (was === is) return []
    return [{ text: `${after.kind} ${after.name}: ${key}: ${shortChange(was, is)}`, ...lineIn(after.object, labelPath(key)) }]
  })
}
