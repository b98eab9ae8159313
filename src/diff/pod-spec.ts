import { isRecord, type JsonRecord, lookup, scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import { valueAt } from './field-changes.ts'

/** A part of an object, with the path of the part as people read it. */
export interface PodPart {
  readonly path: string
  readonly value: JsonRecord
}

export type PodContainer = PodPart

/** The paths of the pod's spec in the objects of Kubernetes that make pods, by GROUP KIND. */
const POD_SPECS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  [' Pod', ['spec']],
  [' PodTemplate', ['template', 'spec']],
  [' ReplicationController', ['spec', 'template', 'spec']],
  ['batch CronJob', ['spec', 'jobTemplate', 'spec', 'template', 'spec']],
  ['batch Job', ['spec', 'template', 'spec']],
  ...['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'].map((kind) => [`apps ${kind}`, ['spec', 'template', 'spec']] as const),
])

/** Returns the pod's spec in a workload; undefined for objects of other kinds. */
export function podSpecOf(object: JsonRecord | undefined): PodPart | undefined {
  const path = POD_SPECS.get(groupKindOf(object))
  const value = path && valueAt(object, path)
  return path !== undefined && isRecord(value) ? { path: path.join('.'), value } : undefined
}

/** Returns the labels of the pods that a workload makes; undefined for objects that make none. */
export function podLabelsOf(object: JsonRecord | undefined): ReadonlyMap<string, string> | undefined {
  const path = POD_SPECS.get(groupKindOf(object))
  if (path === undefined) return undefined
  const labels = valueAt(object, [...path.slice(0, -1), 'metadata', 'labels'])
  return new Map(isRecord(labels) ? Object.entries(labels).map(([key, value]) => [key, scalarText(value)]) : [])
}

/** Returns the containers of a workload, also those of its init and ephemeral containers. */
export function containersOf(object: JsonRecord | undefined): readonly PodContainer[] {
  const pod = podSpecOf(object)
  if (pod === undefined) return []
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => {
    const containers = lookup(pod.value, list)
    if (!Array.isArray(containers)) return []
    return containers.filter(isRecord).map((value) => ({ path: `${pod.path}.${list}[${scalarText(lookup(value, 'name'))}]`, value }))
  })
}

/** Returns the group and kind of an object, as rules name them: `apps StatefulSet`, ` Service` of the core group. */
export function groupKindOf(object: JsonRecord | undefined): string {
  return `${groupOfObject(object)} ${scalarText(lookup(object ?? {}, 'kind'))}`
}

export function groupOfObject(object: JsonRecord | undefined): string {
  return groupOf(scalarText(lookup(object ?? {}, 'apiVersion')))
}

export function hasGroupKind(object: JsonRecord | undefined, group: string, kind: string): boolean {
  return object !== undefined && groupKindOf(object) === `${group} ${kind}`
}

export function nameOfRecord(object: JsonRecord | undefined): string {
  return scalarText(valueAt(object, ['metadata', 'name']))
}

export function namespaceOfRecord(object: JsonRecord | undefined): string {
  return scalarText(valueAt(object, ['metadata', 'namespace']))
}

/** Returns true for two states of one object: group, kind, namespace and name are equal. */
export function isSameObject(a: JsonRecord, b: JsonRecord | undefined): boolean {
  return groupKindOf(a) === groupKindOf(b) && nameOfRecord(a) === nameOfRecord(b) && namespaceOfRecord(a) === namespaceOfRecord(b)
}
