import { CelError } from '../cel/cel-error.ts'
import { prepareVariables, type Variables } from '../cel/variables.ts'
import { describeNoValue, programFault } from '../fleet/expression-faults.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { PlannedVariant } from '../fleet/planned-variants.ts'
import { TARGET_SCOPE, targetVariables, templateCompiler } from '../fleet/template-programs.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import type { SyncExpression, SyncOptions } from './options.ts'

/** The variables of the expressions: those of a target, and the package. */
const SCOPE: readonly string[] = [...TARGET_SCOPE, 'packageDefault']

/** Evaluates the expressions of a GenerateSync. */
export interface SyncExpressions {
  /** Returns the text of an expression for a variant; undefined for an expression that is not set, and for one with a fault. */
  readonly textOf: (name: SyncExpression, variant: PlannedVariant) => string | undefined
  /** Returns the faults so far: expressions that do not compile, and each reason why one has no value, once. */
  readonly faults: () => readonly Result[]
}

/** Compiles the expressions of a GenerateSync. */
export function syncExpressions({ config, expressions }: SyncOptions, fleet: Fleet): SyncExpressions {
  const compiler = templateCompiler(fleet)
  const programs = new Map([...expressions].map(([name, expression]) => [name, compiler.expressionOf(expression, SCOPE)]))
  const failed = new Map<string, Result>()
  const textOf = (name: SyncExpression, variant: PlannedVariant): string | undefined => {
    const [program, expression] = [programs.get(name), expressions.get(name)]
    if (program === undefined || expression === undefined || program instanceof CelError) return undefined
    try {
      return program.evaluate(variablesOf(variant, fleet))
    } catch (error) {
      if (!(error instanceof CelError)) throw error
      const why = describeNoValue({ expression, error }, fleet.nearestAmong)
      const message = `must have a value for variant '${variant.name}': ${why}`
      const fault = faultToResult(config, { severity: 'error', rule: 'expression-eval', path: expression.path, message })
      if (!failed.has(`${name} ${error.message}`)) failed.set(`${name} ${error.message}`, fault)
      return undefined
    }
  }
  const broken = [...programs].flatMap(([name, program]) => {
    const expression = expressions.get(name)
    return program instanceof CelError && expression !== undefined ? [programFault(config, expression, program)] : []
  })
  return { textOf, faults: () => [...broken, ...failed.values()] }
}

function variablesOf({ repo, packageName, namespace, target }: PlannedVariant, fleet: Fleet): Variables {
  const ofTarget = targetVariables({ repoDefault: repo, object: target }, fleet.repositories(namespace))
  return new Map([...ofTarget, ...prepareVariables(new Map([['packageDefault', packageName]]))])
}
