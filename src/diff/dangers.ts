import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import { valueAt } from './field-changes.ts'
import { containersOf, type PodContainer, podSpecOf } from './pod-spec.ts'
import { compareQuantities } from './quantity.ts'
import type { ChangedField, Danger, ObjectOperation } from './report.ts'
import { widenedAccess } from './widened-access.ts'

/** A change of an object that may be dangerous. A renamed object is deleted under its earlier name. */
export interface DangerousChange {
  readonly op: ObjectOperation
  readonly before?: JsonRecord
  readonly after?: JsonRecord
  readonly fields: readonly ChangedField[]
}

type Nouns = readonly [one: string, many: string]

/** A row of docs/dangers.md. */
interface DangerRule {
  readonly id: string
  /** The phrases of a summary for one and for many: `volume claim deleted`, `volume claims deleted`. */
  readonly nouns: Nouns
  readonly text: string
  /** Returns the paths of the dangerous fields; '' for the object as a whole. */
  readonly find: (change: DangerousChange) => readonly string[]
}

/** The rule of a change of many clusters at once, which is about a set and not about an object. */
export const WIDE_CHANGE = 'wide-change'

/** Every danger, the worst first. docs/dangers.md names the source of each. */
export const DANGER_RULES: readonly DangerRule[] = [
  deleted(
    'namespace-deleted',
    '',
    'Namespace',
    ['namespace deleted', 'namespaces deleted'],
    'the namespace is deleted, and with it everything in it',
  ),
  deleted(
    'volume-claim-deleted',
    '',
    'PersistentVolumeClaim',
    ['volume claim deleted', 'volume claims deleted'],
    'the volume claim is deleted, and with it usually its data',
  ),
  deleted(
    'volume-deleted',
    '',
    'PersistentVolume',
    ['volume deleted', 'volumes deleted'],
    'the volume is deleted, and with it possibly its data',
  ),
  deleted(
    'definition-deleted',
    'apiextensions.k8s.io',
    'CustomResourceDefinition',
    ['custom resource definition deleted', 'custom resource definitions deleted'],
    'the definition is deleted, and with it every object of its kind',
  ),
  {
    id: 'version-not-served',
    nouns: ['version no longer served', 'versions no longer served'],
    text: 'a version is no longer served: objects and programs that use the version fail',
    find: ({ before, after }) => (isKind(after, 'apiextensions.k8s.io', 'CustomResourceDefinition') ? versionsGone(before, after) : []),
  },
  deleted(
    'stateful-set-deleted',
    'apps',
    'StatefulSet',
    ['StatefulSet deleted', 'StatefulSets deleted'],
    'the StatefulSet is deleted, and with it its pods',
  ),
  immutable('immutable-selector', 'selector', ['apps Deployment', 'apps DaemonSet', 'apps ReplicaSet'], (path) =>
    isBelow(path, 'spec.selector'),
  ),
  immutable(
    'immutable-stateful-set',
    'field of a StatefulSet',
    ['apps StatefulSet'],
    (path) => isBelow(path, 'spec') && !MUTABLE_OF_STATEFUL_SET.some((field) => isBelow(path, field)),
  ),
  immutable('immutable-job', 'field of a Job', ['batch Job'], (path) => FIXED_IN_JOB.some((field) => isBelow(path, field))),
  {
    id: 'immutable-cluster-ip',
    nouns: ['clusterIP changed', 'clusterIPs changed'],
    text: 'the clusterIP of a Service must not change: the API server refuses the object',
    find: ({ before, after, fields }) =>
      isKind(after, '', 'Service') && before !== undefined && scalarText(valueAt(after, ['spec', 'clusterIP'])) !== ''
        ? fields.flatMap(({ path }) => (isBelow(path, 'spec.clusterIP') ? [path] : []))
        : [],
  },
  {
    id: 'immutable-volume-claim',
    nouns: ['fixed field of a volume claim changed', 'fixed fields of volume claims changed'],
    text: 'the field of a volume claim must not change, but for a larger request: the API server refuses the object',
    find: ({ before, after, fields }) =>
      isKind(after, '', 'PersistentVolumeClaim') && before !== undefined
        ? fields.filter((field) => isFixedInClaim(field)).map(({ path }) => path)
        : [],
  },
  {
    id: 'immutable-data',
    nouns: ['immutable ConfigMap or Secret changed', 'immutable ConfigMaps or Secrets changed'],
    text: 'the object is immutable: the API server refuses the change',
    find: ({ before, after, fields }) =>
      (isKind(after, '', 'ConfigMap') || isKind(after, '', 'Secret')) && lookup(before ?? {}, 'immutable') === true
        ? fields.flatMap(({ path }) =>
            ['data', 'binaryData', 'stringData', 'immutable'].some((field) => isBelow(path, field)) ? [path] : [],
          )
        : [],
  },
  immutable(
    'immutable-role-ref',
    'roleRef',
    ['rbac.authorization.k8s.io RoleBinding', 'rbac.authorization.k8s.io ClusterRoleBinding'],
    (path) => isBelow(path, 'roleRef'),
  ),
  immutable('immutable-storage-class', 'field of a StorageClass', ['storage.k8s.io StorageClass'], (path) =>
    FIXED_IN_STORAGE_CLASS.some((field) => isBelow(path, field)),
  ),
  {
    id: 'no-replicas',
    nouns: ['workload scaled to 0', 'workloads scaled to 0'],
    text: 'no replica is left: the workload stops',
    find: ({ before, after }) => {
      const [was, is] = [before, after].map((object) => valueAt(object, ['spec', 'replicas']))
      return before !== undefined && isZero(is) && !isZero(was) ? ['spec.replicas'] : []
    },
  },
  {
    id: 'wider-access',
    nouns: ['role or binding gives more access', 'roles or bindings give more access'],
    text: 'the access becomes wider: all of something, secrets, or cluster-admin',
    find: ({ before, after }) =>
      after === undefined || groupOfObject(after) !== 'rbac.authorization.k8s.io' ? [] : widenedAccess(before, after),
  },
  ofContainers(
    'privileged',
    ['privileged container', 'privileged containers'],
    'a container becomes privileged: it can do what the host can',
    (container) => valueAt(container, ['securityContext', 'privileged']) === true,
  ),
  ofPods('host-path', ['hostPath', 'hostPaths'], 'a pod gets a path of the host', (pod) =>
    namedEntries(lookup(pod, 'volumes'), (volume) => lookup(volume, 'hostPath') !== undefined),
  ),
  ofPods('host-namespace', ['host namespace', 'host namespaces'], 'a pod gets the network, processes or IPC of the host', (pod) =>
    ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => lookup(pod, field) === true),
  ),
  {
    id: 'floating-image',
    nouns: ['image without a fixed tag', 'images without a fixed tag'],
    text: 'the image has no tag, or latest: the next start of a pod may run another image',
    find: ({ before, after }) => {
      const old = new Map(containersOf(before).map(({ path, value }) => [path, scalarText(lookup(value, 'image'))]))
      return containersOf(after).flatMap(({ path, value }) => {
        const image = scalarText(lookup(value, 'image'))
        return isFloating(image) && old.get(path) !== image ? [`${path}.image`] : []
      })
    },
  },
  {
    id: 'failing-webhook',
    nouns: ['webhook that blocks when it fails', 'webhooks that block when they fail'],
    text: 'requests fail while the webhook cannot be reached (failurePolicy Fail)',
    find: ({ before, after }) =>
      groupOfObject(after) === 'admissionregistration.k8s.io'
        ? without(failingWebhooks(before), failingWebhooks(after)).map((name) => `webhooks[${name}].failurePolicy`)
        : [],
  },
  {
    id: 'no-disruption-allowed',
    nouns: ['disruption budget that allows none', 'disruption budgets that allow none'],
    text: 'the budget allows no disruption: nodes cannot be drained',
    find: ({ before, after }) =>
      isKind(after, 'policy', 'PodDisruptionBudget') ? without(closedBudgets(before), closedBudgets(after)) : [],
  },
]

