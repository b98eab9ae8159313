import type { VariantChange } from '../../src/fleet/change.ts'
import { type Fleet, type FleetObject, readFleet } from '../../src/fleet/fleet.ts'
import { ownerFinder } from '../../src/fleet/ownership.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { isMatrix, isSet } from '../../src/fleet/sets.ts'
import { isLocalConfig } from '../../src/resource-list/applied-objects.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import { duplicateKeyResults } from '../../src/schema/document-faults.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { failedRenders } from '../../src/variant/failed-renders.ts'
import { OWNER_LABEL, PORCH_CONFIG_GROUP } from '../../src/well-known.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import type { ClusterList } from '../cluster-list.ts'
import { printJson } from '../print/print-value.ts'
import { type ComparedVariants, compareVariants, keyOf } from './compare-variants.ts'

/** The changes that a cluster would see, and what its controllers cannot do. */
export interface ClusterComparison extends ComparedVariants {
  /** Returns who makes the changes of a set: `by Porch's controller`. */
  readonly makerOf: (set: SetPlan) => string
  readonly results: readonly Result[]
  /** The number of variants that no set of the fleet owns and the fleet does not name. */
  readonly foreign: number
}

/**
 * Gives the sets of a list the uids that they have in a cluster, so that the plan finds the variants that the controller made for them.
 * Sets that the cluster does not have lose a uid of another cluster.
 */
export function takeUids(items: readonly KrmObject[], { sets }: ClusterList): void {
  const uids = new Map(sets.map(({ name, namespace, uid }) => [`${namespace}/${name}`, uid]))
  for (const object of items) {
    if (!isSet(object) || isMatrix(object)) continue
    const uid = uids.get(`${object.namespace ?? 'default'}/${object.name ?? ''}`)
    if (uid !== undefined) object.set(['metadata', 'uid'], uid)
    else if (object.get(['metadata', 'uid']) !== undefined) object.delete(['metadata', 'uid'])
  }
}

/**
 * Compares the variants of a fleet after fan-out with those of a cluster. The sets of the fleet have the uids of the cluster. Variants of
 * the cluster that other sets or people made are kept: their absence from the folder is no request to remove them.
 */
export function compareWithCluster(plan: FleetPlan, { variants, sets: inCluster }: ClusterList): ClusterComparison {
  const all = variants.map((variant) => KrmObject.fromDocument(printJson(variant)))
  const cluster = readFleet(all)
  const foreign = foreignVariants(plan, cluster)
  const objects = all.filter((object) => !foreign.has(object))
  const { sets, byHand } = compareVariants(plan, readFleet(objects))
  const uids = new Set(inCluster.map(({ uid }) => uid))
  const maker = (set: SetPlan) => makerOf(set, uids)
  return {
    sets: sets.map((set) => (maker(set) === 'applied' ? set : { ...set, changes: set.changes.filter((change) => isSeen(change, set)) })),
    byHand,
    makerOf: (set) => SAID[maker(set)],
    results: [
      ...objects.flatMap(failedRenders),
      ...duplicateKeyResults(objects),
      ...cluster.faults(),
      ...sets.flatMap((set) => stalls(set, maker(set))),
      ...[...sets.flatMap(({ changes }) => changes), ...byHand].flatMap(beingDeleted),
    ],
    foreign: foreign.size,
  }
}

/** Returns the variants of a cluster that no set of the fleet owns and that have the name of no variant of the fleet. */
function foreignVariants({ sets, fleet }: FleetPlan, cluster: Fleet): ReadonlySet<KrmObject> {
  const ownerOf = ownerFinder(sets.map(({ owner }) => owner))
  const planned = sets.flatMap(({ changes }) => changes.filter(({ op }) => op !== 'remove'))
  const named = new Set([...planned, ...variantsOf(fleet)].map(keyOf))
  const foreign = variantsOf(cluster).filter((variant) => ownerOf(variant) === undefined && !named.has(keyOf(variant)))
  return new Set(foreign.map(({ object }) => object))
}

function variantsOf(fleet: Fleet): readonly FleetObject[] {
  return fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant')
}

/** Returns a warning if the cluster is deleting a variant that the fleet has. */
function beingDeleted({ op, existing }: VariantChange): readonly Result[] {
  const path = ['metadata', 'deletionTimestamp']
  if (existing === undefined || (op !== 'unchanged' && op !== 'update') || existing.object.get(path) === undefined) return []
  const message = 'must not be set on a variant that the fleet has: the cluster is deleting it, and it must be made anew once it is gone'
  return [faultToResult(existing.object, { severity: 'warning', rule: 'variant-being-deleted', path, message })]
}

/** Who makes the variants of a set in a cluster. */
type Maker = 'controller' | 'later' | 'applied'

const SAID: Readonly<Record<Maker, string>> = {
  controller: "by Porch's controller",
  later: "by Porch's controller, once the set is applied",
  applied: 'by the program that applies the variants',
}

function makerOf({ object, owner: { uid } }: SetPlan, uids: ReadonlySet<string>): Maker {
  if (uid !== undefined && uids.has(uid)) return 'controller'
  return isMatrix(object) || isLocalConfig(object) ? 'applied' : 'later'
}

/** Returns true unless a controller would have to remove a variant that it does not find, since the variant lacks the uid of the set. */
function isSeen({ op, existing }: VariantChange, { owner: { uid } }: SetPlan): boolean {
  return op !== 'remove' || (uid !== undefined && existing?.object.labels.get(OWNER_LABEL) === uid)
}

const NAMED = 3

/**
 * Returns an error if variants of the cluster have the names of those that the controller makes and not the uid of the set, so that the
 * controller stalls, and a warning if variants that are applied are those of a controller.
 */
function stalls({ object, changes, owner: { uid } }: SetPlan, maker: Maker): readonly Result[] {
  const isFound = ({ op, existing }: VariantChange): boolean => {
    const label = existing?.object.labels.get(OWNER_LABEL)
    if (existing === undefined) return false
    return maker === 'applied' ? label !== undefined : op !== 'remove' && (uid === undefined || label !== uid)
  }
  const found = changes.filter(isFound)
  if (found.length === 0) return []
  const named = `${countOf(found.length, 'PackageVariant')} of the cluster: ${nameFirst(found, NAMED, ({ existing }) => existing?.name ?? '')}`
  const path = ['metadata', 'name']
  if (maker === 'applied') {
    const message = `must be the set of no controller, which would undo what is applied; one has ${named}`
    return [faultToResult(object, { severity: 'warning', rule: 'cluster-controlled', path, message })]
  }
  const message = `must own the variants that exist, or the controller cannot create them and stalls; write its uid into them (krm-variants adopt) and apply them; it is missing in ${named}`
  return [faultToResult(object, { severity: 'error', rule: 'cluster-blocked', path, message })]
}
