import { asRecord, type JsonRecord, type JsonValue, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import type { DangerRule } from './danger-rule.ts'
import { without } from './danger-rule.ts'
import { containersOf, type PodTemplate, podTemplatesOf } from './pod-spec.ts'
import { amountOf, compareQuantities } from './quantity.ts'

/** Limits and requests that do not fit each other, nor what the pod has as a whole. */
export const LIMIT_BELOW_REQUEST: DangerRule = {
  id: 'limit-below-request',
  nouns: ['limit below its request', 'limits below their requests'],
  text: 'a limit is below its request, or the pod has less than its containers: the API server refuses the object or its pods',
  find: ({ before, after }) => without(lowLimits(before), lowLimits(after)),
}

/** Resources of which a container may have less than its limit; of all others, such as GPUs, the request must be the limit. */
const OVERCOMMITTED = /^(?:cpu|memory|ephemeral-storage|storage)$/

/**
 * Returns the paths of limits and requests that do not fit each other (core ValidateContainerResourceRequirements), nor what the pod as a
 * whole has (core validatePodResourceConsistency).
 */
function lowLimits(object: JsonRecord | undefined): readonly string[] {
  const pods = podTemplatesOf(object)
  return [...pods, ...containersOf(object)].flatMap(lowLimitsOf).concat(pods.flatMap(lowerThanContainers))
}

type Amounts = Readonly<Record<string, JsonValue>>

function amountsOf(part: JsonRecord, list: 'limits' | 'requests'): Amounts {
  return asRecord(memberOf(lookup(part, 'resources'), list))
}

function lowLimitsOf({ path, value }: Pick<PodTemplate, 'path' | 'value'>): readonly string[] {
  const requests = amountsOf(value, 'requests')
  const isWrong = (limit: JsonValue, name: string): boolean => {
    const request = lookup(requests, name)
    if (request === undefined) return false
    const order = compareQuantities(scalarText(limit), scalarText(request))
    return OVERCOMMITTED.test(name) ? order < 0 : order !== 0
  }
  return Object.entries(amountsOf(value, 'limits')).flatMap(([name, limit]) =>
    isWrong(limit, name) ? [`${path}.resources.limits.${name}`] : [],
  )
}

/** Returns the paths by which a pod has less as a whole than its containers: the sum of their requests, or the limit of one. */
function lowerThanContainers({ path, value: pod }: PodTemplate): readonly string[] {
  const containers = recordsOf(lookup(pod, 'containers'))
  const amount = (part: JsonRecord, list: 'limits' | 'requests', name: string) => amountOf(scalarText(lookup(amountsOf(part, list), name)))
  // A container that has a limit alone is given it as its request, once its pod is made (SetDefaults_Pod).
  const request = (part: JsonRecord, name: string) =>
    amount(part, lookup(amountsOf(part, 'requests'), name) === undefined ? 'limits' : 'requests', name)
  const needed = (name: string): bigint => {
    // Init containers run one after the other, beside those before them that are restarted always.
    const all = containers.reduce((sum, each) => sum + request(each, name), 0n)
    let [sidecars, most] = [0n, 0n]
    for (const each of recordsOf(lookup(pod, 'initContainers'))) {
      const own = sidecars + request(each, name)
      if (own > most) most = own
      if (lookup(each, 'restartPolicy') === 'Always') sidecars = own
    }
    return all + sidecars > most ? all + sidecars : most
  }
  const requests = Object.keys(amountsOf(pod, 'requests')).filter((name) => needed(name) > amount(pod, 'requests', name))
  const limits = Object.keys(amountsOf(pod, 'limits')).filter((name) =>
    containers.some((each) => amount(each, 'limits', name) > amount(pod, 'limits', name)),
  )
  return [...requests.map((name) => `${path}.resources.requests.${name}`), ...limits.map((name) => `${path}.resources.limits.${name}`)]
}
