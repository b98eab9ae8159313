import { distanceOf } from '../../schema/nearest-name.ts'

// Names of packages are long and alike: more slips, or another digit, would make another package of it.
const MOST_SLIPS = 2
const LETTERS_FOR_A_SLIP = 4
// A suggestion is a courtesy: with thousands of unknown names among thousands of known ones it stops.
const MOST_COMPARISONS = 50_000

/**
 * Says which known package the user most likely meant: `; did you mean 'ID'?`, or nothing.
 *
 * @param known  asked once, when the first name is not known
 */
export function suggestIds(known: () => Iterable<string>): (id: string) => string {
  const answers = new Map<string, string>()
  let ids: readonly string[] | undefined
  let left = MOST_COMPARISONS
  const nearest = (id: string): string | undefined => {
    ids ??= [...new Set(known())].sort()
    const slips = Math.min(MOST_SLIPS, Math.floor(id.length / LETTERS_FOR_A_SLIP))
    const alike = ids.filter((each) => each !== id && Math.abs(each.length - id.length) <= slips && digitsOf(each) === digitsOf(id))
    left -= alike.length
    if (left < 0) return undefined
    const ranked = alike.map((each) => ({ each, distance: distanceOf(id, each) })).filter(({ distance }) => distance <= slips)
    return ranked.sort((a, b) => a.distance - b.distance)[0]?.each
  }
  return (id) => {
    const known = answers.get(id)
    if (known !== undefined) return known
    const near = nearest(id)
    const answer = near === undefined ? '' : `; did you mean '${near}'?`
    answers.set(id, answer)
    return answer
  }
}

function digitsOf(id: string): string {
  return id.replace(/\D/g, '')
}
