import { RunBudget } from '../../cel/budget.ts'
import { CelError } from '../../cel/cel-error.ts'
import { typesOfVariables } from '../../cel/check/scope.ts'
import { recordOf } from '../../cel/check/types.ts'
import { type BooleanProgram, compile, compileCondition, type Program, type Scope } from '../../cel/program.ts'
import type { CelValue } from '../../cel/value.ts'
import {
  celValue,
  extendVariables,
  prepareVariables,
  sharedVisibleValue,
  type Variables,
  type VisibleObject,
  visibleValue,
} from '../../cel/variables.ts'
import { advise } from '../../hints/advise.ts'
import type { JsonValue } from '../../json.ts'
import type { Template, TemplateExpression } from '../../kinds/template.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import { remember } from '../../remember.ts'
import type { Fleet } from '../fleet.ts'
import { typeOfKind } from '../targets/kind-types.ts'
import type { PlaceTarget, TargetInputs, UnrolledTarget } from '../targets/unrolled-target.ts'
import { type Evaluate, renderTemplate } from './render-template.ts'

/**
 * The variables of an expression before the downstream repository is known, in `downstream.repoExpr` (seed 000, PackageVariant Template).
 */
export const SCOPE_OF_REPO_EXPR: readonly string[] = ['repoDefault', 'packageDefault', 'upstream', 'target']

/** The variables of expressions about a target alone. `repository` is the one that the target names, before a template changes it. */
export const TARGET_SCOPE: readonly string[] = ['repoDefault', 'target', 'repository']

/** The variables of every other expression of a template. */
export const SCOPE: readonly string[] = [...SCOPE_OF_REPO_EXPR, 'repository']

/** The variables of the expressions of a set. */
export interface SetScope {
  readonly repoExpr: Scope
  readonly others: Scope
  readonly target: Scope
}

const PLAIN: SetScope = { repoExpr: SCOPE_OF_REPO_EXPR, others: SCOPE, target: TARGET_SCOPE }

/**
 * Returns the variables of the expressions of a set: only a set with inputs has the variable `inputs`. An input has the type of the schema
 * of its kind; without a schema an input is dynamic.
 */
function scopeOf({ inputs }: VariantSet, fleet: Fleet): SetScope {
  if (inputs.length === 0) return PLAIN
  const type = recordOf('inputs', Object.fromEntries(inputs.map((input) => [input.name, typeOfKind(fleet, input.apiVersion, input.kind)])))
  const withInputs = (names: readonly string[]) => new Map(typesOfVariables(names)).set('inputs', type)
  return { repoExpr: withInputs(SCOPE_OF_REPO_EXPR), others: withInputs(SCOPE), target: withInputs(TARGET_SCOPE) }
}

/** Returns the variables of a target: those of `TARGET_SCOPE`. */
export function targetVariables({ repoDefault, object }: PlaceTarget, repositories: ReadonlyMap<string, VisibleObject>): Variables {
  const listed: readonly [string, JsonValue][] = object === undefined ? [['target', { repo: repoDefault }]] : []
  const values = prepareVariables(new Map<string, JsonValue>([['repoDefault', repoDefault], ...listed]))
  return withRepository(withObject(values, 'target', object), repositories.get(repoDefault))
}

export function withInputs(variables: Variables, inputs: TargetInputs | undefined): Variables {
  return inputs === undefined ? variables : new Map(variables).set('inputs', inputs.value)
}

/**
 * Returns the variables of one place before its downstream repository is known. A missing object has no variable: only an expression that
 * uses the variable fails.
 */
export function variablesOf({ repoDefault, packageDefault, object, upstream, inputs }: UnrolledTarget): Map<string, CelValue> {
  const values = new Map<string, CelValue>()
  values.set('repoDefault', repoDefault)
  values.set('packageDefault', packageDefault)
  values.set('target', object === undefined ? celValue({ repo: repoDefault, package: packageDefault }) : visibleValue(object))
  if (upstream.revision !== undefined) values.set('upstream', sharedVisibleValue(upstream.revision))
  if (inputs !== undefined) values.set('inputs', inputs.value)
  return values
}

/** Returns the variables of one place with the downstream Repository, if known. */
export function variablesIn(place: UnrolledTarget, repository: VisibleObject | undefined): Variables {
  const values = variablesOf(place)
  if (repository !== undefined) values.set('repository', sharedVisibleValue(repository))
  return values
}

