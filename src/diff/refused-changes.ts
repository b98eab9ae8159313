import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import { type DangerRule, immutable, isFieldOrBelow, listedTexts, pathsBelow, recordsOf } from './danger-rule.ts'
import { valueAt } from './field-changes.ts'
import { containersOf, groupKindOf, hasGroupKind, podLabelsOf } from './pod-spec.ts'
import { compareQuantities } from './quantity.ts'
import type { ChangedField } from './report.ts'

const DEFINITION = 'apiextensions.k8s.io CustomResourceDefinition'
const FIXED_IN_DEFINITION: ReadonlySet<string> = new Set(['spec.scope', 'spec.names.kind', 'spec.names.plural', 'spec.group'])

/** The fixed fields of kinds without a rule of their own (the Validate…Update functions of pkg/apis). */
const FIXED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['networking.k8s.io IngressClass', ['spec.controller']],
  ['node.k8s.io RuntimeClass', ['handler']],
  ['discovery.k8s.io EndpointSlice', ['addressType']],
  ['storage.k8s.io VolumeAttributesClass', ['driverName', 'parameters']],
  ['storage.k8s.io CSIDriver', ['spec.attachRequired', 'spec.volumeLifecycleModes']],
  [' ResourceQuota', ['spec.scopes', 'spec.scopeSelector']],
])

const isAt =
  (...fields: readonly string[]) =>
  ({ path }: ChangedField): boolean =>
    fields.some((field) => isFieldOrBelow(path, field))

