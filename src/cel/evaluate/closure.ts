import { EvaluationFailure } from '../builtins/failure.ts'
import type { CelValue } from '../value.ts'
import type { Variables } from '../variables.ts'

/** Why a node has no value, and the place of the node where it failed. Handed on like a value, since `||` and the like may go on without it. */
export class NoValue {
  readonly failure: EvaluationFailure
  readonly offset: number

  constructor(failure: EvaluationFailure, offset: number) {
    this.failure = failure
    this.offset = offset
  }
}

/** What a node of the tree gives. */
export type EvaluationResult = CelValue | NoValue

/** What a node of the tree becomes. Throws nothing but LimitExceeded. */
export type Closure = (frame: EvaluationFrame) => EvaluationResult

/** What one evaluation works with: the variables, and the names of the comprehensions around a node, the outermost first. */
export interface EvaluationFrame {
  readonly variables: Variables
  readonly locals: EvaluationResult[]
}

/** What a function threw, as what its node gives. Throws what is no Failure. */
export function noValue(cause: unknown, offset: number): NoValue {
  if (cause instanceof EvaluationFailure) return new NoValue(cause, offset)
  throw cause
}
