import { derive } from './derivation.ts'
import type { Incompatibility } from './incompatibility.ts'
import { rulesBehind } from './proof.ts'
import { type Cause, compareRules } from './rule.ts'
import type { RuleBook } from './rule-book.ts'
import { inProof } from './scope.ts'
import { type Budget, Search } from './search.ts'
import { writeSentences } from './sentences.ts'
import { findSmallestProof } from './smallest-proof.ts'

/** Why there is no solution. */
export interface Explanation {
  /** What cannot be true all at once: users' objects first, then what packages require. */
  readonly causes: readonly Cause[]
  /** Whether leaving out any one of the causes would give a solution; false when there were not enough steps to find out. */
  readonly isSmallest: boolean
  /** How it follows from the causes. */
  readonly sentences: readonly string[]
}

/** Why there is no solution: as few causes as the budget allows to find, and what follows from them. */
export function explain(proof: Incompatibility, book: RuleBook, budget: Budget): Explanation {
  const smallest = findSmallestProof(proof, book, budget)
  const rules = [...rulesBehind(smallest.proof)].sort(compareRules)
  // A search among these rules alone takes no detours.
  const direct = new Search(inProof(rules)).run(budget)
  return {
    causes: rules.map(({ cause }) => cause),
    isSmallest: smallest.isSmallest,
    sentences: writeSentences(derive(direct.type === 'unsolvable' ? direct.proof : smallest.proof)),
  }
}
