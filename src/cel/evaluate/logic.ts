import { noOverload } from '../builtins/failure.ts'
import { type Closure, type EvaluationResult, NoValue } from './closure.ts'

/**
 * `a && b && c` (`decisive`: false) and `a || b || c` (`decisive`: true): the decisive answer of any term decides, also when others
 * fail; else the first failure stands (cel-spec, Logical Operators).
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

/** Whether a loop's accumulator may still change: also when it failed so far. */
export function notStrictlyFalse(accumulator: Closure): Closure {
  return (frame) => accumulator(frame) !== false
}

/** The failure where a bool was wanted. */
export function asFailed(outcome: EvaluationResult, offset: number): NoValue {
  return outcome instanceof NoValue ? outcome : new NoValue(noOverload(), offset)
}
