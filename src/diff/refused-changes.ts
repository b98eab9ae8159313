import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import { type DangerousChange, type DangerRule, groupKindOf, hasGroupKind, immutable, isDefaulted, isFieldOrBelow } from './danger-rule.ts'
import { valueAt } from './field-changes.ts'
import { containersOf } from './pod-spec.ts'
import { compareQuantities } from './quantity.ts'
import type { ChangedField } from './report.ts'

/** Changes that the API server refuses, by its own validation. A field that one state leaves to the server's default does not change. */
export const REFUSED_CHANGES: readonly DangerRule[] = [
  immutable('immutable-selector', 'selector', ['apps Deployment', 'apps DaemonSet', 'apps ReplicaSet'], (path) =>
    isFieldOrBelow(path, 'spec.selector'),
  ),
  immutable(
    'immutable-stateful-set',
    'field of a StatefulSet',
    ['apps StatefulSet'],
    (path) => isFieldOrBelow(path, 'spec') && !MUTABLE_OF_STATEFUL_SET.some((field) => isFieldOrBelow(path, field)),
  ),
  {
    ...immutable('immutable-job', 'field of a Job', ['batch Job'], () => true),
    find: ({ op, after, fields }) =>
      op === 'change' && hasGroupKind(after, 'batch', 'Job')
        ? fields.flatMap((field) => (isFixedInJob(field, after) && !isDefaulted('batch Job', field) ? [field.path] : []))
        : [],
  },
  {
    id: 'immutable-cluster-ip',
    nouns: ['clusterIP changed', 'clusterIPs changed'],
    text: 'the clusterIP of a Service must not change: the API server refuses the object',
    find: ({ before, after, fields }) =>
      hasGroupKind(after, '', 'Service') && before !== undefined && scalarText(valueAt(after, ['spec', 'clusterIP'])) !== ''
        ? fields.flatMap(({ path }) => (isFieldOrBelow(path, 'spec.clusterIP') ? [path] : []))
        : [],
  },
  {
    id: 'immutable-load-balancer-class',
    nouns: ['loadBalancerClass changed', 'loadBalancerClasses changed'],
    text: 'the loadBalancerClass of a Service must not change: the API server refuses the object',
    find: ({ op, before, after, fields }) =>
      op === 'change' &&
      [before, after].every((each) => hasGroupKind(each, '', 'Service') && memberOf(lookup(each ?? {}, 'spec'), 'type') === 'LoadBalancer')
        ? pathsBelow(fields, 'spec.loadBalancerClass')
        : [],
  },
  {
    id: 'immutable-volume-claim',
    nouns: ['fixed field of a volume claim changed', 'fixed fields of volume claims changed'],
    text: 'the field of a volume claim must not change, but for a larger request: the API server refuses the object',
    find: ({ before, after, fields }) =>
      hasGroupKind(after, '', 'PersistentVolumeClaim') && before !== undefined
        ? fields.flatMap((field) => (isFixedInClaim(field) && !isDefaulted(' PersistentVolumeClaim', field) ? [field.path] : []))
        : [],
  },
  immutable(
    'immutable-volume',
    'source of a volume',
    [' PersistentVolume'],
    (path) => isFieldOrBelow(path, 'spec') && !MUTABLE_OF_VOLUME.some((field) => isFieldOrBelow(path, field)),
  ),
  {
    id: 'immutable-data',
    nouns: ['immutable ConfigMap or Secret changed', 'immutable ConfigMaps or Secrets changed'],
    text: 'the object is immutable: the API server refuses the change',
    find: ({ before, after, fields }) =>
      (hasGroupKind(after, '', 'ConfigMap') || hasGroupKind(after, '', 'Secret')) && lookup(before ?? {}, 'immutable') === true
        ? ['data', 'binaryData', 'stringData', 'immutable'].flatMap((field) => pathsBelow(fields, field))
        : [],
  },
  immutable('immutable-secret-type', 'type of a Secret', [' Secret'], (path) => path === 'type'),
  immutable(
    'immutable-role-ref',
    'roleRef',
    ['rbac.authorization.k8s.io RoleBinding', 'rbac.authorization.k8s.io ClusterRoleBinding'],
    (path) => isFieldOrBelow(path, 'roleRef'),
  ),
  immutable('immutable-storage-class', 'field of a StorageClass', ['storage.k8s.io StorageClass'], (path) =>
    ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].some((field) => isFieldOrBelow(path, field)),
  ),
  immutable('immutable-definition', 'scope, kind or group of a definition', ['apiextensions.k8s.io CustomResourceDefinition'], (path) =>
    ['spec.scope', 'spec.names.kind', 'spec.names.plural', 'spec.group'].includes(path),
  ),
  immutable('immutable-priority', 'value of a PriorityClass', ['scheduling.k8s.io PriorityClass'], (path) =>
    ['value', 'preemptionPolicy'].includes(path),
  ),
  {
    id: 'selector-misses-pods',
    nouns: ['workload whose selector misses its pods', 'workloads whose selector misses their pods'],
    text: 'the selector does not match the labels of the template: the API server refuses the object',
    find: ({ before, after }) => (missesTemplate(after) && !missesTemplate(before) ? ['spec.template.metadata.labels'] : []),
  },
  {
    id: 'limit-below-request',
    nouns: ['limit below its request', 'limits below their requests'],
    text: 'the limit of a container is below its request: the API server refuses the object',
    find: ({ before, after }) => {
      const old = lowLimits(before)
      return lowLimits(after).filter((path) => !old.includes(path))
    },
  },
]

