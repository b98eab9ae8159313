import type { JsonValue } from '../json.ts'
import { type Advisor, type Hint, NO_ADVICE } from './advisor.ts'
import { LimitExceeded, openBudget, type RunBudget } from './budget.ts'
import { CelError } from './cel-error.ts'
import { type CheckedExpression, check } from './check/check.ts'
import { declareAll, type Overloads } from './check/declarations.ts'
import type { Scope, VariableTypes } from './check/scope.ts'
import { BOOL, formatType, type Type } from './check/types.ts'
import { type Closure, NoValue } from './evaluate/closure.ts'
import { compileTree, weigh } from './evaluate/compile-tree.ts'
import { ConstantFault, findConstants } from './evaluate/constants.ts'
import type { Expression } from './expression.ts'
import { positionInExpression } from './expression-position.ts'
import { EXTENSION_SIGNATURES } from './extensions/extensions.ts'
import { formatFaults } from './extensions/format.ts'
import { Faults } from './faults.ts'
import { jsonOf } from './json-of.ts'
import { compileError, convertError, evalError } from './messages.ts'
import { parse } from './parse/parse.ts'
import { pathsIn, type Read } from './reads.ts'
import { type CelValue, kindOf } from './value.ts'
import type { Variables } from './variables.ts'

export type { Scope, VariableTypes } from './check/scope.ts'

/** A compiled expression. */
export interface Program {
  /**
   * Returns the string that the expression gives for these variables.
   *
   * @throws CelError of phase 'eval' when it fails, of phase 'convert' when its value is no string
   */
  evaluate(variables: Variables): string
  /**
   * Returns the value that the expression gives for these variables, of whatever type.
   *
   * @throws CelError of phase 'eval' when it fails
   */
  value(variables: Variables): JsonValue
}

/** The options with which an expression is compiled. */
export interface CompileOptions {
  /** Pays for the evaluations beside the budget that each of them has. */
  readonly run?: RunBudget | undefined
  readonly advise?: Advisor
}

/**
 * Compiles a template expression as Porch's PackageVariantSet controller does (cel-go 0.26, standard library only).
 *
 * @param scope the variables known at the expression's place; of those without types, `repoDefault` and `packageDefault` are strings,
 *   others dynamic
 * @throws CelError of phase 'compile', with every fault and the place of the first
 */
export function compile(expression: string, scope: Scope, { run, advise = NO_ADVICE }: CompileOptions = {}): Program {
  const analyzed = analyze(expression, scope, advise)
  const evaluate = evaluator(expression, analyzed, run, advise)
  return {
    evaluate: (variables) => evaluate(variables, (value) => textOf(value, analyzed.tree, advise)),
    value: (variables) => evaluate(variables, jsonOf),
  }
}

/** Evaluates an expression with variables, and reads its value within the same budget. Throws CelError of phase 'eval'. */
type Evaluator = <T>(variables: Variables, read: (value: CelValue) => T) => T

function evaluator(
  expression: string,
  { tree, checked, closure, weight }: Analyzed,
  run: RunBudget | undefined,
  advise: Advisor,
): Evaluator {
  return (variables, read) => {
    openBudget()
    try {
      run?.check()
      const outcome = closure({ variables, locals: [] })
      if (outcome instanceof NoValue)
        throw evalError(expression, outcome, () => advise({ kind: 'evaluation', tree, offset: outcome.offset, checked }))
      return read(outcome)
    } catch (cause) {
      throw cause instanceof LimitExceeded ? new CelError('eval', cause.message) : cause
    } finally {
      run?.charge(weight)
    }
  }
}

/** A compiled expression whose variables have types, and whose value stays a value of CEL. */
export interface TypedProgram {
  /** The static type of the value. */
  readonly type: Type
  /** Returns what makes a condition of the expression, if its value is no bool. */
  readonly comparedHints: () => readonly Hint[]
  /** The ways from variables to the fields that the expression reads, with repetitions. */
  readonly reads: readonly Read['path'][]
  /**
   * Returns the value that the expression gives for these variables.
   *
   * @throws CelError of phase 'eval' when it fails
   */
  value(variables: Variables): CelValue
}

