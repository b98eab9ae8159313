import { equalJson, type JsonRecord, type JsonValue, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { once } from '../../remember.ts'
import type { DangerId } from '../../rules/danger-record.ts'
import { fieldChanges, valueAt } from '../field-changes.ts'
import type { ChangedField, Danger } from '../report.ts'
import { clusterOf, type DangerousChange, type DangerRule, deleted, ofContainers, ofPods, without } from './danger-rule.ts'
import { adminAccess, grantedSecrets, OTHER_HOSTS } from './gateways.ts'
import { JUDGEMENTS } from './judgements.ts'
import type { LostObjects } from './lost-with-packages.ts'
import { OUTAGES } from './outages.ts'
import { PACKAGE_DANGERS } from './package-dangers.ts'
import { containersOf, groupOfObject, hasGroupKind, podTemplatesOf } from './pod-spec.ts'
import { REFUSED_CHANGES } from './refused-changes.ts'
import { NOT_SERVED } from './served-versions.ts'
import { asStored } from './server-defaults.ts'
import { MUTATION_REMOVED, WEAKER_GUARDS } from './weaker-guards.ts'
import { widenedAccess } from './widened-access.ts'

/** The rule of a change of many clusters at once, which is about a set and not about an object. */
export const WIDE_CHANGE = 'wide-change' satisfies DangerId

/** Every danger, the worst first. src/rules/dangers names the source of each. */
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
  NOT_SERVED,
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
        ? fields.flatMap((field) => (field.after === undefined && isPruned(field, after ?? {}) ? [field.path] : []))
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
    find: (change) => {
      const { before, after } = change
      if (after === undefined) return []
      if (groupOfObject(after) === 'resource.k8s.io') return adminAccess(before, after)
      if (hasGroupKind(after, 'gateway.networking.k8s.io', 'ReferenceGrant')) return grantedSecrets(before, after)
      return groupOfObject(after) === 'rbac.authorization.k8s.io' ? widenedAccess(before, after, clusterOf(change)) : []
    },
  },
  ofContainers(
    'privileged',
    ['privileged container', 'privileged containers'],
    'a container becomes privileged: it can do what the host can',
    (container) => valueAt(container, ['securityContext', 'privileged']) === true,
  ),
  {
    id: 'host-path',
    nouns: ['hostPath', 'hostPaths'],
    text: 'a pod gets a path of the host',
    find: ({ before, after }) => {
      const old = hostPaths(before).map(({ folder }) => folder)
      const isIn = (folder: string) => old.some((each) => folder === each || folder.startsWith(each === '/' ? '/' : `${each}/`))
      return hostPaths(after).flatMap(({ path, folder }) => (isIn(folder) ? [] : [path]))
    },
  },
  ofPods('host-namespace', ['host namespace', 'host namespaces'], 'a pod gets the network, processes or IPC of the host', (pod) =>
    ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => lookup(pod, field) === true),
  ),
  {
    id: 'floating-image',
    nouns: ['image without a fixed tag', 'images without a fixed tag'],
    text: 'the image has no tag, or latest: the next start of a pod may run another image',
    find: ({ before, after }) => {
      const old = new Set(containersOf(before).map(({ value }) => scalarText(lookup(value, 'image'))))
      return containersOf(after).flatMap(({ path, value }) => {
        const image = scalarText(lookup(value, 'image'))
        return isFloating(image) && !old.has(image) ? [`${path}.image`] : []
      })
    },
  },
  ...WEAKER_GUARDS,
  ...OUTAGES,
  ...JUDGEMENTS,
  OTHER_HOSTS,
  MUTATION_REMOVED,
]

/** A danger in one cluster, with what the cluster loses. */
export interface FoundDanger extends Danger {
  readonly lost?: LostObjects
}

/** Returns the dangers of a change, and what a reviewer should judge. */
export function dangersOf(change: DangerousChange): readonly FoundDanger[] {
  const { before, after } = change
  const stored = once(() => (before === undefined || after === undefined ? [] : fieldChanges(asStored(before), asStored(after))))
  const judged = {
    ...change,
    get stored(): readonly ChangedField[] {
      return stored()
    },
  }
  return DANGER_RULES.flatMap((rule) =>
    [...new Set(rule.find(judged))].map((path): FoundDanger => {
      // What stays in the cluster is not lost, but no program cares for it any more.
      const severity = change.isLeft === true && path === '' ? 'notice' : rule.severity
      const lost = severity === undefined ? rule.lost?.(judged) : undefined
      return { rule: rule.id, ...(severity && { severity }), text: rule.text, ...(path !== '' && { path }), ...(lost && { lost }) }
    }),
  )
}

/** Returns true for a danger that is more than a notice. */
export function isDanger({ severity }: Pick<Danger, 'severity'>): boolean {
  return severity !== 'notice'
}

/** Matches the path of a property in the schema of a version, or of all properties of a map. */
const IN_PROPERTIES = /^spec\.versions\[[^\]]*\]\.schema\.openAPIV3Schema\.(?:.*\.)?properties(?:\.[^.[]+|\["[^"]*"\])?$/

/** Returns true for a property whose values the API server drops. A map that preserves unknown fields keeps them. */
function isPruned({ path, steps }: ChangedField, after: JsonRecord): boolean {
  if (!IN_PROPERTIES.test(path)) return false
  return !steps.some(
    (step, i) => step === 'properties' && valueAt(after, [...steps.slice(0, i), 'x-kubernetes-preserve-unknown-fields']) === true,
  )
}

/** Returns the paths of the host that the volumes of a workload have. */
function hostPaths(object: JsonRecord | undefined): readonly { readonly path: string; readonly folder: string }[] {
  const volumes = podTemplatesOf(object).flatMap(({ path, value }) =>
    recordsOf(lookup(value, 'volumes')).map((volume) => ({ path, volume })),
  )
  return volumes.flatMap(({ path, volume }) => {
    const source = lookup(volume, 'hostPath')
    const folder = scalarText(memberOf(source, 'path'))
    const short = folder.length > 1 ? folder.replace(/\/+$/, '') : folder
    return source === undefined ? [] : [{ path: `${path}.volumes[${scalarText(lookup(volume, 'name'))}]`, folder: short || '/' }]
  })
}

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
    recordsOf(valueAt(object, ['spec', 'versions'])).flatMap((version) =>
      lookup(version, 'served') === false ? [] : [`[${scalarText(lookup(version, 'name'))}]`],
    )
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
