import { objectPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { declaringItems } from '../resource-list/revision-folders.ts'
import { FunctionError, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { OWNER_LABEL, PORCH_CONFIG_GROUP } from '../well-known.ts'
import { countOf } from '../wording.ts'
import { type FleetObject, readFleet } from './fleet.ts'
import { foreignController, ownerFinder, writeMarks } from './ownership.ts'
import { findSets, isMatrix } from './sets.ts'

/** A PackageVariantSet as an API server has it. */
export interface ClusterSet {
  readonly name: string
  readonly namespace: string
  readonly uid: string
}

/**
 * Gives the variants of a list to the sets of a cluster: each variant gets the marks by which Porch's controller finds the variants of a
 * set (label, owner reference, finalizer), with the uid that the set has in the cluster. Applied to the cluster, such a variant is adopted
 * without a write; a variant without the marks makes the controller stall, since its name is taken. A variant whose marks name the uid of
 * an earlier cluster gets the new one. Variants of a PackageVariantMatrix stay as they are: no controller looks for them.
 *
 * @throws FunctionError with every set whose variants have no set in the cluster, and every variant that another object controls
 */
export function adoptVariants(list: ResourceList, sets: readonly ClusterSet[]): void {
  const items = declaringItems(list.items)
  const fleet = readFleet(items)
  const found = findSets({ items, functionConfig: list.functionConfig }, fleet.kinds).filter(({ object }) => !isMatrix(object))
  const ownerOf = ownerFinder(found.map(({ owner }) => owner))
  const inCluster = new Map(sets.map((set) => [`${set.namespace}/${set.name}`, set]))
  const variants = fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant')
  const faults: Result[] = []
  for (const { object, owner } of found) {
    const own = variants.filter((variant) => ownerOf(variant) === owner)
    const set = inCluster.get(`${owner.namespace}/${owner.name}`)
    const nearest = fleet.nearestAmong([...inCluster.keys()])(`${owner.namespace}/${owner.name}`)
    if (set === undefined && own.length > 0) faults.push(notInCluster(object, own.length, nearest))
    if (set === undefined) continue
    const foreign = own.flatMap((variant) => foreignResult(variant, owner.name))
    faults.push(...foreign)
    if (foreign.length > 0) continue
    for (const { object: variant } of own) writeMarks(variant, { ...owner, uid: set.uid })
    list.results.push(adopted(object, own, set))
  }
  if (faults.length > 0) throw new FunctionError(faults)
}

function notInCluster(object: KrmObject, variants: number, nearest: string | undefined): Result {
  const hint = nearest === undefined ? '' : `; did you mean ${quoteText(nearest)}?`
  const message = `must be a set of the cluster, so that its ${countOf(variants, 'PackageVariant')} can be adopted: apply the set first${hint}`
  return faultToResult(object, { severity: 'error', rule: 'set-not-in-cluster', path: ['metadata', 'name'], message })
}

function foreignResult({ object }: FleetObject, setName: string): readonly Result[] {
  const controller = foreignController(object, setName)
  if (controller === undefined) return []
  const message = `must not name another controller, got ${quoteText(controller)}: an object has one`
  return [faultToResult(object, { severity: 'error', rule: 'variant-controlled', path: ['metadata', 'ownerReferences'], message })]
}

function adopted(object: KrmObject, own: readonly FleetObject[], { uid }: ClusterSet): Result {
  const changed = own.filter((variant) => variant.labels.get(OWNER_LABEL) !== uid).length
  return {
    severity: 'info',
    message: `gives ${changed} of ${countOf(own.length, 'PackageVariant')} to the set of the cluster with uid ${quoteText(uid)}`,
    ...objectPlace(object),
    tags: { rule: 'variants-adopted' },
  }
}