/** Returns the dangers of a change. */
export function dangersOf(change: DangerousChange): readonly Danger[] {
  return DANGER_RULES.flatMap(({ id, text, find }) =>
    [...new Set(find(change))].map((path) => ({ rule: id, text, ...(path !== '' && { path }) })),
  )
}

function deleted(id: string, group: string, kind: string, nouns: Nouns, text: string): DangerRule {
  return { id, nouns, text, find: ({ op, before }) => ((op === 'delete' || op === 'rename') && isKind(before, group, kind) ? [''] : []) }
}

/** Returns a rule for a change of fields that the API server refuses. */
function immutable(id: string, what: string, kinds: readonly string[], isFixed: (path: string) => boolean): DangerRule {
  return {
    id,
    nouns: [`immutable ${what} changed`, `times an immutable ${what} changed`],
    text: `the ${what} must not change: the API server refuses the object`,
    find: ({ op, after, fields }) =>
      op === 'change' && after !== undefined && kinds.includes(`${groupOfObject(after)} ${scalarText(lookup(after, 'kind'))}`)
        ? fields.flatMap(({ path }) => (isFixed(path) ? [path] : []))
        : [],
  }
}

/** Returns a rule for something that a container has after a change and did not have before. */
function ofContainers(id: string, nouns: Nouns, text: string, has: (container: JsonRecord) => boolean): DangerRule {
  const paths = (object: JsonRecord | undefined): readonly string[] =>
    containersOf(object).flatMap(({ path, value }: PodContainer) => (has(value) ? [path] : []))
  return { id, nouns, text, find: ({ before, after }) => without(paths(before), paths(after)) }
}

