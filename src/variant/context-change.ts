import type { FieldPath } from '../field-path.ts'
import { compareText } from '../field-path.ts'
import type { PackageVariant } from '../kinds/package-variant.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** The changes to a package context, with the place in which the user wrote the changes. */
export interface ContextChange {
  readonly data: ReadonlyMap<string, string>
  readonly removeKeys: readonly string[]
  /** True if a missing package context is to be made. Otherwise a missing package context is an error. */
  readonly create?: boolean
  /** The object with the change, and the path of the map with `data` and `removeKeys` in the object. */
  readonly source: { readonly object: KrmObject; readonly path: FieldPath }
}

/** Returns the change of `spec.packageContext` of a variant. */
export function contextChangeOf({ packageContext, object }: PackageVariant): ContextChange {
  return { ...packageContext, source: { object, path: ['spec', 'packageContext'] } }
}

/** Returns true if a change sets and removes no keys. The package context is then not looked for (docs/porch.md 25). */
export function isEmptyChange({ data, removeKeys }: ContextChange): boolean {
  return data.size === 0 && removeKeys.length === 0
}

/**
 * Returns the data of the package context after a change. Existing keys keep their order, new keys follow in sorted order. Keys are set
 * first and removed afterwards, so that a key of both `data` and `removeKeys` is removed (seed 000, Package Context Injection;
 * docs/porch.md 26, 28).
 * Example: `{b: 1, a: 1}` with data `{d: 2, c: 2, b: 2}` and removeKeys `[a]` becomes `{b: 2, c: 2, d: 2}`.
 */
export function contextAfter(
  existing: ReadonlyMap<string, string>,
  { data, removeKeys }: Pick<ContextChange, 'data' | 'removeKeys'>,
): ReadonlyMap<string, string> {
  const added = [...data].filter(([key]) => !existing.has(key)).sort(([a], [b]) => compareText(a, b))
  const kept = [...existing].map(([key, value]) => [key, data.get(key) ?? value] as const)
  const removed = new Set(removeKeys)
  return new Map([...kept, ...added].filter(([key]) => !removed.has(key)))
}
