import type { CelError } from '../../cel/cel-error.ts'
import { equalJson, type JsonRecord } from '../../json.ts'
import type { TemplateExpression } from '../../kinds/template.ts'
import type { UnrolledTarget } from '../targets/unrolled-target.ts'
import { type FilledField, type Rendering, renderTemplate } from './render-template.ts'

/** The texts of a variant: its downstream, and the values of the expressions of its template in the order of evaluation. */
interface VariantTexts {
  readonly repo: string
  readonly package: string
  /** Undefined for an expression without a value. */
  readonly values: readonly (string | undefined)[]
}

/** The variant of a place: the values of its expressions. Its spec is made of the values when it is asked for, and is not kept. */
export class RenderedVariant implements VariantTexts {
  readonly place: UnrolledTarget
  readonly repo: string
  readonly package: string
  readonly values: VariantTexts['values']
  readonly failures: readonly TemplateFailure[]
  /** True if every expression of the template has a value. */
  readonly isWhole: boolean

  constructor(
    place: UnrolledTarget,
    { repo, package: packageName, values }: VariantTexts,
    { failures, isWhole }: Pick<RenderedVariant, 'failures' | 'isWhole'>,
  ) {
    this.place = place
    this.repo = repo
    this.package = packageName
    this.values = values
    this.failures = failures
    this.isWhole = isWhole
  }

  get spec(): JsonRecord {
    return { upstream: this.place.upstream.fields, downstream: { repo: this.repo, package: this.package }, ...this.#render().fields }
  }

  hasSpecOf(other: RenderedVariant): boolean {
    return equalJson(this.spec, other.spec)
  }

  /** Every text that the template's expressions gave, in the order of evaluation. */
  get filled(): readonly FilledField[] {
    return this.#render().filled
  }

  /** Renders the template once more, with the values that its expressions gave. */
  #render(): Pick<Rendering, 'fields' | 'filled'> {
    const { template } = this.place
    if (template === undefined) return NOTHING_RENDERED
    let next = 0
    const evaluate = () => this.values[next++]
    return renderTemplate(template.merged, this.place, { repoExpr: evaluate, others: () => evaluate })
  }
}

const NOTHING_RENDERED = { fields: {}, filled: [] }

export interface TemplateFailure {
  readonly expression: TemplateExpression
  readonly error: CelError
}