/** Returns a rule for something that a pod has after a change and did not have before. */
function ofPods(id: string, nouns: Nouns, text: string, found: (pod: JsonRecord) => readonly string[]): DangerRule {
  const paths = (object: JsonRecord | undefined): readonly string[] => {
    const pod = podSpecOf(object)
    return pod === undefined ? [] : found(pod.value).map((path) => `${pod.path}.${path}`)
  }
  return { id, nouns, text, find: ({ before, after }) => without(paths(before), paths(after)) }
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
const FIXED_IN_JOB = [
  'spec.template',
  'spec.selector',
  'spec.completionMode',
  'spec.podFailurePolicy',
  'spec.backoffLimitPerIndex',
  'spec.managedBy',
  'spec.successPolicy',
]
const FIXED_IN_STORAGE_CLASS = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']

/** Returns true for a path that is a field or below the field. */
function isBelow(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
}

function isFixedInClaim({ path, before, after }: ChangedField): boolean {
  if (!isBelow(path, 'spec') || isBelow(path, 'spec.volumeAttributesClassName')) return false
  if (path === 'spec.resources.requests.storage') return compareQuantities(scalarText(before), scalarText(after)) > 0
  return !isBelow(path, 'spec.resources.limits')
}

function isKind(object: JsonRecord | undefined, group: string, kind: string): boolean {
  return object !== undefined && lookup(object, 'kind') === kind && groupOfObject(object) === group
}

function groupOfObject(object: JsonRecord | undefined): string {
  return groupOf(scalarText(lookup(object ?? {}, 'apiVersion')))
}

function versionsGone(before: JsonRecord | undefined, after: JsonRecord | undefined): readonly string[] {
  const served = (object: JsonRecord | undefined) =>
    namedEntries(valueAt(object, ['spec', 'versions']), (version) => lookup(version, 'served') !== false)
  const now = served(after)
  return served(before).flatMap((version) => (now.includes(version) ? [] : [`spec.versions${version}`]))
}

/** Returns the names of the maps of a list that have a property, in brackets. */
function namedEntries(list: JsonValue | undefined, has: (entry: JsonRecord) => boolean): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry) => (isRecord(entry) && has(entry) ? [`[${scalarText(lookup(entry, 'name'))}]`] : []))
}

function without(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.filter((each) => !before.includes(each))
}

function isZero(value: JsonValue | undefined): boolean {
  return equalJson(value, 0)
}

/** Returns true for an image without a tag and digest, and for the tag latest: `registry:5000/till`, `till:latest`. */
function isFloating(image: string): boolean {
  if (image === '' || image.includes('@')) return false
  const [, tag = 'latest'] = (image.split('/').at(-1) ?? '').split(':')
  return tag === 'latest'
}

/** Returns the names of the webhooks that block requests. Fail is the default in v1; in v1beta1 it was Ignore. */
function failingWebhooks(object: JsonRecord | undefined): readonly string[] {
  const webhooks = lookup(object ?? {}, 'webhooks')
  const ifUnset = scalarText(lookup(object ?? {}, 'apiVersion')).endsWith('/v1beta1') ? 'Ignore' : 'Fail'
  if (!Array.isArray(webhooks)) return []
  return webhooks.flatMap((each) =>
    (scalarText(memberOf(each, 'failurePolicy')) || ifUnset) === 'Fail' ? [scalarText(memberOf(each, 'name'))] : [],
  )
}

function closedBudgets(object: JsonRecord | undefined): readonly string[] {
  const spec = memberOf(object, 'spec')
  const isNone = ['0', '0%'].includes(scalarText(memberOf(spec, 'maxUnavailable')))
  return [
    ...(isNone ? ['spec.maxUnavailable'] : []),
    ...(scalarText(memberOf(spec, 'minAvailable')) === '100%' ? ['spec.minAvailable'] : []),
  ]
}
