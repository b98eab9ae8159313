import { isLocalConfig, LOCAL_CONFIG } from '../resource-list/applied-objects.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { FLEET_API, OWN_API } from '../well-known.ts'
import type { SystemFault } from './system-differences.ts'

/** The effect of the kinds of a fleet in a cluster that has their CustomResourceDefinitions. */
const IN_CLUSTER: Readonly<Record<string, string>> = {
  PackageVariantMatrix: 'there no controller makes its variants: apply those that fan-out makes',
  PackageRevisionSet: 'there nothing reads it',
  FleetPolicy: 'there nothing judges by it',
}

/**
 * Returns a warning for each object of our own kinds that kpt or Config Sync would send to an API server: one has no such kind, or, with
 * the CustomResourceDefinitions of schemas/crds, nothing that acts on it.
 */
export function ownKinds(items: readonly KrmObject[], rule: RuleId): readonly SystemFault[] {
  return items.flatMap((object): readonly SystemFault[] => {
    const { apiVersion = '', kind = '' } = object
    const group = groupOf(apiVersion)
    if ((group !== groupOf(OWN_API) && group !== groupOf(FLEET_API)) || isLocalConfig(object)) return []
    const known = group === groupOf(FLEET_API) ? IN_CLUSTER[kind] : undefined
    const where = known === undefined ? 'which has no such kind' : `which refuses it without our CustomResourceDefinition; ${known}`
    const message = `must be 'true', so that kpt and Config Sync do not send ${kind} to the API server, ${where}`
    return [{ object, severity: 'warning', rule, path: ['metadata', 'annotations', LOCAL_CONFIG], message, proposedValue: 'true' }]
  })
}
