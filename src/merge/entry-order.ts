import type { EntryPlaces } from './pair-entries.ts'

/**
 * The order of the entries of a merged list. It is the downstream's. What upstream adds at the end comes to the end, as in kpt, and so does what
 * the downstream deleted and upstream changed; what upstream adds before another entry comes before that one. Where upstream changed the order
 * and the downstream did not, it is upstream's.
 *
 * @param entries  those of the downstream first, in their order
 */
export function entryOrder(entries: readonly EntryPlaces[]): readonly EntryPlaces[] {
  const ofDownstream = inOrder(entries, 'downstream')
  const ofUpstream = inOrder(entries, 'upstream')
  const isDeleted = ({ downstream, original }: EntryPlaces) => downstream === undefined && original !== undefined
  return [
    ...orderOf(
      ofDownstream,
      ofUpstream.filter((entry) => !isDeleted(entry)),
    ),
    ...ofUpstream.filter(isDeleted),
  ]
}

function orderOf(ofDownstream: readonly EntryPlaces[], ofUpstream: readonly EntryPlaces[]): readonly EntryPlaces[] {
  const reordered = !isAscending(ofDownstream.map(({ upstream }) => upstream))
  const untouched = isAscending(ofDownstream.map(({ original }) => original))
  if (reordered && untouched) return insertBehind(ofUpstream, ofDownstream)
  return insertBehind(ofDownstream.toReversed(), ofUpstream.toReversed()).toReversed()
}

function inOrder(entries: readonly EntryPlaces[], side: 'downstream' | 'upstream'): readonly EntryPlaces[] {
  return entries.filter((entry) => entry[side] !== undefined).sort((a, b) => (a[side] ?? 0) - (b[side] ?? 0))
}

function isAscending(places: readonly (number | undefined)[]): boolean {
  const known = places.filter((place) => place !== undefined)
  return known.every((place, at) => at === 0 || place > (known[at - 1] ?? 0))
}

/** The first list with those that only the second one has, each behind the entry that stands before it there, or in front. */
function insertBehind(order: readonly EntryPlaces[], others: readonly EntryPlaces[]): readonly EntryPlaces[] {
  const placed = new Set(order)
  const behind = new Map<EntryPlaces | undefined, EntryPlaces[]>([[undefined, []]])
  let anchor: EntryPlaces | undefined
  for (const entry of others) {
    if (placed.has(entry)) anchor = entry
    else if (!behind.get(anchor)?.push(entry)) behind.set(anchor, [entry])
  }
  return [...(behind.get(undefined) ?? []), ...order.flatMap((entry) => [entry, ...(behind.get(entry) ?? [])])]
}
