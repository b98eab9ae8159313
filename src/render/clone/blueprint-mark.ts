import { BLUEPRINT, withPackage } from '../../merge/clone-marks.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { hasSharedAnnotations } from './upstream-mark.ts'

/**
 * Says on a resource of Config Connector that it comes from a package, beside what else had a hand in it: `krm-pkg`, or `kpt-pkg-fn` where
 * kpt left `kpt-fn` (kpt internal/util/attribution).
 */
export function markBlueprint(object: KrmObject): void {
  if (!object.isMap() || object.apiVersion?.includes('.cnrm.') !== true) return
  const before = object.annotations.get(BLUEPRINT) ?? ''
  const after = withPackage(before)
  if (after !== before && !hasSharedAnnotations(object)) object.set(['metadata', 'annotations', BLUEPRINT], after)
}
