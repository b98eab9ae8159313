import { compareText } from '../field-path.ts'
import { groupBy } from '../group-by.ts'

/** A package that brings an object into the cluster. */
export interface OwnershipClaim {
  /** Identity of the object: `CustomResourceDefinition buckets.s3.aws.io`. */
  readonly object: string
  /** The package that brings the object. */
  readonly claimant: string
  /** True if the claimant already is the controlling owner. */
  readonly controls: boolean
}

/** Two claimants of the same objects: the winner has them, the loser cannot be installed. */
export interface OwnerConflict {
  readonly winner: string
  readonly loser: string
  /** Every object the loser would have to share, sorted. */
  readonly objects: readonly string[]
}

/**
 * Decides which of several packages may be installed when they bring the same objects. A claimant that loses one object is not
 * installed, so it gets none of its other objects either (seed 003, Package A and Package B Both Want to Install CRD1 and CRD2).
 * Claimants that already control an object are first, the others follow in sorted order.
 * Example: a brings x and y, b brings y and z, c brings z: a and c win, b loses y to a.
 */
export function resolveClaims(claims: readonly OwnershipClaim[]): {
  readonly winners: readonly string[]
  readonly conflicts: readonly OwnerConflict[]
} {
  const holder = new Map<string, string>()
  const winners: string[] = []
  const conflicts: OwnerConflict[] = []
  for (const { claimant, objects } of groupClaims(claims)) {
    const taken = objects.filter((object) => holder.has(object))
    if (taken.length > 0) conflicts.push(...conflictsOf(claimant, taken, holder))
    else {
      winners.push(claimant)
      for (const object of objects) holder.set(object, claimant)
    }
  }
  return { winners, conflicts }
}

function conflictsOf(loser: string, taken: readonly string[], holder: ReadonlyMap<string, string>): OwnerConflict[] {
  const byWinner = [...groupBy(taken, (object) => holder.get(object) ?? '')].sort(([a], [b]) => compareText(a, b))
  return byWinner.map(([winner, objects]) => ({ winner, loser, objects }))
}

function groupClaims(claims: readonly OwnershipClaim[]): { readonly claimant: string; readonly objects: readonly string[] }[] {
  const controlling = new Set(claims.filter(({ controls }) => controls).map(({ claimant }) => claimant))
  const claimants = [...new Set(claims.map(({ claimant }) => claimant))].sort(
    (a, b) => Number(controlling.has(b)) - Number(controlling.has(a)) || compareText(a, b),
  )
  const objects = new Map(claimants.map((claimant): [string, Set<string>] => [claimant, new Set()]))
  for (const { claimant, object } of claims) objects.get(claimant)?.add(object)
  return claimants.map((claimant) => ({ claimant, objects: [...(objects.get(claimant) ?? [])].sort(compareText) }))
}
