import { distanceWithin } from './name-distance.ts'
import { leastDistanceFrom } from './shared-letters.ts'

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
export function lettersCompared(name: string, letters: number): number {
  return name.length > LONGEST ? 0 : letters + Math.min(MOST_WORK, name.length * letters)
}

/** One slip in three letters; one in names of two, where it is half of the name, is none. */
function slipsAllowed(name: string, candidate: string): number {
  return Math.floor(Math.max(name.length, candidate.length) / 3)
}
