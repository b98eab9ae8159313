import { CelError } from '../../cel/cel-error.ts'
import type { Variables } from '../../cel/variables.ts'
import type { Template, TemplateExpression } from '../../kinds/template.ts'
import type { TemplateOverride, VariantSet } from '../../kinds/variant-set.ts'
import { once, remember } from '../../remember.ts'
import type { Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { NearestAmong } from '../../schema/nearest-name.ts'
import type { FleetObject } from '../fleet.ts'
import type { UnrolledTarget } from '../targets/unrolled-target.ts'
import { unknownPackage } from '../upstream.ts'
import { whereFault } from './expression-faults.ts'
import { type LayeredTemplate, layerTemplates } from './layered-template.ts'
import type { RenderedVariant, TemplateFailure } from './rendered-variant.ts'
import { type ExpressionCompiler, orCelError, type SetScope, variablesOf, withRepository } from './template-programs.ts'

/** The template of a place with the overrides that hold there, and the conditions that failed. */
interface Overridden {
  readonly template: LayeredTemplate | undefined
  readonly failures: readonly TemplateFailure[]
}

/** Lays the overrides of a set over the templates of its places. Equal layers of several places are merged once. */
export class OverrideLayers {
  readonly #overrides: readonly TemplateOverride[]
  readonly #compiler: ExpressionCompiler
  readonly #scope: SetScope
  readonly #repositories: ReadonlyMap<string, FleetObject>
  readonly #merged = new Map<LayeredTemplate | undefined, Map<string, LayeredTemplate>>()

  constructor(set: VariantSet, compiler: ExpressionCompiler, repositories: ReadonlyMap<string, FleetObject>) {
    this.#overrides = set.overrides
    this.#scope = compiler.scopeOf(set)
    this.#compiler = compiler
    this.#repositories = repositories
  }

  /** Returns the template of a place: overrides whose packages and condition hold lie over the templates below, in their order. */
  over(place: UnrolledTarget): Overridden {
    if (this.#overrides.length === 0) return { template: place.template, failures: [] }
    const failures: TemplateFailure[] = []
    const variables = once(() => this.#variables(place))
    const holding = this.#overrides.filter((override) => this.#holds(override, place, variables, failures))
    return { template: this.#lay(holding, place.template), failures }
  }

  #holds(
    { where, packages }: TemplateOverride,
    { upstream }: UnrolledTarget,
    variables: () => Variables,
    failures: TemplateFailure[],
  ): boolean {
    if (packages.size > 0 && !packages.has(upstream.upstream.package)) return false
    const condition = where === undefined ? undefined : this.#compiler.conditionOf(where, this.#scope.others)
    if (where === undefined || condition === undefined) return true
    if (condition instanceof CelError) return false
    const held = orCelError(() => condition.holds(variables()))
    if (!(held instanceof CelError)) return held
    failures.push({ expression: where, error: held })
    return false
  }

  /** Returns the variables of conditions: `repository` is the one to which the templates below all overrides send the place. */
  #variables(place: UnrolledTarget): Variables {
    const variables = variablesOf(place)
    const computed = place.template?.merged.downstream.repo
    if (computed === undefined) return withRepository(variables, this.#repositories.get(place.repoDefault))
    if ('value' in computed) return withRepository(variables, this.#repositories.get(computed.value))
    const program = place.template && this.#compiler.programsOf(place.template.merged, this.#scope).programs.get(computed.expression)
    const repo = orCelError(() => program?.evaluate(variables) ?? '')
    // Rendering reports the failure.
    return repo instanceof CelError ? variables : withRepository(variables, this.#repositories.get(repo))
  }

  #lay(overrides: readonly TemplateOverride[], below: LayeredTemplate | undefined): LayeredTemplate | undefined {
    const key = overrides.map((override) => this.#overrides.indexOf(override)).join()
    return remember(
      remember(this.#merged, below, () => new Map<string, LayeredTemplate>()),
      key,
      () => {
        const layers = overrides.map(({ name, template }) => ({ name: `override ${name}`, template, isOverride: true }))
        return layerTemplates([...(below?.layers ?? []), ...layers]) ?? { merged: EMPTY, layers: [] }
      },
    )
  }
}

/** The template of a place without layers in a set with overrides, so that the downstream repository is looked up in any case. */
const EMPTY: Template = {
  path: ['spec', 'overrides'],
  downstream: {},
  labels: new Map(),
  labelExprs: [],
  annotations: new Map(),
  annotationExprs: [],
  injectors: [],
}

/** Returns an error for each condition of the overrides of a set that does not compile or gives no bool. */
export function overrideFaults(set: VariantSet, compiler: ExpressionCompiler): readonly Result[] {
  const { object, overrides } = set
  return overrides.flatMap(({ where }) => {
    const condition = where && compiler.conditionOf(where, compiler.scopeOf(set).others)
    return where !== undefined && condition instanceof CelError ? [whereFault(object, where, condition)] : []
  })
}

/** Returns a warning for each override that holds for no variant. An override whose condition has a fault has an error of its own. */
export function unusedOverrides(
  set: VariantSet,
  rendered: readonly RenderedVariant[],
  { compiler, nearestAmong }: { readonly compiler: ExpressionCompiler; readonly nearestAmong: NearestAmong },
): readonly Result[] {
  const { object, upstreams, overrides } = set
  if (overrides.length === 0 || !rendered.some(({ failures }) => failures.length === 0)) return []
  const templates = new Set(rendered.map(({ place }) => place.template))
  const used = new Set([...templates].flatMap((each) => each?.layers.map(({ template }) => template)))
  const failed = new Set(rendered.flatMap(({ failures }) => failures.map(({ expression }) => expression)))
  const isFaulty = (where: TemplateExpression) =>
    failed.has(where) || compiler.conditionOf(where, compiler.scopeOf(set).others) instanceof CelError
  const known = [...new Set(upstreams.map((upstream) => upstream.package))]
  return overrides.flatMap(({ path, where, packages, template }) => {
    if (used.has(template) || (where !== undefined && isFaulty(where))) return []
    const why = unknownPackage(packages, known, nearestAmong) ?? 'its condition holds for none'
    return [faultToResult(object, { severity: 'warning', rule: 'nothing-overridden', path, message: `applies to no variant: ${why}` })]
  })
}
