import type { FieldPath } from '../field-path.ts'
import { compareText } from '../field-path.ts'
import type { PackageVariant } from '../kinds/package-variant.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** What to do to a package context, and where that is written. */
export interface ContextChange {
  readonly data: ReadonlyMap<string, string>
  readonly removeKeys: readonly string[]
  /** Whether to make the package context where there is none. Otherwise that is an error. */
  readonly create?: boolean
  /** The object that asks for it, and where `data` and `removeKeys` stand in it. */
  readonly source: { readonly object: KrmObject; readonly path: FieldPath }
}

/** What a variant asks for in its own fields. */
export function contextChangeOf({ packageContext, object }: PackageVariant): ContextChange {
  return { ...packageContext, source: { object, path: ['spec', 'packageContext'] } }
}

/** Whether anything is asked for; if not, the package context is not even looked for (docs/porch.md 25). */
export function isEmptyChange({ data, removeKeys }: ContextChange): boolean {
  return data.size === 0 && removeKeys.length === 0
}

/**
 * The package context after a change: existing keys keep their order, new ones follow sorted; keys are set first and removed
 * after, so one in both is removed (seed 000, Package Context Injection; docs/porch.md 26, 28).
 */
export function contextAfter(
  existing: ReadonlyMap<string, string>,
  { data, removeKeys }: Pick<ContextChange, 'data' | 'removeKeys'>,
): ReadonlyMap<string, string> {
  const added = [...data].filter(([key]) => !existing.has(key)).sort(([a], [b]) => compareText(a, b))
  const kept = [...existing].map(([key, value]) => [key, data.get(key) ?? value] as const)
  return new Map([...kept, ...added].filter(([key]) => !removeKeys.includes(key)))
}
