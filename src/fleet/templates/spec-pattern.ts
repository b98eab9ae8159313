import type { JsonRecord } from '../../json.ts'
import type { Template } from '../../kinds/template.ts'
import { isAnnotationKey, isLabelKey, isLabelValue } from '../../kubernetes/names.ts'
import { holeOf, OWN_HOLES, placeholder } from '../../resource-list/object-pattern.ts'
import { ANNOTATIONS, type FilledField, LABELS, REMOVED_KEYS, renderTemplate } from './render-template.ts'

/** The numbers of the texts of a variant in its pattern; those of its expressions follow in the order of evaluation. */
const [REPO_HOLE, PACKAGE_HOLE, FIRST_EXPRESSION] = [OWN_HOLES, OWN_HOLES + 1, OWN_HOLES + 2]

/** The texts of a variant: its downstream, and the values of the expressions of its template in the order of evaluation. */
export interface VariantTexts {
  readonly repo: string
  readonly package: string
  /** Undefined for an expression without a value. */
  readonly values: readonly (string | undefined)[]
}

/**
 * The spec of all variants that a template gives with one upstream, with placeholders for the texts that differ. The spec is what the
 * template gives if each expression gives its placeholder.
 */
export class SpecPattern {
  readonly spec: JsonRecord
  /** True if the keys of labels or annotations are refused, so that each variant has a fault. */
  readonly #hasRefusedKey: boolean
  /** The positions of the values of labels among those of the expressions, each with the valid value that was seen last. */
  readonly #labels: readonly { readonly at: number; seen: string }[]

  private constructor(spec: JsonRecord, filled: readonly FilledField[]) {
    this.spec = spec
    this.#hasRefusedKey = filled.some(({ within, key }) => {
      if (within === LABELS) return !isLabelKey(String(key))
      return within === ANNOTATIONS && !isAnnotationKey(String(key))
    })
    const labels = filled.filter(({ within }) => within === LABELS)
    this.#labels = labels.flatMap(({ value }) => {
      const hole = holeOf(value)
      return hole === undefined ? [] : [{ at: hole - FIRST_EXPRESSION, seen: '' }]
    })
  }

  /**
   * Returns the pattern of a template, or of places without one; undefined if expressions give keys: the order and number of these depend
   * on the values.
   *
   * @param upstream  `spec.upstream` of the variants
   */
  static of(template: Template | undefined, upstream: JsonRecord): SpecPattern | undefined {
    const downstream = { repo: placeholder(REPO_HOLE), package: placeholder(PACKAGE_HOLE) }
    if (template === undefined) return new SpecPattern({ upstream, downstream }, [])
    let next = FIRST_EXPRESSION
    const evaluate = () => placeholder(next++)
    const { fields, filled } = renderTemplate(
      template,
      { repoDefault: '', packageDefault: '' },
      { repoExpr: evaluate, others: () => evaluate },
    )
    const isOpen = filled.some(({ within, keyFrom }) => keyFrom !== undefined || within === REMOVED_KEYS)
    return isOpen ? undefined : new SpecPattern({ upstream, downstream, ...fields }, filled)
  }

  /** Returns true if the labels, annotations and context keys of a variant have certainly no fault. */
  isSound(values: VariantTexts['values']): boolean {
    if (this.#hasRefusedKey) return false
    return this.#labels.every((label) => {
      const value = values[label.at] ?? ''
      if (value === label.seen) return true
      if (!isLabelValue(value)) return false
      label.seen = value
      return true
    })
  }
}

/** Returns the texts of a variant by their numbers in an `ObjectPattern` of its spec, with the name of the variant. */
export function patternTexts(name: string, { repo, package: packageName, values }: VariantTexts): readonly string[] {
  const texts = ['', '', name, repo, packageName]
  for (const value of values) texts.push(value ?? '')
  return texts
}
