import { equalJson, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import type { DangerId } from '../rules/dangers.ts'
import {
  type DangerousChange,
  type DangerRule,
  deleted,
  groupOfObject,
  hasGroupKind,
  namedEntries,
  ofContainers,
  ofPods,
  without,
} from './danger-rule.ts'
import { valueAt } from './field-changes.ts'
import { PACKAGE_DANGERS } from './package-dangers.ts'
import { containersOf } from './pod-spec.ts'
import { REFUSED_CHANGES } from './refused-changes.ts'
import type { Danger } from './report.ts'
import { WEAKER_GUARDS } from './weaker-guards.ts'
import { widenedAccess } from './widened-access.ts'

/** The rule of a change of many clusters at once, which is about a set and not about an object. */
export const WIDE_CHANGE = 'wide-change' satisfies DangerId

/** Every danger, the worst first. src/rules/dangers.ts names the source of each. */
export const DANGER_RULES: readonly DangerRule[] = [
  deleted(
    'namespace-deleted',
    [' Namespace'],
    ['namespace deleted', 'namespaces deleted'],
    'the namespace is deleted, and with it everything in it',
  ),
  deleted(
    'volume-claim-deleted',
    [' PersistentVolumeClaim'],
    ['volume claim deleted', 'volume claims deleted'],
    'the volume claim is deleted, and with it usually its data',
  ),
  deleted(
    'volume-deleted',
    [' PersistentVolume'],
    ['volume deleted', 'volumes deleted'],
    'the volume is deleted, and with it possibly its data',
  ),
  deleted(
    'definition-deleted',
    ['apiextensions.k8s.io CustomResourceDefinition'],
    ['custom resource definition deleted', 'custom resource definitions deleted'],
    'the definition is deleted, and with it every object of its kind',
  ),
  ...PACKAGE_DANGERS,
  {
    id: 'version-not-served',
    nouns: ['version no longer served', 'versions no longer served'],
    text: 'a version is no longer served: objects and programs that use the version fail',
    find: ({ before, after }) =>
      hasGroupKind(after, 'apiextensions.k8s.io', 'CustomResourceDefinition') ? versionsGone(before, after) : [],
  },
  deleted(
    'stateful-set-deleted',
    ['apps StatefulSet'],
    ['StatefulSet deleted', 'StatefulSets deleted'],
    'the StatefulSet is deleted, and with it its pods',
  ),
  ...REFUSED_CHANGES,
  {
    id: 'volume-not-kept',
    nouns: ['volume that is no longer kept', 'volumes that are no longer kept'],
    text: 'the volume, which was kept, is deleted with its claim or its pod',
    find: ({ before, after }) => (before === undefined ? [] : without(deletedVolumes(before), deletedVolumes(after))),
  },
  {
    id: 'property-removed',
    nouns: ['property of a custom resource removed', 'properties of custom resources removed'],
    text: 'the definition no longer has the property: the API server drops it from every object that is written',
    find: ({ op, after, fields }) =>
      op === 'change' && hasGroupKind(after, 'apiextensions.k8s.io', 'CustomResourceDefinition')
        ? fields.flatMap((field) => (field.after === undefined && IN_PROPERTIES.test(field.path) ? [field.path] : []))
        : [],
  },
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
  ...WEAKER_GUARDS,
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
      hasGroupKind(after, 'policy', 'PodDisruptionBudget') ? without(closedBudgets(before), closedBudgets(after)) : [],
  },
]

/** Returns the dangers of a change. */
export function dangersOf(change: DangerousChange): readonly Danger[] {
  return DANGER_RULES.flatMap(({ id, text, find }) =>
    [...new Set(find(change))].map((path) => ({ rule: id, text, ...(path !== '' && { path }) })),
  )
}

/** Matches the path of a property in the schema of a version, or of all properties of a map. */
const IN_PROPERTIES = /^spec\.versions\[[^\]]*\]\.schema\.openAPIV3Schema\.(?:.*\.)?properties(?:\.[^.[]+|\["[^"]*"\])?$/

/** Returns the paths by which an object says that volumes are deleted. A PersistentVolume of a file is kept unless it says so. */
function deletedVolumes(object: JsonRecord | undefined): readonly string[] {
  const spec = memberOf(object, 'spec')
  if (hasGroupKind(object, '', 'PersistentVolume'))
    return memberOf(spec, 'persistentVolumeReclaimPolicy') === 'Delete' ? ['spec.persistentVolumeReclaimPolicy'] : []
  if (!hasGroupKind(object, 'apps', 'StatefulSet')) return []
  const policy = memberOf(spec, 'persistentVolumeClaimRetentionPolicy')
  const paths = ['whenDeleted', 'whenScaled'].filter((when) => memberOf(policy, when) === 'Delete')
  return paths.map((when) => `spec.persistentVolumeClaimRetentionPolicy.${when}`)
}

function versionsGone(before: JsonRecord | undefined, after: JsonRecord | undefined): readonly string[] {
  const served = (object: JsonRecord | undefined) =>
    namedEntries(valueAt(object, ['spec', 'versions']), (version) => lookup(version, 'served') !== false)
  const now = served(after)
  return served(before).flatMap((version) => (now.includes(version) ? [] : [`spec.versions${version}`]))
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
