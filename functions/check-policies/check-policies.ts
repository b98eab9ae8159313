import { DEFAULT_OPTIONS } from '../../src/fleet/options.ts'
import { planFanOut } from '../../src/fleet/plan-fan-out.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import { isFleetPolicy, judgePolicies } from '../../src/policy/judge-policies.ts'
import { policyFleet } from '../../src/policy/policy-fleet.ts'
import { packagesAmong } from '../../src/policy/policy-packages.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import type { Result } from '../../src/result.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { readTextOptions } from '../../src/schema/read-text-options.ts'

/**
 * Adds a result for each validation of a FleetPolicy that does not hold for the fleet of a list, and for each fault of a policy. The fleet
 * is judged as it is after fan-out. Changes no item.
 *
 * @throws FunctionError when the functionConfig is neither a FleetPolicy nor a ConfigMap without options
 */
export function checkPolicies(list: ResourceList): void {
  const { items } = list
  const policies = policiesOf(list)
  const plan = planFanOut(list, { ...DEFAULT_OPTIONS, allowEmpty: true })
  list.results.push(
    // Nothing reads an object of a misspelt kind or group: it may be a policy.
    ...plan.results.filter(({ severity, tags }) => severity === 'error' || tags.rule === 'unknown-kind'),
    ...(policies.length === 0 ? [noPolicy(items)] : judgePolicies(policies, policyFleet(plan, packagesAmong(items)))),
  )
}

/** Returns the policies of the items, and the functionConfig if it is a policy that is not among the items. */
function policiesOf({ items, functionConfig }: ResourceList): readonly KrmObject[] {
  const policies = items.filter(isFleetPolicy)
  if (functionConfig === undefined) return policies
  const given = readerFor(functionConfig, READERS)(functionConfig)
  const isItem = ({ name, namespace }: KrmObject) => policies.some((policy) => policy.name === name && policy.namespace === namespace)
  return [...policies, ...given.filter((policy) => !isItem(policy))]
}

const READERS: Readonly<Record<string, (config: KrmObject) => readonly KrmObject[]>> = {
  FleetPolicy: (config) => [config],
  ConfigMap: (config) => {
    readTextOptions(config, 'check-policies', {})
    return []
  },
}

function noPolicy(items: readonly KrmObject[]): Result {
  return { severity: 'warning', message: `the input must hold a FleetPolicy; read ${describeRead(items)}`, tags: { rule: 'no-policy' } }
}
