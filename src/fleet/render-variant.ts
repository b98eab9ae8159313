import { CelError } from '../cel/cel-error.ts'
import type { Program } from '../cel/program.ts'
import type { Variables } from '../cel/variables.ts'
import type { JsonRecord } from '../json.ts'
import type { Template, TemplateExpression } from '../kinds/template.ts'
import type { FleetObject } from './fleet.ts'
import { once } from './once.ts'
import { type Evaluate, type FilledField, renderTemplate } from './render-template.ts'
import type { TemplatePrograms } from './template-programs.ts'
import type { UnrolledTarget } from './unroll-targets.ts'
import { variablesOf, withRepository } from './variables.ts'

/** What all places of a set are rendered with. */
export interface TemplateContext {
  /** `spec.upstream` of every variant. */
  readonly upstreamFields: JsonRecord
  /** The upstream PackageRevision, where it is known. */
  readonly upstream: FleetObject | undefined
  readonly programsOf: (template: Template) => TemplatePrograms
  /** The Repositories of the set's namespace by name. */
  readonly repositories: ReadonlyMap<string, FleetObject>
}

/** The variant that a place gives. */
export interface RenderedVariant {
  readonly place: UnrolledTarget
  readonly repo: string
  readonly package: string
  readonly spec: JsonRecord
  /** Every text that came from the template's expressions, in the order of evaluation. */
  readonly filled: readonly FilledField[]
  readonly failures: readonly TemplateFailure[]
  /** Whether every expression of the template has a value. */
  readonly isWhole: boolean
}

export interface TemplateFailure {
  readonly expression: TemplateExpression
  readonly error: CelError
}

const NONE: readonly TemplateFailure[] = []

/** Renders one place (seed 000, PackageVariant Template: the processing flow). An expression that does not compile gives ''. */
export function renderVariant(place: UnrolledTarget, context: TemplateContext): RenderedVariant {
  const { template } = place.target
  return template === undefined ? renderDefaults(place, context) : renderFromTemplate(place, template, context)
}

function renderDefaults(place: UnrolledTarget, { upstreamFields }: TemplateContext): RenderedVariant {
  const { repoDefault, packageDefault } = place
  const spec = { upstream: upstreamFields, downstream: { repo: repoDefault, package: packageDefault } }
  return { place, repo: repoDefault, package: packageDefault, spec, filled: [], failures: [], isWhole: true }
}

function renderFromTemplate(place: UnrolledTarget, template: Template, context: TemplateContext): RenderedVariant {
  const { upstreamFields, upstream, programsOf, repositories } = context
  const { programs, broken } = programsOf(template)
  const failures: TemplateFailure[] = []
  const evaluateWith =
    (variables: () => Variables): Evaluate =>
    (expression) =>
      evaluate(expression, programs, variables, failures)
  const variables = once(() => variablesOf(place, upstream))
  const {
    repo,
    package: packageName,
    fields,
    filled,
  } = renderTemplate(template, place, {
    repoExpr: evaluateWith(variables),
    others: (name) => evaluateWith(once(() => withRepository(variables(), repositories.get(name)))),
  })
  const spec = { upstream: upstreamFields, downstream: { repo, package: packageName }, ...fields }
  const isWhole = failures.length + broken.size === 0
  // An array that grew has room for more, and a fleet has ten thousands of them.
  return { place, repo, package: packageName, spec, filled: filled.slice(), failures: failures.length === 0 ? NONE : failures, isWhole }
}

/** The text of an expression. Without one, because it fails or does not compile, undefined; failures are kept. */
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

/** What the expressions of a rendered variant may use, those of `repoExpr` too. */
export function variablesFor({ place, repo }: RenderedVariant, { upstream, repositories }: TemplateContext): Variables {
  return withRepository(variablesOf(place, upstream), repositories.get(repo))
}
