import { CelError } from '../cel/cel-error.ts'
import type { Program } from '../cel/program.ts'
import type { Variables } from '../cel/variables.ts'
import type { JsonRecord } from '../json.ts'
import type { Template, TemplateExpression } from '../kinds/template.ts'
import type { VariantSet } from '../kinds/variant-set.ts'
import type { FleetObject } from './fleet.ts'
import { once } from './once.ts'
import { OverrideLayers } from './overrides.ts'
import { type Evaluate, type FilledField, renderTemplate } from './render-template.ts'
import { type ExpressionCompiler, type SetScope, variablesOf, withRepository } from './template-programs.ts'
import type { UnrolledTarget } from './unroll-targets.ts'

/** The values with which all places of a set are rendered. */
export interface TemplateContext {
  readonly compiler: ExpressionCompiler
  readonly scope: SetScope
  /** The Repositories of the set's namespace, by name. */
  readonly repositories: ReadonlyMap<string, FleetObject>
  readonly overrides: OverrideLayers
}

/** Returns the context of a set. */
export function templateContext(
  set: VariantSet,
  compiler: ExpressionCompiler,
  repositories: ReadonlyMap<string, FleetObject>,
): TemplateContext {
  return { compiler, scope: compiler.scopeOf(set), repositories, overrides: new OverrideLayers(set, compiler, repositories) }
}

/** The variant of a place. */
export interface RenderedVariant {
  readonly place: UnrolledTarget
  readonly repo: string
  readonly package: string
  readonly spec: JsonRecord
  /** Every text that the template's expressions gave, in the order of evaluation. */
  readonly filled: readonly FilledField[]
  readonly failures: readonly TemplateFailure[]
  /** True if every expression of the template has a value. */
  readonly isWhole: boolean
}

export interface TemplateFailure {
  readonly expression: TemplateExpression
  readonly error: CelError
}

const NONE: readonly TemplateFailure[] = []

/**
 * Renders the variant of a place (seed 000, PackageVariant Template: the processing flow). An expression that fails or does not compile
 * gives ''. The place of the variant has the template with its overrides.
 */
export function renderVariant(asked: UnrolledTarget, context: TemplateContext): RenderedVariant {
  const { template, failures } = context.overrides.over(asked)
  const place = template === asked.template ? asked : { ...asked, template }
  return template === undefined ? renderDefaults(place) : renderFromTemplate(place, template.merged, context, failures)
}

function renderDefaults(place: UnrolledTarget): RenderedVariant {
  const { repoDefault, packageDefault, upstream } = place
  const spec = { upstream: upstream.fields, downstream: { repo: repoDefault, package: packageDefault } }
  return { place, repo: repoDefault, package: packageDefault, spec, filled: [], failures: [], isWhole: true }
}

function renderFromTemplate(
  place: UnrolledTarget,
  template: Template,
  { compiler, scope, repositories }: TemplateContext,
  earlier: readonly TemplateFailure[],
): RenderedVariant {
  const { programs, broken } = compiler.programsOf(template, scope)
  const failures: TemplateFailure[] = [...earlier]
  const evaluateWith =
    (variables: () => Variables): Evaluate =>
    (expression) =>
      evaluate(expression, programs, variables, failures)
  const variables = once(() => variablesOf(place))
  const {
    repo,
    package: packageName,
    fields,
    filled,
  } = renderTemplate(template, place, {
    repoExpr: evaluateWith(variables),
    others: (name) => evaluateWith(once(() => withRepository(variables(), repositories.get(name)))),
  })
  const spec = { upstream: place.upstream.fields, downstream: { repo, package: packageName }, ...fields }
  const isWhole = failures.length + broken.size === 0
  // A copy, since an array that grew has unused capacity, and a fleet has ten thousands of such arrays.
  return { place, repo, package: packageName, spec, filled: filled.slice(), failures: failures.length === 0 ? NONE : failures, isWhole }
}

/** Returns the text of an expression; undefined if the expression fails or does not compile. A failure is added to `failures`. */
function evaluate(
  expression: TemplateExpression,
  programs: ReadonlyMap<TemplateExpression, Program>,
  variables: () => Variables,
  failures: TemplateFailure[],
): string | undefined {
  try {
    return programs.get(expression)?.evaluate(variables())
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    failures.push({ expression, error })
    return undefined
  }
}

/** Returns the variables of a rendered variant's expressions, including those of `repoExpr`. */
export function variablesFor({ place, repo }: RenderedVariant, { repositories }: TemplateContext): Variables {
  return withRepository(variablesOf(place), repositories.get(repo))
}
