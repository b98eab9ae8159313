/** Letters that a run compares: fleets may have thousands of names that are none of thousands of others. */
const MOST_LETTERS = 10_000_000

/** For a list of names: says which of them was most likely meant by another. */
export type NearestAmong = (names: readonly string[]) => (name: string) => string | undefined

// Letters of one remainder are counted together: that can only make names look nearer.
const REMAINDERS = 128
type Rows = readonly [beforeLast: Uint32Array, last: Uint32Array, current: Uint32Array]

// Shorter beginnings say too little: `name` begins `namespace`.
const SHORTEST_BEGINNING = 5
// The longest name of an object (RFC 1123 subdomain): nobody mistypes a longer one, and comparing it takes its length squared.
const LONGEST = 253
// Letters by letters that one question compares, the likeliest names first: a suggestion is a courtesy, among names made to be alike too.
const MOST_WORK = 25_000

interface Candidate {
  readonly name: string
  /** Its place among the known names: of equals the first counts. */
  readonly place: number
  readonly lower: string
  readonly most: number
  /** The least that its distance can be. */
  readonly least: number
}

/**
 * The known name that the user most likely meant: one that differs in case only, by a slip or two of the keyboard,
 * or the only one that goes on where `name` ends (`adoption` → `adoptionPolicy`). The first of equals; undefined when none is near,
 * or `name` is longer than names are.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined
  return nearestOf(name.toLowerCase(), candidatesOf(name, known)) ?? onlyContinuation(name, known)
}

/** Those that their length and letters leave, the likeliest first. */
function candidatesOf(name: string, known: readonly string[]): readonly Candidate[] {
  const leastDistance = leastDistanceFrom(name.toLowerCase())
  return known
    .flatMap((candidate, place) => {
      const most = slipsAllowed(name, candidate)
      if (Math.abs(name.length - candidate.length) > most) return []
      const lower = candidate.toLowerCase()
      const least = leastDistance(lower)
      return least > most ? [] : [{ name: candidate, place, lower, most, least }]
    })
    .sort((a, b) => a.least - b.least)
}

function nearestOf(name: string, candidates: readonly Candidate[]): string | undefined {
  let nearest: { readonly candidate: Candidate; readonly distance: number } | undefined
  let left = MOST_WORK
  for (const candidate of candidates) {
    if (left <= 0 || (nearest !== undefined && candidate.least > nearest.distance)) break
    const most = nearest === undefined ? candidate.most : nearest.distance - (candidate.place < nearest.candidate.place ? 0 : 1)
    if (candidate.least > most) continue
    left -= name.length * candidate.lower.length
    const distance = distanceWithin(name, candidate.lower, Math.min(most, candidate.most))
    if (distance !== undefined) nearest = { candidate, distance }
  }
  return nearest?.candidate.name
}

function onlyContinuation(name: string, known: readonly string[]): string | undefined {
  if (name.length < SHORTEST_BEGINNING) return undefined
  const beginning = name.toLowerCase()
  const longer = known.filter((candidate) => candidate.length >= name.length && candidate.toLowerCase().startsWith(beginning))
  return longer.length === 1 ? longer[0] : undefined
}

/** `; did you mean 'NAME'?`, or nothing when no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  return asQuestion(nearestName(name, known))
}

/** `; did you mean 'NAME'?`, or nothing. */
export function asQuestion(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean '${nearest}'?`
}

/** How many letters `nearestName` looks at, at most, among names of so many letters together. */
function lettersCompared(name: string, letters: number): number {
  return name.length > LONGEST ? 0 : letters + Math.min(MOST_WORK, name.length * letters)
}

/** One slip in three letters; one in names of two, where it is half of the name, is none. */
function slipsAllowed(name: string, candidate: string): number {
  return Math.floor(Math.max(name.length, candidate.length) / 3)
}

/**
 * Damerau-Levenshtein distance with adjacent swaps (optimal string alignment), counted in UTF-16 code units, where it is at most so
 * much; else undefined. Only what can stay below is worked out: the time grows with the length times `most`.
 */
export function distanceWithin(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  const tooMuch = new Uint32Array(b.length + 1).fill(most + 1)
  let rows: Rows = [tooMuch, Uint32Array.from(tooMuch, (limit, column) => Math.min(column, limit)), tooMuch.slice()]
  for (let row = 1; row <= a.length; row++) {
    // A swap leaps over a row, but never comes out below its least.
    if (fillRow(a, b, row, most, rows) > most) return undefined
    const [beforeLast, last, current] = rows
    rows = [last, current, beforeLast]
  }
  const distance = cell(rows[1], b.length)
  return distance <= most ? distance : undefined
}

/** Fills what is at most so far from the diagonal, with more than `most` on both sides, and gives the least. */
function fillRow(a: string, b: string, row: number, most: number, rows: Rows): number {
  const [, last, current] = rows
  const from = Math.max(1, row - most)
  const to = Math.min(b.length, row + most)
  current[from - 1] = from === 1 ? Math.min(row, most + 1) : most + 1
  if (to < b.length) current[to + 1] = most + 1
  let least = cell(current, from - 1)
  for (let column = from; column <= to; column++) {
    const cheapest = Math.min(cell(last, column) + 1, cell(current, column - 1) + 1, replaced(a, b, row, column, rows))
    current[column] = cheapest
    least = Math.min(least, cheapest)
  }
  return least
}

/** When the letter of this row stands for that of this column, or the two are swapped with those before them. */
function replaced(a: string, b: string, row: number, column: number, [beforeLast, last]: Rows): number {
  const letter = a.charCodeAt(row - 1)
  const other = b.charCodeAt(column - 1)
  if (letter === other) return cell(last, column - 1)
  const isSwap = row > 1 && column > 1 && letter === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === other
  return Math.min(cell(last, column - 1), isSwap ? cell(beforeLast, column - 2) : Number.POSITIVE_INFINITY) + 1
}

function cell(row: Uint32Array, column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}

/**
 * Says of other texts the least that their distance from a text can be, from their letters alone, in time that grows with the length:
 * what one has more of than the other has to be put in, taken away or replaced, and a swap changes no letter.
 */
export function leastDistanceFrom(text: string): (other: string) => number {
  const left = new Int32Array(REMAINDERS)
  count(left, text)
  return (other) => {
    let shared = 0
    for (let index = 0; index < other.length; index++) {
      const letter = other.charCodeAt(index) % REMAINDERS
      const there = left[letter] ?? 0
      if (there > 0) shared++
      left[letter] = there - 1
    }
    count(left, other)
    return Math.max(text.length, other.length) - shared
  }
}

function count(counts: Int32Array, text: string): void {
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index) % REMAINDERS
    counts[letter] = (counts[letter] ?? 0) + 1
  }
}

/** Answers once for a name and a list; when all lists together have taken their time, new names are near none. */
export function nearestNames(): NearestAmong {
  let left = MOST_LETTERS
  return (names) => {
    const letters = names.reduce((sum, { length }) => sum + length, 0)
    const answers = new Map<string, string | undefined>()
    return (name) => {
      if (answers.has(name)) return answers.get(name)
      if (left < 0) return undefined
      left -= lettersCompared(name, letters)
      const answer = nearestName(name, names)
      answers.set(name, answer)
      return answer
    }
  }
}
