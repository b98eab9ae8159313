import { CelError } from '../../cel/cel-error.ts'
import type { Program } from '../../cel/program.ts'
import type { Variables } from '../../cel/variables.ts'
import type { Computed, Template, TemplateExpression } from '../../kinds/template.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import type { FleetObject } from '../fleet.ts'
import type { UnrolledTarget } from '../targets/unrolled-target.ts'
import { OverrideLayers } from './overrides.ts'
import { RenderedVariant, type TemplateFailure } from './rendered-variant.ts'
import { type ExpressionCompiler, orCelError, type SetScope, variablesIn, variablesOf, withRepository } from './template-programs.ts'

/** The values with which all places of a set are rendered. */
export interface TemplateContext {
  readonly compiler: ExpressionCompiler
  readonly scope: SetScope
  /** The Repositories of the set's namespace, by name. */
  readonly repositories: ReadonlyMap<string, FleetObject>
  readonly overrides: OverrideLayers
}

export function templateContext(
  set: VariantSet,
  compiler: ExpressionCompiler,
  repositories: ReadonlyMap<string, FleetObject>,
): TemplateContext {
  return {
    compiler,
    scope: compiler.scopeOf(set),
    repositories,
    overrides: new OverrideLayers(set, compiler, repositories),
  }
}

const NONE: readonly TemplateFailure[] = []

/**
 * Renders the variant of a place (seed 000, PackageVariant Template: the processing flow). An expression that fails or does not compile
 * gives ''. The place of the variant has the template with its overrides.
 */
export function renderVariant(asked: UnrolledTarget, context: TemplateContext): RenderedVariant {
  const { template, failures } = context.overrides.over(asked)
  const place = template === asked.template ? asked : { ...asked, template }
  if (template !== undefined) return renderFromTemplate(place, template.merged, context, failures)
  const texts = { repo: place.repoDefault, package: place.packageDefault, values: [] }
  return new RenderedVariant(place, texts, { failures: NONE, isWhole: true })
}

function renderFromTemplate(
  place: UnrolledTarget,
  template: Template,
  { compiler, scope, repositories }: TemplateContext,
  earlier: readonly TemplateFailure[],
): RenderedVariant {
  const { programs, order, broken } = compiler.programsOf(template, scope)
  const failures: TemplateFailure[] = [...earlier]
  const values: (string | undefined)[] = []
  const textOf = (expression: TemplateExpression, variables: Variables): string => {
    const value = evaluate(expression, programs, variables, failures)
    values.push(value)
    return value ?? ''
  }
  const { downstream } = template
  const repo = nameOf(downstream.repo, place.repoDefault, (expression) => textOf(expression, variablesOf(place)))
  const variables = variablesIn(place, repositories.get(repo))
  const packageName = nameOf(downstream.package, place.packageDefault, (expression) => textOf(expression, variables))
  for (let at = values.length; at < order.length; at++) {
    const expression = order[at]
    if (expression !== undefined) textOf(expression, variables)
  }
  const isWhole = failures.length + broken.size === 0
  // Copies, since an array that grew has unused capacity, and a fleet has ten thousands of such arrays.
  const texts = { repo, package: packageName, values: values.slice() }
  return new RenderedVariant(place, texts, { failures: failures.length === 0 ? NONE : failures, isWhole })
}

function nameOf(computed: Computed | undefined, ifNone: string, textOf: (expression: TemplateExpression) => string): string {
  if (computed === undefined) return ifNone
  return 'value' in computed ? computed.value : textOf(computed.expression)
}

/** Returns the text of an expression; undefined if the expression fails or does not compile. A failure is added to `failures`. */
function evaluate(
  expression: TemplateExpression,
  programs: ReadonlyMap<TemplateExpression, Program>,
  variables: Variables,
  failures: TemplateFailure[],
): string | undefined {
  const value = orCelError(() => programs.get(expression)?.evaluate(variables))
  if (!(value instanceof CelError)) return value
  failures.push({ expression, error: value })
  return undefined
}

/** Returns the variables of a rendered variant's expressions, including those of `repoExpr`. */
export function variablesFor({ place, repo }: RenderedVariant, { repositories }: TemplateContext): Variables {
  return withRepository(variablesOf(place), repositories.get(repo))
}
