import { groupBy } from '../group-by.ts'
import type { ObjectCriteria } from '../kinds/target.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { Fleet } from './fleet.ts'

/**
 * Returns the number of objects by version if the list has objects of a kind only in other versions: `it has 2 of
 * 'example.com/v1alpha1'`. Returns undefined in all other cases.
 */
export function otherVersions({ apiVersion, kind }: Pick<ObjectCriteria, 'apiVersion' | 'kind'>, fleet: Fleet): string | undefined {
  const all = fleet.allOf(groupOf(apiVersion), kind)
  if (all.length === 0 || fleet.ofVersion(apiVersion, kind).length > 0) return undefined
  const found = groupBy(all, (object) => object.apiVersion)
  return `it has ${Array.from(found, ([version, objects]) => `${objects.length} of '${version}'`).join(', ')}`
}
