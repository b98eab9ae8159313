import type { UnsolvableExplanation } from './explain.ts'
import type { Fact } from './problem.ts'

/** The answer for one part of a problem; parts have nothing to do with each other. */
export interface PartAnswer {
  /** What the part begins with. */
  readonly facts: readonly Fact[]
  readonly outcome: SolverOutcome
}

export type SolverOutcome =
  /** The packages that are there, each with the number of its version. */
  | { readonly type: 'solved'; readonly versions: ReadonlyMap<string, number> }
  | { readonly type: 'unsolvable'; readonly explanation: UnsolvableExplanation }
  /** No answer was found in so many steps. */
  | { readonly type: 'exceeded' }
