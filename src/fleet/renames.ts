import { groupBy } from '../group-by.ts'
import { memberOf, scalarText } from '../json.ts'
import type { VariantChange } from './change.ts'
import { downstreamKey, downstreamOf } from './downstream.ts'
import type { FormerDownstreams } from './former-downstreams.ts'

/** Returns a text that two changes share if they are one variant under a new name; undefined for a change without this sign. */
type Sign = (change: VariantChange) => string | undefined

/**
 * Joins a creation and a removal to a rename if both most likely are one variant under a new name: of the changes that are not joined
 * yet, they must be the only two with one sign. The signs are tried from the most to the least certain: the same name; the same target
 * and downstream repository under another upstream package of the set; the same downstream repository. A rename takes the place of the
 * creation; the remaining removals are last.
 */
export function pairRenames(
  changes: readonly VariantChange[],
  removals: readonly VariantChange[],
  former: FormerDownstreams,
): readonly VariantChange[] {
  if (removals.length === 0) return changes
  const byName: Sign = ({ name }) => name
  const removalOf = new Map<VariantChange, VariantChange>()
  for (const sign of [byName, ...placeSigns(changes, removals, former), repoSign(changes)]) {
    const joined = new Set([...removalOf.keys(), ...removalOf.values()])
    const isFree = (change: VariantChange): boolean => !joined.has(change) && sign(change) !== undefined
    const removed = groupBy(removals.filter(isFree), sign)
    const free = changes.filter((change) => change.op === 'create' && isFree(change))
    const created = groupBy(free, sign)
    for (const [key, [creation, ...others]] of created) {
      const [removal, ...otherRemovals] = removed.get(key) ?? []
      if (creation && removal && others.length + otherRemovals.length === 0) removalOf.set(creation, removal)
    }
  }
  const renamed = new Set(removalOf.values())
  return [...changes.map((change) => joined(change, removalOf.get(change))), ...removals.filter((change) => !renamed.has(change))]
}

/**
 * Returns a sign for each upstream package that a removed variant had and no new variant has: the downstream of a place under that
 * package.
 */
function placeSigns(changes: readonly VariantChange[], removals: readonly VariantChange[], former: FormerDownstreams): readonly Sign[] {
  const created = changes.filter(({ op }) => op === 'create')
  if (created.length === 0) return []
  const now = new Set(created.map(({ after }) => upstreamOf(after)))
  const before = [...new Set(removals.map((removal) => upstreamOf(removal.before)))].filter((name) => name !== '' && !now.has(name))
  return before.map((name): Sign => {
    const downstreams = former(name)
    return ({ why, existing, before: spec }) => {
      if (why !== undefined) return keyOf(downstreams.get(downstreamKey(why)))
      return existing !== undefined && upstreamOf(spec) === name ? keyOf(downstreamOf(existing)) : undefined
    }
  })
}

function keyOf(downstream: Parameters<typeof downstreamKey>[0]): string | undefined {
  return downstream === undefined ? undefined : downstreamKey(downstream)
}

function upstreamOf(spec: VariantChange['before']): string {
  return scalarText(memberOf(memberOf(spec, 'upstream'), 'package'))
}

function joined(creation: VariantChange, removal: VariantChange | undefined): VariantChange {
  return removal === undefined ? creation : { ...removal, ...creation, ...written(creation.after), op: 'rename' }
}

/** Returns the spec of a creation as a property: that of a creation itself is computed, and a copy would lack it. */
export function written(after: VariantChange['after']): Pick<VariantChange, 'after'> {
  return after === undefined ? {} : { after }
}

/**
 * Returns the sign of the downstream repository. For a set of several upstreams the upstream package belongs to the sign: a package that
 * is new in a repository is no new name of another that goes.
 */
function repoSign(changes: readonly VariantChange[]): Sign {
  const packages = new Set(changes.flatMap(({ why }) => (why === undefined ? [] : [why.place.upstream.upstream.package])))
  return (change) => {
    const repo = repoOf(change)
    return repo === undefined || packages.size < 2 ? repo : JSON.stringify([repo, upstreamOf(change.after ?? change.before)])
  }
}

function repoOf({ why, existing }: VariantChange): string | undefined {
  return why?.repo ?? (existing && downstreamOf(existing)?.repo)
}
