import { isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../../json.ts'
import { groupKindOf, podSpecOf } from './pod-spec.ts'
import { amountOf } from './quantity.ts'

type Defaults = Readonly<Record<string, JsonValue>>

/** The fields of which an empty map is as good as none: the API server compares them by Semantic.DeepEqual. */
const EMPTY_IS_NONE: ReadonlySet<string> = new Set(
  'metadata labels annotations nodeSelector matchLabels limits requests parameters'.split(' '),
)

/** The fields of pods of which false is as good as none: they are not pointers in k8s.io/api. */
const FALSE_IS_NONE: ReadonlySet<string> = new Set('readOnly stdin stdinOnce tty hostNetwork hostPID hostIPC'.split(' '))

/** The values that the API server gives to missing fields of an object (the SetDefaults functions of pkg/apis). */
const OF_KINDS: Readonly<Record<string, readonly (readonly [path: readonly string[], defaults: Defaults])[]>> = {
  ' PersistentVolumeClaim': [[['spec'], { volumeMode: 'Filesystem' }]],
  ' PersistentVolume': [[['spec'], { volumeMode: 'Filesystem', persistentVolumeReclaimPolicy: 'Retain' }]],
  ' Secret': [[[], { type: 'Opaque' }]],
  'storage.k8s.io StorageClass': [[[], { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }]],
  'scheduling.k8s.io PriorityClass': [[[], { preemptionPolicy: 'PreemptLowerPriority', value: 0 }]],
  'apps StatefulSet': [[['spec'], { podManagementPolicy: 'OrderedReady' }]],
  'batch Job': [[['spec'], { completionMode: 'NonIndexed', manualSelector: false }]],
  'rbac.authorization.k8s.io RoleBinding': [[['roleRef'], { apiGroup: 'rbac.authorization.k8s.io' }]],
  'rbac.authorization.k8s.io ClusterRoleBinding': [[['roleRef'], { apiGroup: 'rbac.authorization.k8s.io' }]],
  'storage.k8s.io CSIDriver': [[['spec'], { attachRequired: true, volumeLifecycleModes: ['Persistent'] }]],
}

const OF_POD: Defaults = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  terminationGracePeriodSeconds: 30,
  securityContext: {},
}
const OF_CONTAINER: Defaults = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', resources: {} }
const OF_PROBE: Defaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe']

/**
 * Returns an object as the API server stores it, as far as rules about fixed fields need it: with the defaults that the server fills in,
 * without null and empty lists, and with quantities as numbers. Example: `cpu: 1000m` and `cpu: 1` are equal.
 */
export function asStored(object: JsonRecord): JsonRecord {
  let stored = withoutNothing(object)
  const kind = groupKindOf(object)
  for (const [path, defaults] of OF_KINDS[kind] ?? []) stored = changeAt(stored, path, (part) => ({ ...defaults, ...part }))
  if (kind === 'apps StatefulSet') stored = changeAt(stored, ['spec'], (spec) => withEach(spec, 'volumeClaimTemplates', claimTemplate))
  const pod = podSpecOf(stored)
  return pod === undefined ? stored : changeAt(stored, pod.path.split('.'), storedPod)
}

function claimTemplate(claim: JsonRecord): JsonRecord {
  return changeAt({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim }, ['spec'], (spec) => ({
    volumeMode: 'Filesystem',
    ...spec,
  }))
}

function storedPod(pod: JsonRecord): JsonRecord {
  const account = lookup(pod, 'serviceAccountName') ?? lookup(pod, 'serviceAccount')
  const accounts: Defaults = account === undefined ? {} : { serviceAccountName: account, serviceAccount: account }
  const isOnHost = lookup(pod, 'hostNetwork') === true
  const filled = { ...OF_POD, ...pod, ...accounts }
  const withContainers = ['containers', 'initContainers'].reduce(
    (whole, list) => withEach(whole, list, (container) => storedContainer(container, isOnHost)),
    filled,
  )
  return withEach(withContainers, 'volumes', storedVolume)
}

function storedContainer(container: JsonRecord, isOnHost: boolean): JsonRecord {
  const [, tag = 'latest'] = (scalarText(lookup(container, 'image')).split('@')[0]?.split('/').at(-1) ?? '').split(':')
  const isPinned = scalarText(lookup(container, 'image')).includes('@')
  let filled: JsonRecord = { ...OF_CONTAINER, imagePullPolicy: tag === 'latest' && !isPinned ? 'Always' : 'IfNotPresent', ...container }
  for (const probe of PROBES) filled = changeAt(filled, [probe], storedProbe)
  filled = withEach(filled, 'ports', (port) => {
    const number = lookup(port, 'containerPort')
    return { protocol: 'TCP', ...(isOnHost && number !== undefined && { hostPort: number }), ...port }
  })
  return withEach(filled, 'env', (entry) =>
    isRecord(memberOf(lookup(entry, 'valueFrom'), 'fieldRef'))
      ? changeAt(entry, ['valueFrom', 'fieldRef'], (ref) => ({ apiVersion: 'v1', ...ref }))
      : { ...(lookup(entry, 'valueFrom') === undefined && { value: '' }), ...entry },
  )
}

function storedProbe(probe: JsonRecord): JsonRecord {
  return changeAt({ ...OF_PROBE, ...probe }, ['httpGet'], (get) => ({ path: '/', scheme: 'HTTP', ...get }))
}

function storedVolume(volume: JsonRecord): JsonRecord {
  if (Object.keys(volume).every((key) => key === 'name')) return { ...volume, emptyDir: {} }
  const withModes = ['secret', 'configMap', 'downwardAPI', 'projected'].find((source) => isRecord(lookup(volume, source)))
  if (withModes !== undefined) return changeAt(volume, [withModes], (source) => ({ defaultMode: 420, ...source }))
  return changeAt(volume, ['hostPath'], (path) => ({ type: '', ...path }))
}

/** Returns a record with a changed part; the record itself if it has no map there. */
function changeAt(record: JsonRecord, [key, ...rest]: readonly string[], change: (part: JsonRecord) => JsonRecord): JsonRecord {
  if (key === undefined) return change(record)
  const part = lookup(record, key)
  return isRecord(part) ? { ...record, [key]: changeAt(part, rest, change) } : record
}

function withEach(record: JsonRecord, list: string, change: (entry: JsonRecord) => JsonRecord): JsonRecord {
  const entries = lookup(record, list)
  return Array.isArray(entries) ? { ...record, [list]: entries.map((entry) => (isRecord(entry) ? change(entry) : entry)) } : record
}

function withoutNothing(record: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
      if (value === null || (Array.isArray(value) && value.length === 0) || (value === false && FALSE_IS_NONE.has(key))) return []
      const stored = key === 'limits' || key === 'requests' ? amounts(value) : storedValue(value)
      return EMPTY_IS_NONE.has(key) && isRecord(stored) && Object.keys(stored).length === 0 ? [] : [[key, stored]]
    }),
  )
}

function storedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(storedValue)
  return isRecord(value) ? withoutNothing(value) : value
}

function amounts(value: JsonValue): JsonValue {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(amountOf(scalarText(each)))]))
}
