import { CelError } from '../cel/cel-error.ts'
import type { Program } from '../cel/program.ts'
import type { Variables } from '../cel/variables.ts'
import { equalJson, type JsonRecord } from '../json.ts'
import type { Computed, Template, TemplateExpression } from '../kinds/template.ts'
import type { VariantSet } from '../kinds/variant-set.ts'
import type { FleetObject } from './fleet.ts'
import { OverrideLayers } from './overrides.ts'
import { type FilledField, type Rendering, renderTemplate } from './render-template.ts'
import { SpecPattern, type VariantTexts } from './spec-pattern.ts'
import { type ExpressionCompiler, type SetScope, variablesIn, variablesOf, withRepository } from './template-programs.ts'
import type { UnrolledTarget } from './unroll-targets.ts'

/** The values with which all places of a set are rendered. */
export interface TemplateContext {
  readonly compiler: ExpressionCompiler
  readonly scope: SetScope
  /** The Repositories of the set's namespace, by name. */
  readonly repositories: ReadonlyMap<string, FleetObject>
  readonly overrides: OverrideLayers
  readonly patterns: SpecPatterns
}

/** Returns the context of a set. */
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
    patterns: new SpecPatterns(),
  }
}

/** The variant of a place: the values of its expressions. Its spec is made of the values when it is asked for. */
export class RenderedVariant implements VariantTexts {
  readonly place: UnrolledTarget
  readonly repo: string
  readonly package: string
  readonly values: VariantTexts['values']
  readonly failures: readonly TemplateFailure[]
  /** True if every expression of the template has a value. */
  readonly isWhole: boolean
  /** The pattern of the spec; undefined if values give keys. */
  readonly pattern: SpecPattern | undefined
  #rendering: Pick<Rendering, 'fields' | 'filled'> | undefined

  constructor(
    place: UnrolledTarget,
    { repo, package: packageName, values }: VariantTexts,
    { failures, isWhole, pattern }: Pick<RenderedVariant, 'failures' | 'isWhole' | 'pattern'>,
  ) {
    this.place = place
    this.repo = repo
    this.package = packageName
    this.values = values
    this.failures = failures
    this.isWhole = isWhole
    this.pattern = pattern
  }

  get spec(): JsonRecord {
    return { upstream: this.place.upstream.fields, downstream: { repo: this.repo, package: this.package }, ...this.#rendered().fields }
  }

  /** Returns true if another variant has the same spec. Compares texts where one pattern gives both specs, so that no spec is made. */
  hasSpecOf(other: RenderedVariant): boolean {
    if (this.pattern === undefined || this.pattern !== other.pattern) return equalJson(this.spec, other.spec)
    return this.repo === other.repo && this.package === other.package && equalTexts(this.values, other.values)
  }

  /** Every text that the template's expressions gave, in the order of evaluation. */
  get filled(): readonly FilledField[] {
    return this.#rendered().filled
  }

  #rendered(): Pick<Rendering, 'fields' | 'filled'> {
    this.#rendering ??= this.#render()
    return this.#rendering
  }

  /** Renders the template once more, with the values that its expressions gave. */
  #render(): Pick<Rendering, 'fields' | 'filled'> {
    const { template } = this.place
    if (template === undefined) return NOTHING_RENDERED
    let next = 0
    const evaluate = () => this.values[next++]
    const { fields, filled } = renderTemplate(template.merged, this.place, { repoExpr: evaluate, others: () => evaluate })
    // A copy, since an array that grew has unused capacity.
    return { fields, filled: filled.slice() }
  }
}

/** Compares the values of one template: both lists have the same length. */
function equalTexts(left: VariantTexts['values'], right: VariantTexts['values']): boolean {
  return left.every((text, index) => text === right[index])
}

const NOTHING_RENDERED = { fields: {}, filled: [] }

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
  const pattern = context.patterns.of(template?.merged, place.upstream.fields)
  if (template !== undefined) return renderFromTemplate(place, template.merged, { context, earlier: failures, pattern })
  const texts = { repo: place.repoDefault, package: place.packageDefault, values: [] }
  return new RenderedVariant(place, texts, { failures: NONE, isWhole: true, pattern })
}

function renderFromTemplate(
  place: UnrolledTarget,
  template: Template,
  {
    context: { compiler, scope, repositories },
    earlier,
    pattern,
  }: { readonly context: TemplateContext; readonly earlier: readonly TemplateFailure[]; readonly pattern: SpecPattern | undefined },
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
  return new RenderedVariant(place, texts, { failures: failures.length === 0 ? NONE : failures, isWhole, pattern })
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
  try {
    return programs.get(expression)?.evaluate(variables)
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    failures.push({ expression, error })
    return undefined
  }
}

/** The patterns of the specs of a set, each made once: a set has few templates and upstreams. */
class SpecPatterns {
  readonly #made = new Map<Template | undefined, Map<JsonRecord, SpecPattern | undefined>>()

  of(template: Template | undefined, upstream: JsonRecord): SpecPattern | undefined {
    const ofTemplate = this.#made.get(template) ?? new Map<JsonRecord, SpecPattern | undefined>()
    if (ofTemplate.size === 0) this.#made.set(template, ofTemplate)
    if (!ofTemplate.has(upstream)) ofTemplate.set(upstream, SpecPattern.of(template, upstream))
    return ofTemplate.get(upstream)
  }
}

/** Returns the variables of a rendered variant's expressions, including those of `repoExpr`. */
export function variablesFor({ place, repo }: RenderedVariant, { repositories }: TemplateContext): Variables {
  return withRepository(variablesOf(place), repositories.get(repo))
}
