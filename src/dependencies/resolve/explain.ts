import { countConclusions, derive } from './derivation.ts'
import type { Incompatibility } from './incompatibility.ts'
import type { ProofReduction } from './proof-reduction.ts'
import type { Cause, Rule } from './rule.ts'
import { inProof } from './scope.ts'
import { Search } from './search.ts'
import { writeSentences } from './sentences.ts'
import { describeRule } from './words.ts'

/** Why there is no solution. */
export interface UnsolvableExplanation {
  /** What cannot be true all at once: users' objects first, then what packages require. */
  readonly causes: readonly Cause[]
  /** Whether leaving out any one of the causes would give a solution; false when there were not enough steps to find out. */
  readonly isSmallest: boolean
  /** How it follows from the causes. */
  readonly sentences: readonly string[]
}

/** Nobody reads a longer proof; then the causes must do. */
const MOST_CONCLUSIONS = 100
const MOST_CAUSES = 20

/** Why there is no solution, in sentences, from the rules that are left of a proof. */
export function explain(reduction: ProofReduction): UnsolvableExplanation {
  const rules = reduction.rules()
  const proof = directProof(rules) ?? reduction.proof
  const isShort = countConclusions(proof) <= MOST_CONCLUSIONS
  const sentences = isShort ? writeSentences(derive(proof)) : [summarize(rules)]
  return { causes: rules.map(({ cause }) => cause), isSmallest: reduction.isSmallest, sentences }
}

/** A search among the rules of a proof alone takes no detours. */
function directProof(rules: readonly Rule[]): Incompatibility | undefined {
  const result = new Search(inProof(rules), { steps: 100 * MOST_CONCLUSIONS }).run()
  return result.type === 'unsolvable' ? result.proof : undefined
}

function summarize(rules: readonly Rule[]): string {
  const shown = rules.slice(0, MOST_CAUSES).map(describeRule)
  const more = rules.length > MOST_CAUSES ? [`${rules.length - MOST_CAUSES} more like these`] : []
  return `Because of all of this, there is no solution: ${[...shown, ...more].join('; ')}.`
}
