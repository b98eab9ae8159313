import { readFleet } from '../fleet/fleet.ts'
import { ownerFinder } from '../fleet/ownership.ts'
import { findSets } from '../fleet/sets.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import type { FleetVariant } from './fleet-variants.ts'

/** Returns `NAMESPACE/NAME` of the set that a variant belongs to; undefined for a variant without a set. */
export type SetOf = (variant: FleetVariant) => string | undefined

/** Returns a function that finds the set of a variant. The fleet is read at the first call. */
export function setFinder(items: readonly KrmObject[]): SetOf {
  let sets: ReadonlyMap<KrmObject, string> | undefined
  return ({ object }) => {
    sets ??= readSets(items)
    return sets.get(object)
  }
}

function readSets(items: readonly KrmObject[]): ReadonlyMap<KrmObject, string> {
  const fleet = readFleet(items)
  const findOwner = ownerFinder(findSets({ items, functionConfig: undefined }, fleet.kinds).map(({ owner }) => owner))
  return new Map(
    fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').flatMap((variant) => {
      const owner = findOwner(variant)
      return owner === undefined ? [] : [[variant.object, `${owner.namespace}/${owner.name}`] as const]
    }),
  )
}