/**
 * Compiles an expression over variables with types.
 *
 * @throws CelError of phase 'compile', with every fault and the place of the first
 */
export function compileTyped(expression: string, types: VariableTypes, { run, advise = NO_ADVICE }: CompileOptions = {}): TypedProgram {
  const analyzed = analyze(expression, types, advise)
  const { tree, checked } = analyzed
  const evaluate = evaluator(expression, analyzed, run, advise)
  const type = checked.typeOf(tree)
  return {
    type,
    comparedHints: () => advise({ kind: 'no condition', tree, type }),
    reads: pathsIn(tree, new Set()),
    value: (variables) => evaluate(variables, (value) => value),
  }
}

/** A compiled expression that gives true or false. */
export interface BooleanProgram {
  /**
   * Returns the value of the expression for these variables.
   *
   * @throws CelError of phase 'eval' when it fails; of phase 'convert' for a value that is not of its static type
   */
  holds(variables: Variables): boolean
}

/**
 * Compiles a condition. As in kpt, the static type of its value must be bool; a value that is only known at evaluation is refused.
 *
 * @example  `resources.size() > 0` is a condition, `resources[0].spec.enabled` is not: write `resources[0].spec.enabled == true`
 * @throws CelError of phase 'compile', with every fault and the place of the first; of phase 'convert' for a value of another type
 */
export function compileCondition(expression: string, scope: Scope, options: CompileOptions = {}): BooleanProgram {
  return conditionOf(expression, analyze(expression, scope, options.advise), options)
}

/** Compiles a condition as `compileCondition`, with the extension libraries of kpt's environment. */
export function compileExtendedCondition(expression: string, scope: Scope, options: CompileOptions = {}): BooleanProgram {
  extensions ??= declareAll(EXTENSION_SIGNATURES)
  return conditionOf(expression, analyze(expression, scope, options.advise, extensions), options)
}

let extensions: Overloads | undefined

function conditionOf(expression: string, analyzed: Analyzed, { run, advise = NO_ADVICE }: CompileOptions): BooleanProgram {
  const type = analyzed.checked.typeOf(analyzed.tree)
  if (type !== BOOL)
    throw new CelError('convert', `gives ${formatType(type)}`, { hints: () => advise({ kind: 'no condition', tree: analyzed.tree, type }) })
  const evaluate = evaluator(expression, analyzed, run, advise)
  return { holds: (variables) => evaluate(variables, booleanOf) }
}

/** Returns a bool. @throws CelError  for another value: an object of the fleet may not fit the schema of its kind */
function booleanOf(value: CelValue): boolean {
  if (typeof value === 'boolean') return value
  throw new CelError('convert', `gives ${kindOf(value)}, not the bool of its schema`)
}

function textOf(value: CelValue, tree: Expression, advise: Advisor): string {
  if (typeof value === 'string') return value
  throw convertError(value, () => advise({ kind: 'no string', tree, value }))
}

interface Analyzed {
  readonly tree: Expression
  readonly checked: CheckedExpression
  readonly closure: Closure
  readonly weight: number
}

function analyze(expression: string, scope: Scope, advise: Advisor = NO_ADVICE, known?: Overloads): Analyzed {
  openBudget()
  let tree: Expression | undefined
  try {
    tree = parse(expression, known !== undefined)
    const checked = check(tree, scope, known)
    const faults = known === undefined ? [] : formatFaults(tree, checked.typeOf)
    if (faults.length > 0) throw new Faults(faults)
    return { tree, checked, closure: compileTree(tree, checked, findConstants(tree, checked, known === undefined)), weight: weigh(tree) }
  } catch (cause) {
    if (cause instanceof Faults) throw compileError(expression, tree, cause.faults, advise)
    if (cause instanceof ConstantFault) throw new CelError('compile', cause.message, positionInExpression(expression, cause.offset))
    throw cause
  }
}
