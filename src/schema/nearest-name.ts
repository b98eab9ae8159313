import { remember } from '../remember.ts'

/** The number of letters that a run compares at most: a fleet may have thousands of unknown names and thousands of known ones. */
const MOST_LETTERS = 10_000_000

/** Takes a list of names, and returns a function that returns the name of the list which was most likely meant by another name. */
export type NearestAmong = (names: readonly string[]) => (name: string) => string | undefined

// Letters with one remainder are counted together, which can only make names look nearer.
const REMAINDERS = 128
type Rows = readonly [beforeLast: Uint32Array, last: Uint32Array, current: Uint32Array]

// A shorter beginning fits too many names: `name` begins `namespace`.
const SHORTEST_BEGINNING = 5
// The longest name of an object (RFC 1123 subdomain). A longer name is no typing error, and a comparison takes the square of its length.
const LONGEST = 253
// The number of letter pairs that one search compares, with the most likely names first: a limit also for names made to be alike.
const MOST_WORK = 25_000

interface Candidate {
  readonly name: string
  /** The index among the known names: the first of equally near names is chosen. */
  readonly place: number
  readonly lower: string
  readonly most: number
  /** The lower bound of the candidate's distance from the name. */
  readonly least: number
}

/**
 * Returns the known name that the user most likely meant: a name that differs only in case or by a few typing errors, else the only name
 * that begins with `name` (`adoption` → `adoptionPolicy`). The first of equally near names is returned. Returns undefined if no name is
 * near, or if `name` is longer than names of objects are.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined
  return nearestOf(name.toLowerCase(), candidatesOf(name, known)) ?? onlyContinuation(name, known)
}

/** Returns the known names that are near enough by their length and letters, with the most likely names first. */
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

/** Returns `; did you mean 'NAME'?`, or '' if no name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  return asQuestion(nearestName(name, known))
}

/** Returns `; did you mean 'NAME'?`, or '' without a name. */
export function asQuestion(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean '${nearest}'?`
}

/** Returns the number of letters that `nearestName` compares at most, for known names with `letters` letters in total. */
function lettersCompared(name: string, letters: number): number {
  return name.length > LONGEST ? 0 : letters + Math.min(MOST_WORK, name.length * letters)
}

/**
 * Returns the number of typing errors that a candidate may have: one for each three letters, none in a name of two letters, of which one
 * error would be half.
 */
function slipsAllowed(name: string, candidate: string): number {
  return Math.floor(Math.max(name.length, candidate.length) / 3)
}

/**
 * Returns the Damerau-Levenshtein distance with adjacent swaps (optimal string alignment) in UTF-16 code units, or undefined if the
 * distance is more than `most`. Only cells that can be at most `most` are computed, so the time grows with the length times `most`.
 */
export function distanceWithin(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  const tooMuch = new Uint32Array(b.length + 1).fill(most + 1)
  let rows: Rows = [tooMuch, Uint32Array.from(tooMuch, (limit, column) => Math.min(column, limit)), tooMuch.slice()]
  for (let row = 1; row <= a.length; row++) {
    // A swap refers to the row before the last, but its cost is never less than the least of the last row.
    if (fillRow(a, b, row, most, rows) > most) return undefined
    const [beforeLast, last, current] = rows
    rows = [last, current, beforeLast]
  }
  const distance = cell(rows[1], b.length)
  return distance <= most ? distance : undefined
}

/**
 * Fills the cells of a row that are at most `most` columns from the diagonal, puts `most` + 1 on both sides, and returns the least cell.
 */
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

/**
 * Returns the cost of a cell if the letter of the row replaces the letter of the column, or both letters are swapped with the letters
 * before them.
 */
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
 * Returns a function that computes a lower bound of the distance from `text` to another text, from the letters alone and in linear time:
 * a letter that one text has more often must be inserted, removed or replaced, and a swap changes no letter.
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

/**
 * Returns a search that computes the answer for a name and a list once; a list is recognized by its identity. After the limit of letters of
 * the run is reached, no near name is found for new names.
 */
export function nearestNames(): NearestAmong {
  let left = MOST_LETTERS
  const searches = new WeakMap<readonly string[], ReturnType<NearestAmong>>()
  const searchAmong: NearestAmong = (names) => {
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
  return (names) => remember(searches, names, searchAmong)
}
