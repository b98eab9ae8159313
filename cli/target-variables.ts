import type { Variables } from '../src/cel/variables.ts'
import { type FieldPath, formatFieldPath } from '../src/field-path.ts'
import { draftSet } from '../src/fleet/draft-set.ts'
import { readFleet } from '../src/fleet/fleet.ts'
import { DEFAULT_OPTIONS } from '../src/fleet/options.ts'
import { findSets } from '../src/fleet/sets.ts'
import { findUpstream, readRevisions } from '../src/fleet/upstream.ts'
import { variablesOf, withRepository } from '../src/fleet/variables.ts'
import type { ResourceList } from '../src/resource-list/resource-list.ts'
import { formatResourceRef } from '../src/result.ts'

/** A place that a target asks for, by what the variables repoDefault and packageDefault are there, and all variables. */
export interface TargetPlace {
  readonly repo: string
  readonly package: string
  /** The set and the field that gives it. */
  readonly description: string
  readonly variables: Variables
}

/** Every place of every set of the list, in their order. Sets with faults of their own have none. */
export function targetPlaces(list: ResourceList): readonly TargetPlace[] {
  const options = DEFAULT_OPTIONS
  const fleet = readFleet(list.items)
  const revisions = readRevisions(fleet)
  return findSets(list, fleet.kinds).flatMap(({ object, owner: { namespace }, set }) => {
    if (set === undefined) return []
    const upstream = findUpstream(set, namespace, revisions, options.lookups).revision
    const repositories = fleet.repositories(namespace)
    return draftSet(set, namespace, fleet, revisions, options).rendered.map(({ place, repo }) => ({
      repo: place.repoDefault,
      package: place.packageDefault,
      description: describe(formatResourceRef(object.ref), place.path),
      variables: withRepository(variablesOf(place, upstream), repositories.get(repo)),
    }))
  })
}

function describe(set: string, path: FieldPath): string {
  return `${set}, ${formatFieldPath(path)}`
}
