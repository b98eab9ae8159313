import type { FleetState } from './fleet-state.ts'
import type { ChangeGroup, PackageEntry, RingCount } from './report.ts'

/** A ring of a matrix, and the matrix as NAMESPACE/NAME. */
type RingName = Pick<RingCount, 'set' | 'ring'>

/** Returns the rings of all matrices in their order of trust: those of the later state, then those that only the earlier one has. */
function ringsOf(states: readonly FleetState[]): readonly RingName[] {
  const rings = states.flatMap(({ sets }) =>
    sets.flatMap(({ owner, set }) => (set?.rings ?? []).map(({ name }) => ({ set: `${owner.namespace}/${owner.name}`, ring: name }))),
  )
  return [...new Map(rings.map((ring) => [keyOf(ring), ring])).values()]
}

/**
 * Returns the number of clusters that change in each ring, in the order of trust: of all rings of the matrices of which something changes,
 * also those that stay as they are.
 */
export function countRings(changed: readonly PackageEntry[], states: readonly FleetState[]): readonly RingCount[] {
  const sets = new Set(changed.flatMap(({ set, ring }) => (ring === undefined ? [] : [set])))
  return sets.size === 0
    ? []
    : counted(
        ringsOf(states).filter(({ set }) => sets.has(set)),
        changed,
      )
}

/** Adds to each group the rings that it changes, with their numbers of clusters. */
export function withRings(groups: readonly ChangeGroup[], rings: readonly RingCount[]): readonly ChangeGroup[] {
  if (rings.length === 0) return groups
  return groups.map((group) => {
    const own = counted(rings, group.places).filter(({ clusters }) => clusters > 0)
    return own.length === 0 ? group : { ...group, rings: own }
  })
}

function counted(
  rings: readonly RingName[],
  places: readonly { readonly cluster: string; readonly set?: string; readonly ring?: string }[],
): readonly RingCount[] {
  const clusters = new Map<string, Set<string>>()
  for (const { cluster, set, ring } of places) {
    if (set === undefined || ring === undefined) continue
    const key = keyOf({ set, ring })
    clusters.set(key, (clusters.get(key) ?? new Set()).add(cluster))
  }
  return rings.map(({ set, ring }) => ({ set, ring, clusters: clusters.get(keyOf({ set, ring }))?.size ?? 0 }))
}

function keyOf({ set, ring }: RingName): string {
  return JSON.stringify([set, ring])
}
