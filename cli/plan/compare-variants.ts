import type { VariantChange } from '../../src/fleet/change.ts'
import type { Fleet, FleetObject } from '../../src/fleet/fleet.ts'
import type { FormerDownstreams } from '../../src/fleet/former-downstreams.ts'
import { ownerFinder, type SetOwner } from '../../src/fleet/ownership.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { pairRenames } from '../../src/fleet/renames.ts'
import { groupBy } from '../../src/group-by.ts'
import { equalJson, isRecord } from '../../src/json.ts'
import { OWNER_LABEL, PORCH_CONFIG_GROUP } from '../../src/well-known.ts'

/** The changes of variants: by set, and of variants that no set asks for. */
export interface ComparedVariants {
  readonly sets: readonly SetPlan[]
  readonly byHand: readonly VariantChange[]
}

/** Compares the variants of a fleet after fan-out with those of another state of the fleet, by name. */
export function compareVariants({ sets, fleet }: Pick<FleetPlan, 'sets' | 'fleet'>, other: Fleet): ComparedVariants {
  const before = variantsOf(other)
  const touched = new Set(sets.flatMap(({ changes }) => changes.flatMap(({ existing }) => existing?.object ?? [])))
  const others = [...variantsOf(fleet).values()].filter(({ object }) => !touched.has(object)).map(asWritten)
  const planned = sets.map(({ changes }) => changes.filter(({ op }) => op !== 'remove'))
  const after = new Set([...planned.flat(), ...others].map(keyOf))
  const removed = [...before.values()].filter((variant) => !after.has(keyOf(variant)))
  const gone = groupBy(removed, ownerFinder(sets.map(({ owner }) => owner)))
  const compare = (wanted: readonly VariantChange[], owner: SetOwner | undefined, former: FormerDownstreams) => {
    const changes = wanted.map((change) => changeSince(before.get(keyOf(change)), change, owner))
    return pairRenames(changes, (gone.get(owner) ?? []).map(removal), former)
  }
  return {
    sets: sets.map((set, i) => ({ ...set, changes: compare(planned[i] ?? [], set.owner, set.draft?.former ?? NONE) })),
    byHand: compare(others, undefined, NONE),
  }
}

const NONE: FormerDownstreams = () => new Map()

function variantsOf(fleet: Fleet): ReadonlyMap<string, FleetObject> {
  return new Map(fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').map((variant) => [keyOf(variant), variant]))
}

/** Returns the text by which a variant is found in another state of the fleet. */
export function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}

/** Returns a variant that fan-out does not change, as a change. */
function asWritten(existing: FleetObject): VariantChange {
  const spec = existing.object.get(['spec'])
  const { name, namespace } = existing
  return { op: 'unchanged', name, namespace, existing, ...(isRecord(spec) && { after: spec }) }
}

/** Returns the change from the former state of a variant to its planned one. */
function changeSince(old: FleetObject | undefined, planned: VariantChange, owner: SetOwner | undefined): VariantChange {
  // A new variant makes its spec when the spec is read, so that a copy of its fields does not have the spec.
  const { existing: _, before: __, after, addsMarks = false, ...others } = planned
  const isMarked = owner?.uid !== undefined && old?.object.labels.get(OWNER_LABEL) === owner.uid
  const change = { ...others, ...(addsMarks && !isMarked && { addsMarks }), ...(after !== undefined && { after }) }
  if (old === undefined) return { ...change, op: 'create' }
  const before = old.object.get(['spec'])
  return { ...change, op: equalJson(before, after) ? 'unchanged' : 'update', existing: old, ...(before !== undefined && { before }) }
}

function removal(existing: FleetObject): VariantChange {
  const before = existing.object.get(['spec'])
  return { op: 'remove', name: existing.name, namespace: existing.namespace, existing, ...(before !== undefined && { before }) }
}
