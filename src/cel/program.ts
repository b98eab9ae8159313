import { LimitExceeded, openBudget } from './budget.ts'
import { CelError } from './cel-error.ts'
import { check } from './check/check.ts'
import type { Scope } from './check/scope.ts'
import { type Closure, NoValue } from './evaluate/closure.ts'
import { compileTree } from './evaluate/compile-tree.ts'
import { ConstantFault, findConstants } from './evaluate/constants.ts'
import { Faults } from './faults.ts'
import { compileError, convertError, evalError } from './messages.ts'
import { parse } from './parse/parse.ts'
import { placeOf } from './place.ts'
import type { Value } from './value.ts'
import type { Variables } from './variables.ts'

export type { Scope } from './check/scope.ts'

/** A compiled expression. */
export interface Program {
  /**
   * The string that the expression gives for these variables.
   *
   * @throws CelError of phase 'eval' when it fails, of phase 'convert' when its value is no string
   */
  evaluate(variables: Variables): string
}

/**
 * Compiles a template expression as Porch's PackageVariantSet controller does (cel-go 0.26, standard library only).
 *
 * @param scope the variables known at the expression's place; `repoDefault` and `packageDefault` are strings, others dynamic
 * @throws CelError of phase 'compile', with every fault and the place of the first
 */
export function compile(expression: string, scope: Scope): Program {
  const closure = analyze(expression, scope)
  return {
    evaluate: (variables) => {
      const value = evaluate(expression, closure, variables)
      if (typeof value === 'string') return value
      throw convertError(value)
    },
  }
}

function analyze(expression: string, scope: Scope): Closure {
  openBudget()
  try {
    const tree = parse(expression)
    const checked = check(tree, scope)
    return compileTree(tree, checked, findConstants(tree, checked))
  } catch (cause) {
    if (cause instanceof Faults) throw compileError(expression, cause.faults)
    if (cause instanceof ConstantFault) throw new CelError('compile', cause.message, placeOf(expression, cause.offset))
    throw cause
  }
}

/** One evaluation with a budget of its own. */
function evaluate(expression: string, closure: Closure, variables: Variables): Value {
  openBudget()
  try {
    const outcome = closure({ variables, locals: [] })
    if (outcome instanceof NoValue) throw evalError(expression, outcome)
    return outcome
  } catch (cause) {
    if (cause instanceof LimitExceeded) throw new CelError('eval', cause.message)
    throw cause
  }
}
