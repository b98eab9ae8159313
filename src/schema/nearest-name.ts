// Shorter beginnings say too little: `name` begins `namespace`.
const SHORTEST_BEGINNING = 5

/**
 * The known name that the user most likely meant: one that differs in case only, by a slip or two of the keyboard,
 * or the only one that goes on where `name` ends (`adoption` → `adoptionPolicy`). The first of equals; undefined when none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const ofItsLength = known.filter((candidate) => Math.abs(name.length - candidate.length) <= slipsAllowed(name, candidate))
  const ranked = ofItsLength.map((candidate) => ({ candidate, distance: distanceOf(name.toLowerCase(), candidate.toLowerCase()) }))
  const near = ranked.filter(({ candidate, distance }) => distance <= slipsAllowed(name, candidate))
  const longer = known.filter((candidate) => continues(name, candidate))
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate ?? (longer.length === 1 ? longer[0] : undefined)
}

/** `; did you mean 'NAME'?`, or nothing when no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '' : `; did you mean '${nearest}'?`
}

/** One slip in three letters; one in names of two, where it is half of the name, is none. */
function slipsAllowed(name: string, candidate: string): number {
  return Math.floor(Math.max(name.length, candidate.length) / 3)
}

function continues(name: string, candidate: string): boolean {
  return name.length >= SHORTEST_BEGINNING && candidate.toLowerCase().startsWith(name.toLowerCase())
}

/** Damerau-Levenshtein distance with adjacent swaps (optimal string alignment), counted in UTF-16 code units. */
export function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) next.push(cheapest(a, b, row, column, [beforeLast, last, next]))
    beforeLast = last
    last = next
  }
  return last[b.length] ?? 0
}

type Rows = readonly [beforeLast: readonly number[], last: readonly number[], current: readonly number[]]

function cheapest(a: string, b: string, row: number, column: number, [beforeLast, last, current]: Rows): number {
  const same = a[row - 1] === b[column - 1]
  const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
  return Math.min(
    cost(last[column]) + 1,
    cost(current[column - 1]) + 1,
    cost(last[column - 1]) + (same ? 0 : 1),
    swapped ? cost(beforeLast[column - 2]) + 1 : Number.POSITIVE_INFINITY,
  )
}

function cost(value: number | undefined): number {
  return value ?? Number.POSITIVE_INFINITY
}
