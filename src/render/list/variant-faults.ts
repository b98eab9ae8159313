import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { isPackageVariant } from '../../variant/find-variant.ts'
import { readVariants } from '../fleet-variants.ts'
import { fleetItems } from './fleet-items.ts'
import { ListFolders } from './list-folders.ts'

/**
 * Returns the faults of the variants of a fleet, so that they can be reported together with faults of its options.
 *
 * @param root  as for `ListFolders`
 */
export function variantFaults(items: readonly KrmObject[], root?: string): readonly Result[] {
  const own = fleetItems(items, new ListFolders(items, root), { repositories: new Map() })
  return readVariants(own.filter(isPackageVariant)).results
}
