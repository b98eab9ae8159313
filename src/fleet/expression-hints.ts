import type { CelError } from '../cel/cel-error.ts'
import type { Hint } from '../cel/hints/hint.ts'
import { didYouMean, distanceWithin } from '../schema/nearest-name.ts'

/** Functions that texts are made and asked with: what an unknown function is most likely meant to be. */
const FUNCTIONS_OF_TEXTS = 'contains, endsWith, matches, size, startsWith, string'

/** Variables are short words: what is farther away is as unlikely as what is farther still. */
const FARTHEST = 20

/** More findings of one expression have mostly the same cause. */
const MOST = 3

/** What may mend an expression: for each of the first hints a line of its own. */
export function formatHints({ hints }: CelError): string {
  return hints
    .slice(0, MOST)
    .map((hint) => `\nhint: ${formatHint(hint)}`)
    .join('')
}

function formatHint(hint: Hint): string {
  if (hint.kind === 'advice') return hint.text
  const { name, known } = hint
  const nearest = didYouMean(name, known)
  if (hint.kind === 'function')
    return `no function '${name}'${nearest === '' ? `; the functions of texts are ${FUNCTIONS_OF_TEXTS}` : nearest}`
  const otherwise = nearest === '' && hint.otherwise !== undefined ? `; ${hint.otherwise}` : ''
  return `no variable '${name}'${otherwise}; the variables here are ${nearestFirst(name, known).join(', ')}${nearest}`
}

function nearestFirst(name: string, known: readonly string[]): readonly string[] {
  const lower = name.toLowerCase()
  const distances = new Map(known.map((each) => [each, distanceWithin(lower, each.toLowerCase(), FARTHEST) ?? FARTHEST]))
  return known.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))
}
