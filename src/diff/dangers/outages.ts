import { isRecord, type JsonRecord, type JsonValue, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { valueAt } from '../field-changes.ts'
import type { ChangedField } from '../report.ts'
import { widerScope } from './admission-scopes.ts'
import { clusterOf, type DangerousChange, type DangerRule, type JudgedChange, without } from './danger-rule.ts'
import { IN_USE_DELETED, losesNeeded } from './needed-objects.ts'
import { groupKindOf, hasGroupKind, isSameObject, nameOfRecord, namespaceOfRecord, podLabelsOf, podSpecOf } from './pod-spec.ts'
import { isNarrower, matchesLabels } from './selectors.ts'

/**
 * Changes after which clients find nothing, pods do not start, or nodes cannot be drained. Some are about two objects of one package or
 * cluster.
 */
export const OUTAGES: readonly DangerRule[] = [
  {
    id: 'service-unreachable',
    nouns: ['service that clients no longer reach', 'services that clients no longer reach'],
    text: 'clients of the service no longer reach it: a port, its outside address or its pods are gone',
    find: (change) => [...lostAccess(change), ...servicesWithoutPods(change)],
  },
  IN_USE_DELETED,
  {
    id: 'all-unavailable',
    nouns: ['rollout that stops every pod', 'rollouts that stop every pod'],
    text: 'a rollout may stop every pod at once',
    find: ({ before, after }) => without(stopsAll(before), stopsAll(after)),
  },
  {
    id: 'failing-webhook',
    nouns: ['webhook that blocks when it fails', 'webhooks that block when they fail'],
    text: 'requests fail while the webhook cannot be reached (failurePolicy Fail)',
    find: ({ before, after }) => {
      const [old, present] = [failingWebhooks(before), failingWebhooks(after)]
      return [...present].flatMap(([name, webhook]) => {
        const was = old.get(name)
        return was === undefined
          ? [`webhooks[${name}].failurePolicy`]
          : widerScope(was, webhook).map((field) => `webhooks[${name}].${field}`)
      })
    },
  },
  {
    id: 'no-disruption-allowed',
    nouns: ['disruption budget that allows none', 'disruption budgets that allow none'],
    text: 'the budget allows no disruption: nodes cannot be drained',
    find: closedBudgets,
  },
]

/** The types of a Service by how far it is reached. */
const REACH = ['ClusterIP', 'NodePort', 'LoadBalancer']

function lostAccess({ op, before, after }: JudgedChange): readonly string[] {
  if (op !== 'change' || ![before, after].every((each) => hasGroupKind(each, '', 'Service'))) return []
  const portsOf = (object: JsonRecord | undefined) =>
    recordsOf(valueAt(object, ['spec', 'ports'])).map(
      (port) => `${scalarText(lookup(port, 'port'))}/${scalarText(lookup(port, 'protocol')) || 'TCP'}`,
    )
  const reachOf = (object: JsonRecord | undefined) => REACH.indexOf(scalarText(valueAt(object, ['spec', 'type'])) || 'ClusterIP')
  const gone = without(portsOf(after), portsOf(before))
  return [...gone.map((port) => `spec.ports[${port}]`), ...(reachOf(after) < reachOf(before) ? ['spec.type'] : [])]
}

/** Returns the path of what took a Service all pods that it had: its selector, or the labels of a workload. */
function servicesWithoutPods(change: JudgedChange): readonly string[] {
  const { before, after } = change
  if (hasGroupKind(after, '', 'Service')) {
    const selector = selectorChange(change)
    return selector !== undefined && isEmptied(after, before, change) ? [selector.path] : []
  }
  if (before === undefined || podLabelsOf(before) === undefined) return []
  const labels = labelsChange(change)
  if (labels === undefined) return []
  const { before: old, after: present } = clusterOf(change)
  const formerOf = (service: JsonRecord) => old.find((each) => isSameObject(each, service))
  const emptied = present.some((service) => {
    const was = hasGroupKind(service, '', 'Service') ? formerOf(service) : undefined
    return was !== undefined && podsOf(was, [before]).length > 0 && isEmptied(service, was, change)
  })
  return emptied ? [labels.path] : []
}

/** Returns true for a change whose dangers depend on the other packages of the cluster. */
export function asksCluster(change: DangerousChange): boolean {
  const { before, after } = change
  if (losesNeeded(change)) return true
  if (hasGroupKind(after, '', 'Service')) return selectorChange(change) !== undefined
  if (hasGroupKind(after, 'rbac.authorization.k8s.io', 'ClusterRole'))
    return change.fields.some(({ path }) => path.startsWith('aggregationRule') || path.startsWith('metadata.labels'))
  return podLabelsOf(before) !== undefined && labelsChange(change) !== undefined
}

function selectorChange({ op, fields }: DangerousChange): Pick<ChangedField, 'path'> | undefined {
  return op === 'change' ? fields.find(({ path }) => path.startsWith('spec.selector')) : undefined
}

function labelsChange({ op, fields }: DangerousChange): Pick<ChangedField, 'path'> | undefined {
  return op === 'change' ? fields.find(({ path }) => LABELS.test(path)) : { path: '' }
}

const LABELS = /^(?:spec\.)?(?:jobTemplate\.spec\.)?(?:template\.)?metadata(?:\.labels|$)/

/** Returns true for a Service that selected pods of the cluster, and selects none after a change. */
function isEmptied(service: JsonRecord | undefined, was: JsonRecord | undefined, change: JudgedChange): boolean {
  if (!hasSelector(service)) return false
  const { before, after } = clusterOf(change)
  return podsOf(was, before).length > 0 && podsOf(service, after).length === 0
}

function hasSelector(service: JsonRecord | undefined): boolean {
  const selector = valueAt(service, ['spec', 'selector'])
  return isRecord(selector) && Object.keys(selector).length > 0
}

/** Returns the workloads of which a Service of the same namespace selects the pods. */
function podsOf(service: JsonRecord | undefined, objects: readonly JsonRecord[]): readonly JsonRecord[] {
  if (!hasSelector(service)) return []
  const selector = { matchLabels: valueAt(service, ['spec', 'selector']) ?? {} }
  return objects.filter((each) => {
    const labels = podLabelsOf(each)
    return labels !== undefined && namespaceOfRecord(each) === namespaceOfRecord(service) && matchesLabels(selector, labels)
  })
}

/** The field of a workload that says how it is updated. */
const STRATEGIES: ReadonlyMap<string, string> = new Map([
  ['apps Deployment', 'strategy'],
  ['apps DaemonSet', 'updateStrategy'],
  ['apps StatefulSet', 'updateStrategy'],
])

/** Returns the path by which a workload lets a rollout stop all of its pods. */
function stopsAll(object: JsonRecord | undefined): readonly string[] {
  const kind = groupKindOf(object)
  const strategy = STRATEGIES.get(kind)
  if (strategy === undefined) return []
  const most = valueAt(object, ['spec', strategy, 'rollingUpdate', 'maxUnavailable'])
  const replicas = kind === 'apps DaemonSet' ? undefined : replicasOf(object)
  // Of one replica, whatever may be unavailable is all.
  const isAll = percentOf(most) === 100 || (typeof most === 'number' && replicas !== undefined && replicas > 1 && most >= replicas)
  return isAll ? [`spec.${strategy}.rollingUpdate.maxUnavailable`] : []
}

function percentOf(value: JsonValue | undefined): number | undefined {
  const [, number] = /^(\d+)%$/.exec(scalarText(value)) ?? []
  return number === undefined ? undefined : Number(number)
}

function replicasOf(object: JsonRecord | undefined): number {
  const replicas = valueAt(object, ['spec', 'replicas'])
  return typeof replicas === 'number' ? replicas : 1
}

/** Returns the webhooks that block requests, by name. Fail is the default in v1; in v1beta1 it was Ignore. */
function failingWebhooks(object: JsonRecord | undefined): ReadonlyMap<string, JsonRecord> {
  if (!groupKindOf(object).startsWith('admissionregistration.k8s.io ')) return new Map()
  const ifUnset = scalarText(lookup(object ?? {}, 'apiVersion')).endsWith('/v1beta1') ? 'Ignore' : 'Fail'
  const failing = recordsOf(lookup(object ?? {}, 'webhooks')).filter(
    (each) => (scalarText(lookup(each, 'failurePolicy')) || ifUnset) === 'Fail',
  )
  return new Map(failing.map((webhook) => [scalarText(lookup(webhook, 'name')), webhook]))
}

/** Returns the paths by which a change leaves a disruption budget nothing to allow: of the budget itself, or of the workload's replicas. */
function closedBudgets({ before, after, objects }: JudgedChange): readonly string[] {
  if (hasGroupKind(after, 'policy', 'PodDisruptionBudget')) {
    const whole = objects?.()
    return without(closedBy(before, whole?.before ?? []), closedBy(after, whole?.after ?? []))
  }
  const isScaledDown = podLabelsOf(after) !== undefined && before !== undefined && replicasOf(before) > replicasOf(after)
  if (!isScaledDown || after === undefined) return []
  const budgets = (objects?.().after ?? []).filter(
    (each) => hasGroupKind(each, 'policy', 'PodDisruptionBudget') && namespaceOfRecord(each) === namespaceOfRecord(after),
  )
  const isClosed = budgets.some((budget) => closedBy(budget, [after]).length > 0 && closedBy(budget, [before]).length === 0)
  return isClosed ? ['spec.replicas'] : []
}

function closedBy(budget: JsonRecord | undefined, objects: readonly JsonRecord[]): readonly string[] {
  const spec = memberOf(budget, 'spec')
  if (budget === undefined || isForNoPod(budget)) return []
  const [least, most] = [memberOf(spec, 'minAvailable'), memberOf(spec, 'maxUnavailable')]
  if (['0', '0%'].includes(scalarText(most))) return ['spec.maxUnavailable']
  if (percentOf(least) === 100) return ['spec.minAvailable']
  const guarded = objects.filter((each) => {
    const labels = podLabelsOf(each)
    const hasReplicas = (WITH_REPLICAS.has(groupKindOf(each)) || isReplicated(each)) && !isScaled(each, objects)
    return (
      hasReplicas &&
      labels !== undefined &&
      namespaceOfRecord(each) === namespaceOfRecord(budget) &&
      matchesLabels(memberOf(spec, 'selector'), labels)
    )
  })
  const replicas = guarded.reduce((sum, each) => sum + replicasOf(each), 0)
  const percent = percentOf(least)
  const needed = percent === undefined ? least : Math.ceil((replicas * percent) / 100)
  return replicas > 0 && typeof needed === 'number' && needed >= replicas ? ['spec.minAvailable'] : []
}

/** Returns true for a budget whose selector matches no pod: none in any version, and in v1beta1, unlike v1, an empty one. */
function isForNoPod(budget: JsonRecord): boolean {
  const selector = valueAt(budget, ['spec', 'selector'])
  const isEmpty = !isNarrower(selector, undefined)
  return !isRecord(selector) || (isEmpty && scalarText(lookup(budget, 'apiVersion')) === 'policy/v1beta1')
}

const WITH_REPLICAS: ReadonlySet<string> = new Set(['apps Deployment', 'apps StatefulSet', 'apps ReplicaSet'])

/** Returns true for a workload of others that says how many pods it has, such as a Rollout. */
function isReplicated(object: JsonRecord): boolean {
  return podSpecOf(object) === undefined && typeof valueAt(object, ['spec', 'replicas']) === 'number'
}

/** Returns true for a workload whose replicas a HorizontalPodAutoscaler of the package gives. */
function isScaled(workload: JsonRecord, objects: readonly JsonRecord[]): boolean {
  return objects.some((each) => {
    const target = valueAt(each, ['spec', 'scaleTargetRef'])
    return (
      hasGroupKind(each, 'autoscaling', 'HorizontalPodAutoscaler') &&
      memberOf(target, 'kind') === lookup(workload, 'kind') &&
      scalarText(memberOf(target, 'name')) === nameOfRecord(workload)
    )
  })
}
