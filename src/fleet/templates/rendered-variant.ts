import type { CelError } from '../../cel/cel-error.ts'
import { equalJson, type JsonRecord } from '../../json.ts'
import type { TemplateExpression } from '../../kinds/template.ts'
import type { UnrolledTarget } from '../targets/unrolled-target.ts'
import { type FilledField, type Rendering, renderTemplate } from './render-template.ts'
import type { SpecPattern, VariantTexts } from './spec-pattern.ts'

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

  /** Returns true if another variant has the same spec. Variants of one pattern and the same texts have it, and no spec is made for them. */
  hasSpecOf(other: RenderedVariant): boolean {
    return this.#hasTextsOf(other) || equalJson(this.spec, other.spec)
  }

  #hasTextsOf({ pattern, repo, package: packageName, values }: RenderedVariant): boolean {
    if (this.pattern === undefined || this.pattern !== pattern) return false
    return this.repo === repo && this.package === packageName && this.values.every((value, index) => value === values[index])
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

const NOTHING_RENDERED = { fields: {}, filled: [] }

export interface TemplateFailure {
  readonly expression: TemplateExpression
  readonly error: CelError
}
