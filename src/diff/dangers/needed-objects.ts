import { type JsonRecord, type JsonValue, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { groupOf } from '../../resource-list/identity.ts'
import { valueAt } from '../field-changes.ts'
import { clusterOf, type DangerousChange, type DangerRule } from './danger-rule.ts'
import { containersOf, groupKindOf, nameOfRecord, namespaceOfRecord, podTemplatesOf } from './pod-spec.ts'

/** An object that goes, and that another one of the cluster names. */
export const IN_USE_DELETED: DangerRule = {
  id: 'in-use-deleted',
  nouns: ['object in use deleted', 'objects in use deleted'],
  text: 'the object is deleted, and another one of the cluster still needs it: it no longer works, or its pods do not start',
  find: (change) => {
    if (!losesNeeded(change)) return []
    const { before } = change
    const key = keyOf(before)
    const { after } = clusterOf(change)
    const isProvided = after.some((each) => keyOf(each) === key)
    return !isProvided && after.some((each) => needsOf(each).includes(key)) ? [''] : []
  },
}

/** Returns true for an object that goes, and without which others do not work. */
export function losesNeeded({ op, before }: DangerousChange): boolean {
  return (op === 'delete' || op === 'rename') && NEEDED.has(groupKindOf(before))
}

const NEEDED: ReadonlySet<string> = new Set([
  ' Secret',
  ' ConfigMap',
  ' ServiceAccount',
  ' Service',
  ' PodTemplate',
  'apps Deployment',
  'apps ReplicaSet',
  'apps StatefulSet',
  'argoproj.io Rollout',
  'rbac.authorization.k8s.io Role',
  'rbac.authorization.k8s.io ClusterRole',
  'scheduling.k8s.io PriorityClass',
  'node.k8s.io RuntimeClass',
  'resource.k8s.io ResourceClaim',
  'resource.k8s.io ResourceClaimTemplate',
])

/** A reference of an object: the kind that it means, the map that has it, and the field of the map, `name` if absent. */
type Reference = readonly [kind: string, map: JsonValue | undefined, field?: string]

/** The kinds without a namespace of their own among those that are needed. */
const OF_CLUSTER = /^(?:rbac\.authorization\.k8s\.io ClusterRole|scheduling\.k8s\.io|node\.k8s\.io)/

/** Returns the objects without which pods of a workload do not start, and those that an object of another kind names. */
function needsOf(object: JsonRecord): readonly string[] {
  const ofPods = podTemplatesOf(object).flatMap(({ value }) => referencesOfPod(value))
  const ofContainers = containersOf(object).flatMap(({ value }): readonly Reference[] => [
    ...recordsOf(lookup(value, 'envFrom')).flatMap((source): readonly Reference[] => [
      [' Secret', lookup(source, 'secretRef')],
      [' ConfigMap', lookup(source, 'configMapRef')],
    ]),
    ...recordsOf(lookup(value, 'env')).flatMap(({ valueFrom }): readonly Reference[] => [
      [' Secret', memberOf(valueFrom, 'secretKeyRef')],
      [' ConfigMap', memberOf(valueFrom, 'configMapKeyRef')],
    ]),
  ])
  return [...ofPods, ...ofContainers, ...(REFERENCES[groupKindOf(object)]?.(object) ?? [])].flatMap(([kind, map, field = 'name']) => {
    const name = scalarText(memberOf(map, field))
    const namespace = OF_CLUSTER.test(kind) ? '' : scalarText(memberOf(map, 'namespace')) || namespaceOfRecord(object)
    return name === '' || memberOf(map, 'optional') === true ? [] : [JSON.stringify([kind, namespace, name])]
  })
}

function servicesOfWebhooks(object: JsonRecord): readonly Reference[] {
  return recordsOf(lookup(object, 'webhooks')).map(
    (webhook): Reference => [' Service', memberOf(lookup(webhook, 'clientConfig'), 'service')],
  )
}

function servicesOfRoutes(object: JsonRecord): readonly Reference[] {
  const backends = recordsOf(valueAt(object, ['spec', 'rules'])).flatMap((rule) => recordsOf(lookup(rule, 'backendRefs')))
  return backends.flatMap((backend): readonly Reference[] =>
    (lookup(backend, 'kind') ?? 'Service') === 'Service' ? [[' Service', backend]] : [],
  )
}

function roleOfBinding(object: JsonRecord): readonly Reference[] {
  const role = lookup(object, 'roleRef')
  return [[`rbac.authorization.k8s.io ${scalarText(memberOf(role, 'kind'))}`, role]]
}

function workloadOf(target: JsonValue | undefined): readonly Reference[] {
  return [[`${groupOf(scalarText(memberOf(target, 'apiVersion')))} ${scalarText(memberOf(target, 'kind'))}`, target]]
}

/** The references of objects to others that they need, beside those of their pods. */
const REFERENCES: Readonly<Record<string, (object: JsonRecord) => readonly Reference[]>> = {
  'networking.k8s.io Ingress': (object) =>
    [
      valueAt(object, ['spec', 'defaultBackend']),
      ...recordsOf(valueAt(object, ['spec', 'rules'])).flatMap((rule) =>
        recordsOf(memberOf(lookup(rule, 'http'), 'paths')).map((path) => lookup(path, 'backend')),
      ),
    ].map((backend): Reference => [' Service', memberOf(backend, 'service')]),
  'gateway.networking.k8s.io HTTPRoute': servicesOfRoutes,
  'gateway.networking.k8s.io GRPCRoute': servicesOfRoutes,
  'admissionregistration.k8s.io ValidatingWebhookConfiguration': servicesOfWebhooks,
  'admissionregistration.k8s.io MutatingWebhookConfiguration': servicesOfWebhooks,
  'apiregistration.k8s.io APIService': (object) => [[' Service', valueAt(object, ['spec', 'service'])]],
  'apiextensions.k8s.io CustomResourceDefinition': (object) => [
    [' Service', valueAt(object, ['spec', 'conversion', 'webhook', 'clientConfig', 'service'])],
  ],
  'rbac.authorization.k8s.io RoleBinding': roleOfBinding,
  'rbac.authorization.k8s.io ClusterRoleBinding': roleOfBinding,
  'autoscaling HorizontalPodAutoscaler': (object) => workloadOf(valueAt(object, ['spec', 'scaleTargetRef'])),
  'argoproj.io Rollout': (object) => workloadOf(valueAt(object, ['spec', 'workloadRef'])),
}

function referencesOfPod(pod: JsonRecord): readonly Reference[] {
  return [
    ['scheduling.k8s.io PriorityClass', pod, 'priorityClassName'],
    ['node.k8s.io RuntimeClass', pod, 'runtimeClassName'],
    [' ServiceAccount', pod, lookup(pod, 'serviceAccountName') === undefined ? 'serviceAccount' : 'serviceAccountName'],
    ...recordsOf(lookup(pod, 'imagePullSecrets')).map((secret): Reference => [' Secret', secret]),
    ...recordsOf(lookup(pod, 'resourceClaims')).flatMap((claim): readonly Reference[] => [
      ['resource.k8s.io ResourceClaim', claim, 'resourceClaimName'],
      ['resource.k8s.io ResourceClaimTemplate', claim, 'resourceClaimTemplateName'],
    ]),
    ...recordsOf(lookup(pod, 'volumes')).flatMap((volume): readonly Reference[] => [
      [' Secret', lookup(volume, 'secret'), 'secretName'],
      ...[volume, ...recordsOf(memberOf(lookup(volume, 'projected'), 'sources'))].flatMap((source): readonly Reference[] => [
        [' Secret', lookup(source, 'secret')],
        [' ConfigMap', lookup(source, 'configMap')],
      ]),
    ]),
  ]
}

function keyOf(object: JsonRecord | undefined): string {
  return JSON.stringify([groupKindOf(object), namespaceOfRecord(object), nameOfRecord(object)])
}
