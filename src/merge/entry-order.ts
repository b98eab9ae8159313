import type { EntryPlaces } from './pair-entries.ts'

/**
 * Returns the entries of a merged list in order: the downstream's order, or upstream's if only upstream changed the order. An entry
 * that upstream added before another entry is placed before that entry. At the end are entries that upstream added at the end, as in
 * kpt, and entries that the downstream deleted and upstream changed.
 *
 * @param entries  first ours, in their order
 * @example  ours `[a, b]`, theirs `[a, x, b, y]` → `[a, x, b, y]`
 */
export function entryOrder(entries: readonly EntryPlaces[]): readonly EntryPlaces[] {
  const ofOurs = inOrder(entries, 'ours')
  const ofTheirs = inOrder(entries, 'theirs')
  const isDeleted = ({ ours, base }: EntryPlaces) => ours === undefined && base !== undefined
  return [
    ...orderOf(
      ofOurs,
      ofTheirs.filter((entry) => !isDeleted(entry)),
    ),
    ...ofTheirs.filter(isDeleted),
  ]
}

function orderOf(ofOurs: readonly EntryPlaces[], ofTheirs: readonly EntryPlaces[]): readonly EntryPlaces[] {
  const reordered = !isAscending(ofOurs.map(({ theirs }) => theirs))
  const untouched = isAscending(ofOurs.map(({ base }) => base))
  if (reordered && untouched) return insertBehind(ofTheirs, ofOurs)
  return insertBehind(ofOurs.toReversed(), ofTheirs.toReversed()).toReversed()
}

function inOrder(entries: readonly EntryPlaces[], side: 'ours' | 'theirs'): readonly EntryPlaces[] {
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