/** Changes that the API server refuses, by its own validation. A field that one state leaves to the server's default does not change. */
export const REFUSED_CHANGES: readonly DangerRule[] = [
  immutable('immutable-selector', 'selector', ['apps Deployment', 'apps DaemonSet', 'apps ReplicaSet'], isAt('spec.selector')),
  immutable(
    'immutable-stateful-set',
    'field of a StatefulSet',
    ['apps StatefulSet'],
    (field) => isAt('spec')(field) && !isMutableInStatefulSet(field),
  ),
  immutable('immutable-job', 'field of a Job', ['batch Job'], (field, { before, after }) => isFixedInJob(field, before, after)),
  {
    id: 'immutable-cluster-ip',
    nouns: ['clusterIP changed', 'clusterIPs changed'],
    text: 'the clusterIP of a Service must not change: the API server refuses the object',
    find: ({ op, before, after, stored }) => {
      if (op !== 'change' || !hasGroupKind(after, '', 'Service') || scalarText(valueAt(after, ['spec', 'clusterIP'])) === '') return []
      // A Service of type ExternalName has none: what it has before or after such a change is given anew.
      return [before, after].some((each) => valueAt(each, ['spec', 'type']) === 'ExternalName') ? [] : pathsBelow(stored, 'spec.clusterIP')
    },
  },
  {
    id: 'immutable-load-balancer-class',
    nouns: ['loadBalancerClass changed', 'loadBalancerClasses changed'],
    text: 'the loadBalancerClass of a Service must not change: the API server refuses the object',
    find: ({ op, before, after, stored }) =>
      op === 'change' &&
      [before, after].every((each) => hasGroupKind(each, '', 'Service') && valueAt(each, ['spec', 'type']) === 'LoadBalancer')
        ? pathsBelow(stored, 'spec.loadBalancerClass')
        : [],
  },
  {
    ...immutable('immutable-volume-claim', '', [' PersistentVolumeClaim'], isFixedInClaim),
    nouns: ['fixed field of a volume claim changed', 'fixed fields of volume claims changed'],
    text: 'the field of a volume claim must not change, but for a larger request: the API server refuses the object',
  },
  immutable(
    'immutable-volume',
    'source of a volume',
    [' PersistentVolume'],
    (field) => isAt('spec')(field) && !isMutableInVolume(field) && !isFirstAffinity(field),
  ),
  {
    id: 'immutable-data',
    nouns: ['immutable ConfigMap or Secret changed', 'immutable ConfigMaps or Secrets changed'],
    text: 'the object is immutable: the API server refuses the change',
    find: ({ op, before, after, stored }) =>
      op === 'change' &&
      (hasGroupKind(after, '', 'ConfigMap') || hasGroupKind(after, '', 'Secret')) &&
      lookup(before ?? {}, 'immutable') === true
        ? ['data', 'binaryData', 'stringData', 'immutable'].flatMap((field) => pathsBelow(stored, field))
        : [],
  },
  immutable('immutable-secret-type', 'type of a Secret', [' Secret'], isAt('type')),
  immutable(
    'immutable-role-ref',
    'roleRef',
    ['rbac.authorization.k8s.io RoleBinding', 'rbac.authorization.k8s.io ClusterRoleBinding'],
    isAt('roleRef'),
  ),
  immutable(
    'immutable-storage-class',
    'field of a StorageClass',
    ['storage.k8s.io StorageClass'],
    isAt('parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'),
  ),
  {
    ...immutable('immutable-definition', 'scope, kind or group of a definition', [DEFINITION], (field) =>
      FIXED_IN_DEFINITION.has(field.path),
    ),
    find: ({ op, before, after, stored }) =>
      op === 'change' && groupKindOf(after) === DEFINITION
        ? [...stored.flatMap(({ path }) => (FIXED_IN_DEFINITION.has(path) ? [path] : [])), ...storedVersionsGone(before, after)]
        : [],
  },
  immutable('immutable-priority', 'value of a PriorityClass', ['scheduling.k8s.io PriorityClass'], isAt('value', 'preemptionPolicy')),
  {
    ...immutable('immutable-field', 'field', [...FIXED_FIELDS.keys()], ({ path }, { after }) =>
      (FIXED_FIELDS.get(groupKindOf(after)) ?? []).some((field) => isFieldOrBelow(path, field)),
    ),
  },
  immutable('immutable-pod', 'field of a Pod', [' Pod'], (field) => isAt('spec')(field) && !isMutableInPod(field)),
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

/** Fields of StatefulSets that may change (apps/v1 ValidateStatefulSetUpdate). */
const isMutableInStatefulSet = isAt(
  'spec.replicas',
  'spec.ordinals',
  'spec.template',
  'spec.updateStrategy',
  'spec.revisionHistoryLimit',
  'spec.persistentVolumeClaimRetentionPolicy',
  'spec.minReadySeconds',
)

/** Fields of PersistentVolumes beside the source, which may change (core ValidatePersistentVolumeUpdate). */
const isMutableInVolume = isAt(
  'spec.capacity',
  'spec.accessModes',
  'spec.claimRef',
  'spec.persistentVolumeReclaimPolicy',
  'spec.storageClassName',
  'spec.mountOptions',
  'spec.volumeAttributesClassName',
)

/** Returns true for the node affinity that a volume gets at last: it may be set once. */
function isFirstAffinity({ path, before }: ChangedField): boolean {
  return path === 'spec.nodeAffinity' && before === undefined
}

/** Returns true for a field of a Pod that may change (core ValidatePodUpdate). */
function isMutableInPod({ path, before, after }: ChangedField): boolean {
  if (/^spec\.(?:init)?[cC]ontainers\[[^\]]*\]\.image$/.test(path) || path === 'spec.activeDeadlineSeconds') return true
  // Tolerations may be added.
  return isFieldOrBelow(path, 'spec.tolerations') && (before === undefined || hasAll(before, after))
}

function hasAll(before: JsonValue, after: JsonValue | undefined): boolean {
  return Array.isArray(before) && Array.isArray(after) && before.every((entry) => after.some((each) => equalJson(each, entry)))
}

const isInJob = isAt(
  'spec.template',
  'spec.selector',
  'spec.manualSelector',
  'spec.completionMode',
  'spec.podFailurePolicy',
  'spec.backoffLimitPerIndex',
  'spec.managedBy',
  'spec.successPolicy',
)

/** What decides where the pods of a Job run, which may change while the Job is suspended and was not started (batch validatePodTemplateUpdate). */
const isScheduling = isAt(
  'spec.template.metadata.labels',
  'spec.template.metadata.annotations',
  'spec.template.metadata',
  'spec.template.spec.nodeSelector',
  'spec.template.spec.affinity.nodeAffinity',
  'spec.template.spec.tolerations',
  'spec.template.spec.schedulingGates',
)

/**
 * Returns true for a field of a Job that must not change (batch ValidateJobSpecUpdate). The completions of an Indexed Job may change
 * together with its parallelism, to the same number.
 */
