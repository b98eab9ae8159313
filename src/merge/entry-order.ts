import type { EntryPlaces } from './pair-entries.ts'

/**
 * Returns the entries of a merged list in order: the downstream's order, or upstream's if only upstream changed the order. An entry
 * that upstream added before another entry is placed before that entry. At the end are entries that upstream added at the end, as in
 * kpt, and entries that the downstream deleted and upstream changed.
 *
 * @param entries  first the downstream's, in their order
 * @example  downstream `[a, b]`, upstream `[a, x, b, y]` → `[a, x, b, y]`
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

/** Returns the first list with the entries that only the second has, each after its predecessor in the second list, or at the start. */
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
