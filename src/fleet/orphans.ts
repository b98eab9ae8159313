import { groupBy } from '../group-by.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { countOf, nameFirst } from '../wording.ts'
import type { FleetObject } from './fleet.ts'
import { type OwnerMark, ownerMark } from './ownership.ts'

const NAMED_VARIANTS = 3

/**
 * A warning for each set that variants of the list say they belong to and that is not there: they stay as they are.
 *
 * @param foreign the variants that belong to no set of the list
 */
export function orphanWarnings(foreign: readonly FleetObject[]): Result[] {
  const orphans = foreign.flatMap((variant) => {
    const mark = ownerMark(variant)
    return mark === undefined ? [] : [{ variant, mark }]
  })
  const groups = groupBy(orphans, ({ variant, mark }) => `${variant.namespace} ${mark.owner}`)
  return Array.from(groups.values(), ([first, ...others]) =>
    orphanWarning(first.mark, [first.variant, ...others.map(({ variant }) => variant)]),
  )
}

/** Without a position: this run may remove what stands above the variant in its file, and the next one would tell another. */
function orphanWarning({ path, owner }: OwnerMark, variants: readonly [FleetObject, ...FleetObject[]]): Result {
  const names = variants.map(({ name }) => name)
  const stay = `${countOf(variants.length, 'variant')} ${variants.length === 1 ? 'stays' : 'stay'} as before: ${nameFirst(names, NAMED_VARIANTS)}`
  const { position: _, ...result } = faultToResult(variants[0].object, {
    severity: 'warning',
    rule: 'orphaned',
    path,
    message: `names a PackageVariantSet that the list does not have in this namespace, '${owner}'; ${stay}`,
  })
  return result
}