function isFixedInJob(field: ChangedField, before: JsonRecord | undefined, job: JsonRecord | undefined): boolean {
  if (valueAt(before, ['spec', 'suspend']) === true && (isScheduling(field) || isNodeAffinity(field))) return false
  if (isInJob(field)) return true
  if (field.path !== 'spec.completions') return false
  const spec = lookup(job ?? {}, 'spec')
  const parallelism = memberOf(spec, 'parallelism')
  if (memberOf(spec, 'completionMode') === 'Indexed') return !equalJson(field.after, parallelism)
  // Without both numbers, the API server makes each of them 1.
  return parallelism !== undefined || !equalJson(field.before ?? 1, field.after ?? 1)
}

/** Returns true for an affinity that is only one of nodes, and comes or goes as a whole. */
function isNodeAffinity({ path, before, after }: ChangedField): boolean {
  const affinity = before ?? after
  return path === 'spec.template.spec.affinity' && isRecord(affinity) && Object.keys(affinity).every((key) => key === 'nodeAffinity')
}

function isFixedInClaim(field: ChangedField): boolean {
  const { path, before, after } = field
  if (!isAt('spec')(field) || isAt('spec.volumeAttributesClassName')(field)) return false
  // A claim gets its volume once, from the API server or from its file.
  if (path === 'spec.volumeName') return before !== undefined
  if (path === 'spec.resources.requests.storage') return compareQuantities(scalarText(before), scalarText(after)) > 0
  return true
}

/** Returns the versions in which objects may be stored, and which a definition no longer has: `status.storedVersions` names them. */
function storedVersionsGone(before: JsonRecord | undefined, after: JsonRecord | undefined): readonly string[] {
  const [was, is] = [before, after].map((each) => recordsOf(valueAt(each, ['spec', 'versions'])))
  const now = new Set(is?.map(({ name }) => scalarText(name)))
  return (was ?? []).flatMap(({ name, storage }) =>
    storage === true && !now.has(scalarText(name)) ? [`spec.versions[${scalarText(name)}]`] : [],
  )
}

const WITH_SELECTOR: ReadonlySet<string> = new Set(['apps Deployment', 'apps DaemonSet', 'apps ReplicaSet', 'apps StatefulSet'])

/** Returns true for a workload whose template does not have what its selector asks for (apps ValidateDeployment and the like). */
function missesTemplate(object: JsonRecord | undefined): boolean {
  if (!WITH_SELECTOR.has(groupKindOf(object))) return false
  const labels = podLabelsOf(object) ?? new Map<string, string>()
  return !matchesLabels(valueAt(object, ['spec', 'selector']), labels)
}

/** Returns true if labels fulfil a label selector as a file has it. */
export function matchesLabels(selector: JsonValue | undefined, labels: ReadonlyMap<string, string>): boolean {
  const wanted = memberOf(selector, 'matchLabels')
  const isEqual = !isRecord(wanted) || Object.entries(wanted).every(([key, value]) => labels.get(key) === scalarText(value))
  return isEqual && recordsOf(memberOf(selector, 'matchExpressions')).every((each) => fulfils(each, labels))
}

function fulfils(requirement: JsonRecord, labels: ReadonlyMap<string, string>): boolean {
  const [key, operator] = ['key', 'operator'].map((field) => scalarText(lookup(requirement, field)))
  const value = labels.get(key ?? '')
  const values = listedTexts(lookup(requirement, 'values'))
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  return operator === 'NotIn' ? value === undefined || !values.includes(value) : value !== undefined && values.includes(value)
}

/** Resources of which a container may have less than its limit; of all others, such as GPUs, the request must be the limit. */
const OVERCOMMITTED = /^(?:cpu|memory|ephemeral-storage|storage)$/

/** Returns the paths of limits that do not fit their requests (core ValidateContainerResourceRequirements). */
function lowLimits(object: JsonRecord | undefined): readonly string[] {
  return containersOf(object).flatMap(({ path, value }) => {
    const [limits, requests] = ['limits', 'requests'].map((list) => memberOf(lookup(value, 'resources'), list))
    if (!isRecord(limits)) return []
    const isWrong = (limit: JsonValue, name: string): boolean => {
      const request = memberOf(requests, name)
      if (request === undefined) return false
      const order = compareQuantities(scalarText(limit), scalarText(request))
      return OVERCOMMITTED.test(name) ? order < 0 : order !== 0
    }
    return Object.entries(limits).flatMap(([name, limit]) => (isWrong(limit, name) ? [`${path}.resources.limits.${name}`] : []))
  })
}
