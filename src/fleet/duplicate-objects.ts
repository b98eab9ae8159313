import { groupBy } from '../group-by.ts'
import type { PackageVariantSet } from '../kinds/package-variant-set.ts'
import { groupOf } from '../resource-list/identity.ts'
import { inFile } from '../resource-list/in-file.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { PORCH_CONFIG_GROUP, PORCH_GROUP } from '../well-known.ts'
import type { Fleet } from './fleet.ts'

/** Kinds that every set looks up. */
const LOOKED_UP = [
  [PORCH_CONFIG_GROUP, 'Repository'],
  [PORCH_GROUP, 'PackageRevision'],
] as const

/**
 * A warning for each object that has kind, namespace and name of one before it: a cluster can have one of them. Only of kinds that
 * sets look for; packages in the same folder may well have objects of one name.
 */
export function duplicateObjects(sets: readonly PackageVariantSet[], fleet: Fleet): readonly Result[] {
  const selected = sets
    .flatMap(({ targets }) => targets.map(({ criteria }) => criteria))
    .flatMap((criteria) => (criteria.type === 'objectSelector' ? [[groupOf(criteria.apiVersion), criteria.kind] as const] : []))
  const kinds = new Map([...LOOKED_UP, ...selected].map(([group, kind]) => [`${group} ${kind}`, [group, kind] as const]))
  return [...kinds.values()].flatMap(([group, kind]) => {
    const twins = groupBy(fleet.allOf(group, kind), ({ namespace, name }) => `${namespace}/${name}`)
    return [...twins.values()].flatMap(([first, ...later]) => later.map(({ object }) => duplicate(object, first.object)))
  })
}

function duplicate(object: KrmObject, first: KrmObject): Result {
  return faultToResult(object, {
    severity: 'warning',
    rule: 'duplicate-in-fleet',
    path: ['metadata', 'name'],
    message: `must differ from that of ${formatResourceRef(first.ref)}${inFile(first, ['metadata', 'name'])}: a cluster has one of them, and here the first counts`,
  })
}
