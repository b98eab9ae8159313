import { EvaluationFailure, noOverload } from '../builtins/failure.ts'
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

/**
 * Evaluates `a && b && c` (`decisive`: false) or `a || b || c` (`decisive`: true). A term with the decisive value decides, even if another
 * term fails. Without one, the first failure is the result (cel-spec, Logical Operators). Example: `1/0 > 0 || true` is true.
 */
export function logic(decisive: boolean, terms: readonly Closure[], offset: number): Closure {
  return (frame) => {
    let failed: NoValue | undefined
    for (const term of terms) {
      const answer = term(frame)
      if (answer === decisive) return decisive
      if (answer !== !decisive) failed ??= asFailed(answer, offset)
    }
    return failed ?? !decisive
  }
}

/** Returns a closure of `condition ? whenTrue : whenFalse`. */
export function conditional(condition: Closure, whenTrue: Closure, whenFalse: Closure, offset: number): Closure {
  return (frame) => {
    const answer = condition(frame)
    if (answer === true) return whenTrue(frame)
    return answer === false ? whenFalse(frame) : asFailed(answer, offset)
  }
}

/** Returns true while a loop's accumulator is not false, so that it may still change. A failed accumulator may change too. */
export function notStrictlyFalse(accumulator: Closure): Closure {
  return (frame) => accumulator(frame) !== false
}

/** Returns the failure of a term that is no bool: its own failure, or that no overload fits. */
export function asFailed(outcome: EvaluationResult, offset: number): NoValue {
  return outcome instanceof NoValue ? outcome : new NoValue(noOverload(), offset)
}
