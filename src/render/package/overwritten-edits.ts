import type { PackageVariant } from '../../kinds/package-variant.ts'
import type { Result } from '../../result.ts'
import { CONTEXT_NAME } from '../../variant/package-context.ts'
import type { VariantPackage } from '../../variant/variant-package.ts'
import { INJECTED_ANNOTATION } from '../../well-known.ts'
import { KPT_KEYS } from './kept-context.ts'

/**
 * Returns the findings of an update without the lost edits of values that the variant itself had written and wrote again: injected
 * values and keys of the package context.
 *
 * @param told  the findings of the mutations: a point that is no longer met has lost its injected value
 */
export function withoutOverwritten(
  results: readonly Result[],
  variant: PackageVariant,
  pkg: VariantPackage,
  told: readonly Result[],
): readonly Result[] {
  const lost = results.filter(({ tags }) => tags.rule === 'edit-lost')
  if (lost.length === 0) return results
  const unmet = new Set(told.filter(({ tags }) => tags.rule === 'injection-unmet').map(identityOf))
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
  return results.filter((result) => !own.has(result))
}

function isContext({ resourceRef }: Result): boolean {
  return resourceRef?.kind === 'ConfigMap' && resourceRef.name === CONTEXT_NAME
}

function identityOf({ resourceRef }: Pick<Result, 'resourceRef'>): string {
  return `${resourceRef?.kind} ${resourceRef?.name}`
}
