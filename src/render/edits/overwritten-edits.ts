import type { PackageVariant } from '../../kinds/package-variant.ts'
import { PACKAGE_OWNER_ANNOTATIONS } from '../../lifecycle/owner-annotation.ts'
import type { Result } from '../../result.ts'
import { CONTEXT_NAME } from '../../variant/package-context.ts'
import type { VariantPackage } from '../../variant/variant-package.ts'
import { INJECTED_ANNOTATION, UPSTREAM_TREE_ANNOTATION } from '../../well-known.ts'
import { KPT_KEYS } from './kept-context.ts'

/**
 * Returns the findings of an update without the lost edits of values that the variant itself had written and wrote again: injected
 * values, keys of the package context, and the annotations of render itself.
 *
 * @param mutated  the findings of the mutations: a point that is no longer met has lost its injected value
 */
export function withoutOverwritten(
  results: readonly Result[],
  variant: PackageVariant,
  pkg: VariantPackage,
  mutated: readonly Result[],
): readonly Result[] {
  const others = results.filter((result) => !isOwnAnnotation(result))
  const lost = others.filter(({ tags }) => tags.rule === 'edit-lost')
  if (lost.length === 0) return others
  const unmet = new Set(mutated.filter(({ tags }) => tags.rule === 'injection-unmet').map(identityOf))
  const injected = new Set(
    pkg
      .pick(INJECTED_ANNOTATION, ({ annotations }) => annotations.has(INJECTED_ANNOTATION))
      .map(({ ref }) => identityOf({ resourceRef: ref })),
  )
  const isOwn = (result: Result): boolean => {
    const [part, key] = result.field?.path ?? []
    if (isContext(result)) return part === 'data' && (KPT_KEYS.includes(String(key)) || variant.packageContext.data.has(String(key)))
    return (part === 'spec' || part === 'data') && injected.has(identityOf(result)) && !unmet.has(identityOf(result))
  }
  const own = new Set(lost.filter(isOwn))
  return others.filter((result) => !own.has(result))
}

/** Returns true for a finding about an annotation that every render writes: an upstream that a variant makes has these annotations too. */
function isOwnAnnotation({ severity, field, resourceRef }: Result): boolean {
  const [metadata, annotations, key] = field?.path ?? []
  const isAnnotation = metadata === 'metadata' && annotations === 'annotations' && WRITTEN_ANNOTATIONS.has(String(key))
  return isAnnotation && severity !== 'error' && resourceRef?.kind === 'Kptfile'
}

const WRITTEN_ANNOTATIONS: ReadonlySet<string> = new Set([...PACKAGE_OWNER_ANNOTATIONS, UPSTREAM_TREE_ANNOTATION])

function isContext({ resourceRef }: Result): boolean {
  return resourceRef?.kind === 'ConfigMap' && resourceRef.name === CONTEXT_NAME
}

function identityOf({ resourceRef }: Pick<Result, 'resourceRef'>): string {
  return `${resourceRef?.kind} ${resourceRef?.name}`
}
