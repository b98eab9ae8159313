import { groupBy } from '../group-by.ts'
import type { ObjectCriteria, Target } from '../kinds/target.ts'
import { matchesSelector } from '../kubernetes/label-selector.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { FLEET_API, PORCH_CONFIG_GROUP, PORCH_GROUP } from '../well-known.ts'
import { type Fleet, type FleetObject, readFleet } from './fleet.ts'
import { duplicateInFleet, findSets } from './sets.ts'

/** The kinds that sets look up, by group. */
const LOOKED_UP = [
  [PORCH_CONFIG_GROUP, 'Repository'],
  [PORCH_GROUP, 'PackageRevision'],
  [groupOf(FLEET_API), 'PackageRevisionSet'],
] as const

/**
 * Returns a warning for each object with the kind, namespace and name of an earlier object: a cluster has only one of them. Checks only
 * kinds that sets look up, since packages in one folder may have objects of one name.
 */
export function duplicateObjects(targets: readonly Target[], fleet: Fleet): readonly Result[] {
  const selected = objectCriteria(targets).map(({ apiVersion, kind }) => [groupOf(apiVersion), kind] as const)
  const kinds = new Map([...LOOKED_UP, ...selected].map(([group, kind]) => [`${group} ${kind}`, [group, kind] as const]))
  return [...kinds.values()].flatMap(([group, kind]) =>
    twinsOf(fleet, group, kind).map(({ object, first }) => duplicateInFleet(object, first)),
  )
}

/**
 * Returns a warning for each target with the kind, namespace and name of an earlier object: a Repository, or an object that a set selects.
 * Its own name may be lost, and with the name what the fleet has made for the target.
 *
 * @param items  the objects of a fleet and, in the functionConfig, its set
 */
export function twinsOfTargets({
  items,
  functionConfig,
}: {
  readonly items: readonly KrmObject[]
  readonly functionConfig?: KrmObject | undefined
}): readonly Result[] {
  const fleet = readFleet(items)
  const targets = findSets({ items, functionConfig }, fleet.kinds).flatMap(({ set }) => set?.targets ?? [])
  const selected = objectCriteria(targets).flatMap(({ apiVersion, kind, name, selector }) =>
    twinsOf(fleet, groupOf(apiVersion), kind).filter(
      (twin) => (name === undefined || twin.name === name) && matchesSelector(selector, twin.labels),
    ),
  )
  const twins = new Map([...twinsOf(fleet, PORCH_CONFIG_GROUP, 'Repository'), ...selected].map(({ object, first }) => [object, first]))
  return Array.from(twins, ([object, first]) => duplicateInFleet(object, first))
}

function objectCriteria(targets: readonly Target[]): readonly ObjectCriteria[] {
  return targets.flatMap(({ criteria }) => (criteria.type === 'objectSelector' ? [criteria] : []))
}

/** Returns the objects of a kind that have the namespace and name of an earlier one, each with the first of that name. */
function twinsOf(fleet: Fleet, group: string, kind: string): readonly (FleetObject & { readonly first: KrmObject })[] {
  const same = groupBy(fleet.allOf(group, kind), ({ namespace, name }) => `${namespace}/${name}`)
  return [...same.values()].flatMap(([first, ...later]) => later.map((each) => ({ ...each, first: first.object })))
}
