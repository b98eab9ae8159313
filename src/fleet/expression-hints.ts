import type { CelError } from '../cel/cel-error.ts'
import type { Hint } from '../cel/hints/hint.ts'
import { didYouMean, distanceWithin } from '../schema/nearest-name.ts'

/** Functions that make or test strings: the functions that a user most likely meant by an unknown function. */
const FUNCTIONS_OF_TEXTS = 'contains, endsWith, matches, size, startsWith, string'

/** The highest distance between variables that is computed: variables are short, so names beyond that distance are equally unlikely. */
const FARTHEST = 20

/** The highest number of hints for an expression: more findings of one expression mostly have the same cause. */
const MOST = 3

/** Returns hints on how to fix an expression: a line for each of the first hints. */
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
