import { type CelResult, type CelValue, celEnv, isCelError, plan } from '@bufbuild/cel'
import { exceededLimit, openBudget } from './budget.ts'
import { engineFunctions } from './builtins/engine-functions.ts'
import { forgetMissingKeys } from './builtins/failure.ts'
import { CelError } from './cel-error.ts'
import { check } from './check/check.ts'
import type { Scope } from './check/scope.ts'
import { Faults } from './faults.ts'
import { ConstantFault, findConstants } from './lower/fold.ts'
import { type Lowered, lower } from './lower/lower.ts'
import { compileError, convertError, evalError } from './messages.ts'
import { parse } from './parse/parse.ts'
import { placeOf } from './place.ts'
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

const environment = celEnv({ funcs: engineFunctions() })

/**
 * Compiles a template expression as Porch's PackageVariantSet controller does (cel-go 0.26, standard library only).
 *
 * @param scope the variables known at the expression's place; `repoDefault` and `packageDefault` are strings, others dynamic
 * @throws CelError of phase 'compile', with every fault and the place of the first
 */
export function compile(expression: string, scope: Scope): Program {
  const lowered = analyze(expression, scope)
  const run = plan(environment, lowered.tree)
  return {
    evaluate: (variables) => {
      const value = evaluate(() => run(variables.bindings))
      if (typeof value === 'string') return value
      throw isCelError(value) ? evalError(expression, value, lowered.offsets) : convertError(value)
    },
  }
}

function analyze(expression: string, scope: Scope): Lowered {
  openBudget()
  try {
    const tree = parse(expression)
    const checked = check(tree, scope)
    return lower(tree, checked, findConstants(tree, checked))
  } catch (cause) {
    if (cause instanceof Faults) throw compileError(expression, cause.faults)
    if (cause instanceof ConstantFault) throw new CelError('compile', cause.message, placeOf(expression, cause.offset))
    throw cause
  }
}

/** One evaluation with a budget of its own. The engine makes an error for each that it absorbs; nobody reads their stacks. */
function evaluate(run: () => CelResult): CelResult<CelValue> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  openBudget()
  forgetMissingKeys()
  try {
    const value = run()
    const limit = exceededLimit()
    if (limit !== undefined) throw new CelError('eval', limit.message)
    return value
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
