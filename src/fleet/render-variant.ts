import { CelError } from '../cel/cel-error.ts'
import type { Program } from '../cel/program.ts'
import type { Variables } from '../cel/variables.ts'
import type { JsonRecord } from '../json.ts'
import type { Computed, Expression, Template } from '../kinds/package-variant-set.ts'
import type { FleetObject } from './fleet.ts'
import { type Evaluate, renderTemplate, textOf } from './render-template.ts'
import type { TemplatePrograms } from './template-programs.ts'
import type { UnrolledTarget } from './unroll-targets.ts'
import { variablesOf, withRepository } from './variables.ts'

/** What all places of a set are rendered with. */
export interface RenderContext {
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
  /** Every expression with its value, in the order of evaluation. */
  readonly evaluations: readonly Evaluation[]
  readonly failures: readonly Failure[]
  /** Whether every expression of the template has a value. */
  readonly isWhole: boolean
}

interface Evaluation {
  readonly expression: Expression
  readonly value: string
}

export interface Failure {
  readonly expression: Expression
  readonly error: CelError
}

/** Renders one place (seed 000, PackageVariant Template: the processing flow). An expression that does not compile gives ''. */
export function renderVariant(place: UnrolledTarget, context: RenderContext): RenderedVariant {
  const { template } = place.target
  return template === undefined ? renderDefaults(place, context) : renderFromTemplate(place, template, context)
}

function renderDefaults(place: UnrolledTarget, { upstreamFields }: RenderContext): RenderedVariant {
  const { repoDefault, packageDefault } = place
  const spec = { upstream: upstreamFields, downstream: { repo: repoDefault, package: packageDefault } }
  return { place, repo: repoDefault, package: packageDefault, spec, evaluations: [], failures: [], isWhole: true }
}

function renderFromTemplate(place: UnrolledTarget, template: Template, context: RenderContext): RenderedVariant {
  const { upstreamFields, upstream, programsOf, repositories } = context
  const { programs, broken } = programsOf(template)
  const { evaluations, failures, evaluateWith } = record(programs)
  const variables = once(() => variablesOf(place, upstream))
  const evaluateRepo = evaluateWith(variables)
  const repo = nameOf(template.downstream.repo, evaluateRepo) ?? place.repoDefault
  const evaluate = evaluateWith(once(() => withRepository(variables(), repositories.get(repo))))
  const packageName = nameOf(template.downstream.package, evaluate) ?? place.packageDefault
  const spec = { upstream: upstreamFields, downstream: { repo, package: packageName }, ...renderTemplate(template, evaluate) }
  const isWhole = failures.length + broken.size === 0
  return { place, repo, package: packageName, spec, evaluations, failures, isWhole }
}

function nameOf(computed: Computed | undefined, evaluate: Evaluate): string | undefined {
  return computed && textOf(computed, evaluate)
}

/** Evaluates the expressions of one place and keeps what came of each. */
function record(programs: ReadonlyMap<Expression, Program>) {
  const evaluations: Evaluation[] = []
  const failures: Failure[] = []
  const evaluateWith =
    (variables: () => Variables): Evaluate =>
    (expression) => {
      const value = evaluateOrFail(programs.get(expression), variables())
      if (value instanceof CelError) failures.push({ expression, error: value })
      else if (value !== undefined) evaluations.push({ expression, value })
      return typeof value === 'string' ? value : ''
    }
  return { evaluations, failures, evaluateWith }
}

/** Makes the variables when the first expression asks for them. */
function once(make: () => Variables): () => Variables {
  let variables: Variables | undefined
  return () => {
    variables ??= make()
    return variables
  }
}

function evaluateOrFail(program: Program | undefined, variables: Variables): string | CelError | undefined {
  try {
    return program?.evaluate(variables)
  } catch (error) {
    if (error instanceof CelError) return error
    throw error
  }
}
