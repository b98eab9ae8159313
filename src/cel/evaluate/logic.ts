import { noOverload } from '../builtins/failure.ts'
import { type Closure, type EvaluationResult, NoValue } from './closure.ts'

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

/** `condition ? whenTrue : whenFalse`. */
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
