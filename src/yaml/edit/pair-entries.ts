import { firstThat } from '../../binary-search.ts'

/** The positions of an entry in a list before and after. */
export type Pair = readonly [before: number, after: number]

/** The parts of an entry that pairing compares. Two entries match if they have the same meaning, or the same `name`. */
export interface PairedEntry {
  readonly meaning: number
  readonly name: number | undefined
}

/**
 * Pairs the entries of a list before and after an edit, in order. As many entries as possible are matched in their order; between two
 * matches, entries are paired by position as far as both sides go. The time grows with the lengths of the lists, not with their product.
 *
 * @example [a, b, c] → [a, x, c]: a with a, b with x, c with c
 */
export function pairMembers(before: readonly PairedEntry[], after: readonly PairedEntry[]): readonly Pair[] {
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  for (const [a, b] of [...alignment(before, after), [before.length, after.length] as const]) {
    while (i < a && j < b) pairs.push([i++, j++])
    if (a < before.length || b < after.length) pairs.push([a, b])
    ;[i, j] = [a + 1, b + 1]
  }
  return pairs
}

/** Returns the matches: equal beginnings and ends, and between them as many entries as keep their order. */
function alignment(a: readonly PairedEntry[], b: readonly PairedEntry[]): readonly Pair[] {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && isSame(a[head], b[head])) head++
  let tail = 0
  while (tail < shorter - head && isSame(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail++
  const middle = longestRising(matches(a.slice(head, a.length - tail), b.slice(head, b.length - tail)))
  return [
    ...range(head).map((i) => [i, i] as const),
    ...middle.map(([i, j]) => [i + head, j + head] as const),
    ...range(tail)
      .map((i) => [a.length - 1 - i, b.length - 1 - i] as const)
      .reverse(),
  ]
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index)
}

function isSame(a: PairedEntry | undefined, b: PairedEntry | undefined): boolean {
  return a?.meaning === b?.meaning || (a?.name !== undefined && a.name === b?.name)
}

/** Returns the match in `a` of each entry of `b` that has one, by meaning first and then by name. No entry is matched twice. */
function matches(a: readonly PairedEntry[], b: readonly PairedEntry[]): readonly Pair[] {
  const found: (number | undefined)[] = []
  const taken = new Set<number>()
  for (const mark of ['meaning', 'name'] as const) {
    const free = positions(a, mark, taken)
    for (const [j, entry] of b.entries()) {
      const i = found[j] === undefined && entry[mark] !== undefined ? free.get(entry[mark])?.pop() : undefined
      if (i === undefined) continue
      found[j] = i
      taken.add(i)
    }
  }
  return [...found.entries()].flatMap(([j, i]) => (i === undefined ? [] : [[i, j] as const]))
}

/** Returns the positions of each meaning or name among the entries that are not taken, the last position first. */
function positions(entries: readonly PairedEntry[], mark: keyof PairedEntry, taken: ReadonlySet<number>): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (let at = entries.length - 1; at >= 0; at--) {
    const value = taken.has(at) ? undefined : entries[at]?.[mark]
    if (value === undefined) continue
    const there = found.get(value)
    if (there === undefined) found.set(value, [at])
    else there.push(at)
  }
  return found
}

/** Returns the longest row of pairs in which both positions rise. Patience sorting: keeps the smallest end of a row of each length. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [at, [position]] of pairs.entries()) {
    // The number of rows that end below the position.
    const length = firstThat(ends.length, (row) => (pairs[ends[row] ?? 0]?.[0] ?? 0) >= position)
    before[at] = ends[length - 1]
    ends[length] = at
  }
  const rising: Pair[] = []
  for (let at = ends.at(-1); at !== undefined; at = before[at]) {
    const pair = pairs[at]
    if (pair !== undefined) rising.push(pair)
  }
  return rising.reverse()
}

/** Returns the positions of the numbers in the longest rising row: [3, 1, 2] → {1, 2}. */
export function keptInOrder(numbers: readonly number[]): ReadonlySet<number> {
  return new Set(longestRising(numbers.map((number, at) => [number, at])).map(([, at]) => at))
}
