// The stable surface of `krm-variants/cel`. sdk/api/cel.public.api.md is its report, which a test compares.

import { compile as compileExpression } from '../src/cel/program.ts'
import { prepareVariables } from '../src/cel/variables.ts'
import { advise } from '../src/hints/advise.ts'
import type { JsonRecord, JsonValue } from '../src/json.ts'

export type { Hint } from '../src/cel/advisor.ts'
export { CelError, type CelErrorDetail, type CelPhase, type MissingKey } from '../src/cel/cel-error.ts'
export type { JsonRecord, JsonScalar, JsonValue } from '../src/json.ts'

/** A compiled expression, which can be evaluated any number of times. */
export interface Program {
  /**
   * Returns the value for these variables. Whole numbers are ints in the expression, and ints are bigint in the value.
   *
   * @throws CelError  of phase 'eval' when the evaluation fails
   */
  value(variables: JsonRecord): JsonValue
  /**
   * Returns the value for these variables, which must be a string, as Porch demands of every expression in a template.
   *
   * @throws CelError  of phase 'eval' when the evaluation fails, of phase 'convert' when the value is no string
   */
  text(variables: JsonRecord): string
}

/**
 * Compiles an expression as cel-go does, with the standard library and the messages of cel-go. Regular expressions take linear time, and
 * the cost of one evaluation is limited.
 *
 * @param expression - in CEL
 * @param scope - the names of the variables that it may use; `repoDefault` and `packageDefault` are strings, all others dynamic
 * @throws CelError  of phase 'compile', with every fault and the place of the first
 *
 * @example
 * ```ts
 * import { compile } from 'krm-variants/cel'
 *
 * const program = compile("target.labels.env == 'prod' ? 5 : 1", ['target'])
 * console.log(program.value({ target: { labels: { env: 'prod' } } })) // 5n
 * console.log(compile("target.name + '-db'", ['target']).text({ target: { name: 'eu-1' } })) // eu-1-db
 * ```
 */
export function compile(expression: string, scope: readonly string[]): Program {
  const program = compileExpression(expression, scope, { advise })
  const prepare = (variables: JsonRecord) => prepareVariables(new Map(Object.entries(variables)))
  return { value: (variables) => program.value(prepare(variables)), text: (variables) => program.evaluate(prepare(variables)) }
}