/** Returns variables with the downstream Repository added, if known: the variables of every expression except repoExpr. */
export function withRepository(variables: Variables, repository: VisibleObject | undefined): Variables {
  return withObject(variables, 'repository', repository)
}

/** Returns variables with an object added, if known. */
function withObject(variables: Variables, name: string, object: VisibleObject | undefined): Variables {
  return object === undefined ? variables : extendVariables(variables, name, object)
}

/** The compiled expressions of a template, and the expressions that do not compile. */
export interface TemplatePrograms {
  readonly programs: ReadonlyMap<TemplateExpression, Program>
  /** Every expression of the template, in the order of evaluation. */
  readonly order: readonly TemplateExpression[]
  readonly broken: ReadonlyMap<TemplateExpression, CelError>
}

/** Compiles the expressions of a run. */
export interface ExpressionCompiler {
  /** Returns the variables of the expressions of a set, with their types. Computed once for each set. */
  readonly scopeOf: (set: VariantSet) => SetScope
  /** Returns the expressions of a template. */
  readonly programsOf: (template: Template, scope: SetScope) => TemplatePrograms
  /** Returns an expression that gives a text, or the error. */
  readonly expressionOf: (expression: TemplateExpression, scope: Scope) => Program | CelError
  /** Returns a condition, or the error: of phase 'convert' for an expression that gives no bool. */
  readonly conditionOf: (expression: TemplateExpression, scope: Scope) => BooleanProgram | CelError
}

/**
 * Returns a compiler that compiles each template on its first use in a run. An expression that many templates contain is compiled once.
 * The evaluations of all templates share one budget.
 */
export function templateCompiler(fleet: Fleet): ExpressionCompiler {
  const run = new RunBudget()
  const expressionOf = compileOnce((text, scope) => compile(text, scope, { run, advise }))
  const conditionOf = compileOnce((text, scope) => compileCondition(text, scope, { run, advise }))
  const compiled = new Map<Template, TemplatePrograms>()
  const scopes = new Map<VariantSet, SetScope>()
  return {
    scopeOf: (set) => remember(scopes, set, () => scopeOf(set, fleet)),
    expressionOf: ({ text }, scope) => expressionOf(text, scope),
    programsOf: (template, scope) => remember(compiled, template, () => compileTemplate(template, scope, expressionOf)),
    conditionOf: ({ text }, scope) => conditionOf(text, scope),
  }
}

/** Returns what an expression compiles to with a list of known variables, or the error. */
type Compile<Compiled> = (text: string, scope: Scope) => Compiled | CelError

/** Returns `compile` for each expression and list of variables once, with the error as an answer. */
function compileOnce<Compiled extends object>(compile: (text: string, scope: Scope) => Compiled): Compile<Compiled> {
  const known = new Map<Scope, Map<string, Compiled | CelError>>()
  return (text, scope) => {
    const ofScope = remember(known, scope, () => new Map<string, Compiled | CelError>())
    return remember(ofScope, text, () => orCelError(() => compile(text, scope)))
  }
}

/** Returns what an action returns, or the CelError that it throws. Other errors are thrown. */
export function orCelError<Value>(act: () => Value): Value | CelError {
  try {
    return act()
  } catch (error) {
    if (error instanceof CelError) return error
    throw error
  }
}

/** Compiles every expression of a template, in the order of evaluation: rendering the template without a place visits them all. */
function compileTemplate(template: Template, scopes: SetScope, expressionOf: Compile<Program>): TemplatePrograms {
  const programs = new Map<TemplateExpression, Program>()
  const broken = new Map<TemplateExpression, CelError>()
  const order: TemplateExpression[] = []
  const compileIn =
    (scope: Scope): Evaluate =>
    (expression) => {
      order.push(expression)
      const outcome = expressionOf(expression.text, scope)
      if (outcome instanceof CelError) broken.set(expression, outcome)
      else programs.set(expression, outcome)
      return undefined
    }
  renderTemplate(
    template,
    { repoDefault: '', packageDefault: '' },
    { repoExpr: compileIn(scopes.repoExpr), others: () => compileIn(scopes.others) },
  )
  return { programs, order, broken }
}
