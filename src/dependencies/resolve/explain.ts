import { countConclusions, derive } from './derivation.ts'
import type { Incompatibility } from './incompatibility.ts'
import type { ProofReduction } from './proof-reduction.ts'
import type { Cause, Rule } from './rule.ts'
import { inProof } from './scope.ts'
import { Search } from './search.ts'
import { writeSentences } from './sentences.ts'
import { describeRule } from './words.ts'

/** The reasons why a part of a problem has no solution. */
export interface UnsolvableExplanation {
  /** The facts, requirements and exclusions that contradict each other, in the order of `compareRules`: facts first. */
  readonly causes: readonly Cause[]
  /** True if without any one of the causes there would be a solution; false when the steps did not suffice to check each cause. */
  readonly isSmallest: boolean
  /** The proof: each sentence follows from the causes and the sentences before it. */
  readonly sentences: readonly string[]
}

/** A proof with more conclusions is too long to read: one sentence lists the causes instead. */
const MOST_CONCLUSIONS = 100
const MOST_CAUSES = 20

/**
 * Returns the causes of a reduced proof and the proof in sentences. A proof that is too long becomes one sentence that lists the causes.
 */
export function explain(reduction: ProofReduction): UnsolvableExplanation {
  const rules = reduction.rules()
  const proof = directProof(rules) ?? reduction.proof
  const isShort = countConclusions(proof) <= MOST_CONCLUSIONS
  const sentences = isShort ? writeSentences(derive(proof)) : [summarize(rules)]
  return { causes: rules.map(({ cause }) => cause), isSmallest: reduction.isSmallest, sentences }
}

/** Searches again with the rules of a proof alone, which gives a shorter proof. Returns undefined when the steps do not suffice. */
function directProof(rules: readonly Rule[]): Incompatibility | undefined {
  const result = new Search(inProof(rules), { steps: 100 * MOST_CONCLUSIONS }).run()
  return result.type === 'unsolvable' ? result.proof : undefined
}

function summarize(rules: readonly Rule[]): string {
  const shown = rules.slice(0, MOST_CAUSES).map(describeRule)
  const more = rules.length > MOST_CAUSES ? [`${rules.length - MOST_CAUSES} more like these`] : []
  return `Because of all of this, there is no solution: ${[...shown, ...more].join('; ')}.`
}
