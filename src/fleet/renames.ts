import { groupBy } from '../group-by.ts'
import type { Change } from './change.ts'
import { downstreamOf } from './downstream.ts'

/** What two changes must share to be one variant under a new name, the surest sign first. */
const SIGNS: readonly ((change: Change) => string | undefined)[] = [(change) => change.name, (change) => repoOf(change)]

/**
 * Joins a creation and a removal that most likely are one variant under a new name: of those not yet joined, the only two with
 * one sign. The rename stands where the creation stood; the removals that are left come last.
 */
export function pairRenames(changes: readonly Change[], removals: readonly Change[]): readonly Change[] {
  if (removals.length === 0) return changes
  const removalOf = new Map<Change, Change>()
  for (const sign of SIGNS) {
    const joined = new Set([...removalOf.keys(), ...removalOf.values()])
    const isFree = (change: Change): boolean => !joined.has(change) && sign(change) !== undefined
    const removed = groupBy(removals.filter(isFree), sign)
    const created = groupBy(
      changes.filter((change) => change.op === 'create' && isFree(change)),
      sign,
    )
    for (const [key, [creation, ...others]] of created) {
      const [removal, ...otherRemovals] = removed.get(key) ?? []
      if (creation && removal && others.length + otherRemovals.length === 0) removalOf.set(creation, removal)
    }
  }
  const renamed = new Set(removalOf.values())
  return [...changes.map((change) => joined(change, removalOf.get(change))), ...removals.filter((change) => !renamed.has(change))]
}

function joined(creation: Change, removal: Change | undefined): Change {
  return removal === undefined ? creation : { ...removal, ...creation, op: 'rename' }
}

function repoOf({ why, existing }: Change): string | undefined {
  return why?.repo ?? (existing && downstreamOf(existing)?.repo)
}