function pathsBelow(fields: DangerousChange['fields'], field: string): readonly string[] {
  return fields.flatMap(({ path }) => (isFieldOrBelow(path, field) ? [path] : []))
}

/** Fields of StatefulSets that may change (apps/v1 ValidateStatefulSetUpdate). */
const MUTABLE_OF_STATEFUL_SET = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
].map((field) => `spec.${field}`)

/** Fields of PersistentVolumes beside the source, which may change (core ValidatePersistentVolumeUpdate). */
const MUTABLE_OF_VOLUME = [
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'nodeAffinity',
  'volumeAttributesClassName',
].map((field) => `spec.${field}`)

const FIXED_IN_JOB = [
  'spec.template',
  'spec.selector',
  'spec.completionMode',
  'spec.podFailurePolicy',
  'spec.backoffLimitPerIndex',
  'spec.managedBy',
  'spec.successPolicy',
]

/**
 * Returns true for a field of a Job that must not change (batch ValidateJobSpecUpdate). The completions of an Indexed Job may change
 * together with its parallelism, to the same number.
 */
function isFixedInJob({ path, before, after }: ChangedField, job: JsonRecord | undefined): boolean {
  if (FIXED_IN_JOB.some((field) => isFieldOrBelow(path, field))) return true
  if (path !== 'spec.completions') return false
  const spec = lookup(job ?? {}, 'spec')
  const parallelism = memberOf(spec, 'parallelism')
  if (memberOf(spec, 'completionMode') === 'Indexed') return !equalJson(after, parallelism)
  // Without both numbers, the API server makes each of them 1.
  return parallelism !== undefined || !equalJson(before ?? 1, after ?? 1)
}

function isFixedInClaim({ path, before, after }: ChangedField): boolean {
  if (!isFieldOrBelow(path, 'spec') || isFieldOrBelow(path, 'spec.volumeAttributesClassName')) return false
  if (path === 'spec.resources.requests.storage') return compareQuantities(scalarText(before), scalarText(after)) > 0
  return !isFieldOrBelow(path, 'spec.resources.limits')
}

const WITH_SELECTOR: ReadonlySet<string> = new Set(['apps Deployment', 'apps DaemonSet', 'apps ReplicaSet', 'apps StatefulSet'])

/** Returns true for a workload whose template lacks a label of its selector (apps ValidateDeployment and the like). */
function missesTemplate(object: JsonRecord | undefined): boolean {
  if (!WITH_SELECTOR.has(groupKindOf(object))) return false
  const labels = valueAt(object, ['spec', 'template', 'metadata', 'labels'])
  const wanted = valueAt(object, ['spec', 'selector', 'matchLabels'])
  return isRecord(wanted) && Object.entries(wanted).some(([key, value]) => !equalJson(memberOf(labels, key), value))
}

/** Returns the paths of limits that are below their requests (core ValidateContainerResourceRequirements). */
function lowLimits(object: JsonRecord | undefined): readonly string[] {
  return containersOf(object).flatMap(({ path, value }) => {
    const [limits, requests] = ['limits', 'requests'].map((list) => memberOf(lookup(value, 'resources'), list))
    if (!isRecord(limits)) return []
    const isLow = (limit: JsonValue, name: string): boolean => {
      const request = memberOf(requests, name)
      return request !== undefined && compareQuantities(scalarText(limit), scalarText(request)) < 0
    }
    return Object.entries(limits).flatMap(([name, limit]) => (isLow(limit, name) ? [`${path}.resources.limits.${name}`] : []))
  })
}
