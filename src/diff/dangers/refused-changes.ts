import { equalJson, isRecord, type JsonRecord, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { valueAt } from '../field-changes.ts'
import type { ChangedField } from '../report.ts'
import { CLAIM_SOURCES, changesSource } from './claim-sources.ts'
import { type DangerRule, immutable, isFieldOrBelow, type JudgedChange, pathsBelow } from './danger-rule.ts'
import { LIMIT_BELOW_REQUEST } from './low-limits.ts'
import { groupKindOf, hasGroupKind, podLabelsOf, podSpecOf } from './pod-spec.ts'
import { compareQuantities } from './quantity.ts'
import { matchesLabels } from './selectors.ts'
import { minorOf } from './served-versions.ts'

const DEFINITION = 'apiextensions.k8s.io CustomResourceDefinition'
const FIXED_IN_DEFINITION: ReadonlySet<string> = new Set(['spec.scope', 'spec.names.kind', 'spec.names.plural', 'spec.group'])

/** The fixed fields of kinds without a rule of their own (the Validate…Update functions of pkg/apis). */
const FIXED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['networking.k8s.io IngressClass', ['spec.controller']],
  ['node.k8s.io RuntimeClass', ['handler']],
  ['discovery.k8s.io EndpointSlice', ['addressType']],
  ['storage.k8s.io VolumeAttributesClass', ['driverName', 'parameters']],
  ['storage.k8s.io CSIDriver', ['spec.attachRequired', 'spec.volumeLifecycleModes']],
  [' ResourceQuota', ['spec.scopes']],
  ['resource.k8s.io ResourceClaim', ['spec']],
  ['resource.k8s.io ResourceClaimTemplate', ['spec']],
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
  immutable('immutable-job', 'field of a Job', ['batch Job'], isFixedInJob),
  {
    id: 'immutable-cluster-ip',
    nouns: ['clusterIP or IP family changed', 'clusterIPs or IP families changed'],
    text: 'the clusterIP and the first IP family of a Service must not change: the API server refuses the object',
    find: ({ op, before, after, stored }) => {
      if (op !== 'change' || !hasGroupKind(after, '', 'Service')) return []
      // A Service of type ExternalName has none: what it has before or after such a change is given anew.
      if ([before, after].some((each) => valueAt(each, ['spec', 'type']) === 'ExternalName')) return []
      const [was, is] = [before, after].map((each) => valueAt(each, ['spec', 'ipFamilies', 0]))
      return [
        ...(scalarText(valueAt(after, ['spec', 'clusterIP'])) === '' ? [] : pathsBelow(stored, 'spec.clusterIP')),
        ...(was !== undefined && is !== undefined && was !== is ? ['spec.ipFamilies'] : []),
      ]
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
  immutable('immutable-volume', 'source of a volume', [' PersistentVolume'], (field) => isAt('spec')(field) && !isMutableInVolume(field)),
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
    ...immutable('immutable-definition', 'scope, kind, group or stored version of a definition', [DEFINITION], (field) =>
      FIXED_IN_DEFINITION.has(field.path),
    ),
    find: ({ op, before, after, stored }) =>
      op === 'change' && groupKindOf(after) === DEFINITION
        ? [...stored.flatMap(({ path }) => (FIXED_IN_DEFINITION.has(path) ? [path] : [])), ...storedVersionsGone(before, after)]
        : [],
  },
  immutable('immutable-priority', 'value of a PriorityClass', ['scheduling.k8s.io PriorityClass'], isAt('value', 'preemptionPolicy')),
  immutable('immutable-field', 'field', [...FIXED_FIELDS.keys()], (field, { after }) =>
    (FIXED_FIELDS.get(groupKindOf(after)) ?? []).some((fixed) => touches(field, fixed)),
  ),
  immutable(
    'immutable-pod',
    'field of a Pod',
    [' Pod'],
    (field, { before, after }) => isAt('spec')(field) && !isMutableInPod(field, before, after),
  ),
  {
    id: 'selector-misses-pods',
    nouns: ['workload whose selector misses its pods', 'workloads whose selector misses their pods'],
    text: 'the selector does not match the labels of the template: the API server refuses the object',
    find: ({ before, after }) => (missesTemplate(after) && !missesTemplate(before) ? ['spec.template.metadata.labels'] : []),
  },
  LIMIT_BELOW_REQUEST,
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

/** Returns true for a change of a field, of a part of it, or of a map above it. */
function touches({ path, before, after }: ChangedField, fixed: string): boolean {
  if (isFieldOrBelow(path, fixed)) return true
  const rest = fixed.startsWith(`${path}.`) ? fixed.slice(path.length + 1).split('.') : undefined
  return rest !== undefined && !equalJson(valueAt(before, rest), valueAt(after, rest))
}

/** Fields of PersistentVolumes beside the source (core ValidatePersistentVolumeUpdate). */
const isBesideSource = isAt(
  'spec.capacity',
  'spec.accessModes',
  'spec.claimRef',
  'spec.persistentVolumeReclaimPolicy',
  'spec.storageClassName',
  'spec.mountOptions',
)

/**
 * Returns true for a field of a PersistentVolume that may change. Its affinity and a secret may be set once, its attributes not removed.
 */
function isMutableInVolume(field: ChangedField): boolean {
  const { path, before, after } = field
  if (path === 'spec.nodeAffinity' || path === 'spec.csi.controllerExpandSecretRef') return before === undefined
  return isBesideSource(field) || (path === 'spec.volumeAttributesClassName' && after !== undefined)
}

const NODE_AFFINITY = /^spec\.affinity(?:\.nodeAffinity(?:\.requiredDuringSchedulingIgnoredDuringExecution|\.preferred.*)?)?$/

/** Returns true for a field of a Pod that may change (core ValidatePodUpdate). */
function isMutableInPod(field: ChangedField, before: JsonRecord | undefined, after: JsonRecord | undefined): boolean {
  const { path } = field
  if (/^spec\.(?:init)?[cC]ontainers\[[^\]]*\]\.image$/.test(path) || isKeptAccount(field, before)) return true
  // A deadline may come and become shorter, but not go.
  if (path === 'spec.activeDeadlineSeconds') return field.after !== undefined && Number(field.before ?? Infinity) >= Number(field.after)
  const [was, is] = [before, after].map((pod) => lookup(pod ?? {}, 'spec'))
  const lists = (name: string) => [was, is].map((spec) => recordsOf(memberOf(spec, name)))
  if (isFieldOrBelow(path, 'spec.tolerations')) {
    const [old = [], present = []] = lists('tolerations').map((list) => list.map(({ tolerationSeconds: _, ...rest }) => rest))
    return old.every((entry) => present.some((each) => equalJson(each, entry)))
  }
  const [gates = [], open = []] = lists('schedulingGates')
  if (isFieldOrBelow(path, 'spec.schedulingGates')) return open.every((entry) => gates.some((each) => equalJson(each, entry)))
  // A Pod that waits for its gates may be bound to fewer nodes.
  const isNarrowed = isFieldOrBelow(path, 'spec.nodeSelector') || NODE_AFFINITY.test(path)
  return gates.length > 0 && isNarrowed && field.before === undefined && (path !== 'spec.affinity' || isOfNodes(field.after))
}

/** Returns true for an account that is no longer named, and which the server keeps under the name `serviceAccount`. */
function isKeptAccount({ path, after }: ChangedField, before: JsonRecord | undefined): boolean {
  const pod = podSpecOf(before)
  return (
    after === undefined && /\.serviceAccount(?:Name)?$/.test(path) && pod !== undefined && lookup(pod.value, 'serviceAccount') === undefined
  )
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

/** The fields that decide where the pods of a Job run. */
const isScheduling = isAt(
  'spec.template.metadata.labels',
  'spec.template.metadata.annotations',
  'spec.template.metadata',
  'spec.template.spec.nodeSelector',
  'spec.template.spec.affinity.nodeAffinity',
  'spec.template.spec.tolerations',
  'spec.template.spec.schedulingGates',
)
const IN_RESOURCES = /^spec\.template\.spec\.(?:initC|c)ontainers\[[^\]]*\]\.resources\b/

/**
 * Returns true for a field of a Job that may change while the Job is suspended and was not started: what decides where its pods run, and
 * since 1.36 what their containers take (batch validatePodTemplateUpdate).
 */
function isFreeInSuspended(field: ChangedField, kubernetesVersion: string | undefined): boolean {
  if (IN_RESOURCES.test(field.path)) return (minorOf(kubernetesVersion) ?? 36) >= 36
  return isScheduling(field) || isNodeAffinity(field)
}

/**
 * Returns true for a field of a Job that must not change (batch ValidateJobSpecUpdate). The completions of an Indexed Job may change
 * together with its parallelism, to the same number.
 */
function isFixedInJob(field: ChangedField, { before, after, kubernetesVersion }: JudgedChange): boolean {
  const isSuspended = valueAt(before, ['spec', 'suspend']) === true
  if (isKeptAccount(field, before) || (isSuspended && isFreeInSuspended(field, kubernetesVersion))) return false
  if (isInJob(field)) return true
  if (field.path !== 'spec.completions') return false
  const spec = lookup(after ?? {}, 'spec')
  const parallelism = memberOf(spec, 'parallelism')
  if (memberOf(spec, 'completionMode') === 'Indexed') return !equalJson(field.after, parallelism)
  // Without both numbers, the API server makes each of them 1.
  return parallelism !== undefined || !equalJson(field.before ?? 1, field.after ?? 1)
}

/** Returns true for an affinity that is only one of nodes, and comes or goes as a whole. */
function isNodeAffinity({ path, before, after }: ChangedField): boolean {
  return path === 'spec.template.spec.affinity' && isOfNodes(before ?? after)
}

/** Returns true for an affinity to nodes alone, not to pods. */
function isOfNodes(affinity: ChangedField['after']): boolean {
  return isRecord(affinity) && Object.keys(affinity).every((key) => key === 'nodeAffinity')
}

/** The annotation that named the class of a claim before claims had a field for it. */
const CLASS = 'volume.beta.kubernetes.io/storage-class'

/** Returns true for a field of a claim that must not change (core ValidatePersistentVolumeClaimUpdate). */
function isFixedInClaim(field: ChangedField, change: JudgedChange): boolean {
  const { path, before, after } = field
  if (isFieldOrBelow(path, 'metadata')) {
    const [was, is] = [change.before, change.after].map((claim) => valueAt(claim, ['metadata', 'annotations', CLASS]))
    return was !== is && (isFieldOrBelow('metadata.annotations', path) || path.includes(CLASS))
  }
  if (!isAt('spec')(field) || isAt('spec.volumeAttributesClassName')(field)) return false
  // A claim gets its volume and its class once, from a controller or from its file.
  if (path === 'spec.volumeName' || path === 'spec.storageClassName') return before !== undefined
  const source = CLAIM_SOURCES.find((name) => isFieldOrBelow(path, `spec.${name}`))
  if (source !== undefined) return changesSource(source, change)
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
