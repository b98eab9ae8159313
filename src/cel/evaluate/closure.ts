import { EvaluationFailure } from '../builtins/failure.ts'
import type { CelValue } from '../value.ts'
import type { Variables } from '../variables.ts'

/** The failure of a node, with the node's offset. Returned like a value, since operators such as `||` may succeed in spite of it. */
export class NoValue {
  readonly failure: EvaluationFailure
  readonly offset: number

  constructor(failure: EvaluationFailure, offset: number) {
    this.failure = failure
    this.offset = offset
  }
}

/** The value of a node, or the failure that prevents it. */
export type EvaluationResult = CelValue | NoValue

/** Evaluates one node of a tree. Throws LimitExceeded and nothing else. */
export type Closure = (frame: EvaluationFrame) => EvaluationResult

/** The state of one evaluation: the variables, and the values of the comprehension variables around a node, the outermost first. */
export interface EvaluationFrame {
  readonly variables: Variables
  readonly locals: EvaluationResult[]
}

/** Returns the failure that a function threw as the result of its node. Throws the cause again if it is no EvaluationFailure. */
export function noValue(cause: unknown, offset: number): NoValue {
  if (cause instanceof EvaluationFailure) return new NoValue(cause, offset)
  throw cause
}
