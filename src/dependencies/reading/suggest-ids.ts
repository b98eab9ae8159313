import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { remember } from '../../remember.ts'
import { distanceWithin } from '../../schema/nearest-name.ts'

// Names of packages are long and alike: more slips, or another digit, would make another package of it.
const MOST_SLIPS = 2
const LETTERS_FOR_A_SLIP = 4
// The longest name of an object; longer names get no suggestion.
const LONGEST = 253
// A suggestion is a courtesy: with thousands of unknown names among thousands of known ones it stops.
const MOST_COMPARISONS = 50_000

/**
 * Returns a function that returns the nearest known package name in words, `; did you mean 'ID'?`, or ''.
 *
 * @param known  returns the known names; called once, for the first unknown name
 * @returns the function, of an unknown name and of the name of its requirer, which is never the nearest
 */
export function suggestIds(known: () => Iterable<string>): (id: string, requirer?: string) => string {
  const answers = new Map<string, string>()
  let ids: ReadonlyMap<string, readonly string[]> | undefined
  let left = MOST_COMPARISONS
  const nearest = (id: string, requirer: string): string | undefined => {
    if (id.length > LONGEST) return undefined
    ids ??= groupBy([...new Set(known())].sort(), (each) => `${each.length} ${digitsOf(each)}`)
    const alike = likenessesOf(id).flatMap((key) => ids?.get(key) ?? [])
    left -= alike.length
    return left < 0 ? undefined : nearestOf(id, alike, requirer)
  }
  return (id, requirer = '') =>
    remember(answers, `${id} ${requirer}`, () => {
      const near = nearest(id, requirer)
      return near === undefined ? '' : `; did you mean '${near}'?`
    })
}

/** Returns the nearest of other names, whatever their case; of equally near names the first in sorted order. */
function nearestOf(id: string, alike: readonly string[], requirer: string): string | undefined {
  const lower = id.toLowerCase()
  const near = alike.flatMap((each) => {
    const distance = each === id || each === requirer ? undefined : distanceWithin(lower, each.toLowerCase(), slipsOf(id))
    return distance === undefined ? [] : [{ each, distance }]
  })
  return near.sort((a, b) => a.distance - b.distance || compareText(a.each, b.each))[0]?.each
}

function slipsOf(id: string): number {
  return Math.min(MOST_SLIPS, Math.floor(id.length / LETTERS_FOR_A_SLIP))
}

/** Returns the keys of names that may be near: the same digits and nearly the same length. */
function likenessesOf(id: string): readonly string[] {
  const slips = slipsOf(id)
  return Array.from({ length: 2 * slips + 1 }, (_, index) => `${id.length - slips + index} ${digitsOf(id)}`)
}

function digitsOf(id: string): string {
  return id.replace(/\D/g, '')
}
