import type { KrmObject } from '../../resource-list/krm-object.ts'

const BLUEPRINT = 'cnrm.cloud.google.com/blueprint'

/**
 * Says on a resource of Config Connector that it comes from a package, beside what else had a hand in it: `krm-pkg`, or `kpt-pkg-fn` where
 * kpt left `kpt-fn` (kpt internal/util/attribution).
 */
export function markBlueprint(object: KrmObject): void {
  if (!object.isMap() || object.apiVersion?.includes('.cnrm.') !== true) return
  const before = object.annotations.get(BLUEPRINT) ?? ''
  const makers = before.split(',').filter((maker) => maker !== '')
  const isTool = (maker: string): boolean => /^k(pt|rm)-/.test(maker)
  const after = makers.some(isTool) ? makers.map((maker) => (isTool(maker) ? withPackage(maker) : maker)) : [...makers, 'krm-pkg']
  if (after.join(',') !== before) object.set(['metadata', 'annotations', BLUEPRINT], after.join(','))
}

function withPackage(maker: string): string {
  return maker.includes('pkg') ? maker : maker.replace('-', '-pkg-')
}
