import type { UnsolvableExplanation } from './explain.ts'
import type { Fact } from './problem.ts'

/** The answer to one part of a problem. Parts are independent: no rule of one part can violate a rule of another. */
export interface PartAnswer {
  /** The facts of the part. */
  readonly facts: readonly Fact[]
  readonly outcome: SolverOutcome
}

export type SolverOutcome =
  /** The chosen packages by id, each with the number of its version. */
  | { readonly type: 'solved'; readonly versions: ReadonlyMap<string, number> }
  | { readonly type: 'unsolvable'; readonly explanation: UnsolvableExplanation }
  /** The steps of the budget were used up before a solution or a proof was found. */
  | { readonly type: 'exceeded' }
