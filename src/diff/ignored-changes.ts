import { isRecord, type JsonValue, listedTexts, memberOf, scalarText } from '../json.ts'
import { remember } from '../remember.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isFieldOrBelow } from './dangers/danger-rule.ts'
import { isDanger } from './dangers/dangers.ts'
import type { ChangedField, Danger, IgnoredCount } from './report.ts'

/** A rule of `spec.diff.ignore` of a RenderVariants: which changes a reviewer need not see, and why. */
interface IgnoreRule {
  /** Empty for objects of all kinds. */
  readonly kinds: readonly string[]
  /** Paths, which stand for what is below them too. Empty for whole objects. */
  readonly fields: readonly string[]
  readonly reason: string
}

/** A change of an object, of which parts may be ignored. */
interface JudgedObject {
  readonly kind: string
  readonly cluster: string
  readonly fields: readonly ChangedField[]
  readonly dangers: readonly Danger[]
}

/** Leaves out the changes that the fleet ignores, and counts them. What is dangerous is never ignored. */
export class IgnoredChanges {
  readonly #rules: readonly IgnoreRule[]
  readonly #counts = new Map<string, { changes: number; readonly clusters: Set<string> }>()

  constructor(items: readonly KrmObject[]) {
    const options = items.filter(({ kind }) => kind === 'RenderVariants')
    this.#rules = options.flatMap((item) => rulesIn(item.get(['spec', 'diff', 'ignore'])))
  }

  /**
   * Returns the fields of a change that are left; undefined if nothing of the change is. A change without fields, such as a new object, is
   * ignored as a whole by a rule without fields.
   */
  left({ kind, cluster, fields, dangers }: JudgedObject): readonly ChangedField[] | undefined {
    if (this.#rules.length === 0) return fields
    const own = this.#rules.filter((rule) => rule.kinds.length === 0 || rule.kinds.includes(kind))
    const found = dangers.filter(isDanger)
    if (fields.length === 0) {
      const whole = found.length > 0 ? undefined : own.find((rule) => rule.fields.length === 0)
      if (whole === undefined) return fields
      this.#count(whole, cluster)
      return undefined
    }
    const left = fields.filter((field) => {
      const isDangerous = found.some(({ path = '' }) => path === '' || isFieldOrBelow(path, field.path) || isFieldOrBelow(field.path, path))
      const rule = isDangerous ? undefined : own.find((each) => ignores(each, field))
      if (rule !== undefined) this.#count(rule, cluster)
      return rule === undefined
    })
    return left.length === 0 ? undefined : left
  }

  /** Returns what was ignored, by reason. */
  counts(): readonly IgnoredCount[] {
    return Array.from(this.#counts, ([reason, { changes, clusters }]) => ({ reason, changes, clusters: clusters.size }))
  }

  #count({ reason }: IgnoreRule, cluster: string): void {
    const known = remember(this.#counts, reason, () => ({ changes: 0, clusters: new Set<string>() }))
    known.changes++
    known.clusters.add(cluster)
  }
}

function ignores({ fields }: IgnoreRule, { path }: ChangedField): boolean {
  return fields.length === 0 || fields.some((field) => isFieldOrBelow(path, field))
}

function rulesIn(value: JsonValue | undefined): readonly IgnoreRule[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((rule) =>
    isRecord(rule)
      ? [
          {
            kinds: listedTexts(memberOf(rule, 'kinds')),
            fields: listedTexts(memberOf(rule, 'fields')),
            reason: scalarText(memberOf(rule, 'reason')),
          },
        ]
      : [],
  )
}
