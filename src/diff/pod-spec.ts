import { isRecord, type JsonRecord, lookup, scalarText } from '../json.ts'
import { valueAt } from './field-changes.ts'

/** A part of an object, with the path of the part as people read it. */
export interface PodPart {
  readonly path: string
  readonly value: JsonRecord
}

export type PodContainer = PodPart

/** The paths of the pod's spec in the objects of Kubernetes that make pods. */
const POD_SPECS: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  PodTemplate: ['template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
}

/** Returns the pod's spec in a workload; undefined for objects of other kinds. */
export function podSpecOf(object: JsonRecord | undefined): PodPart | undefined {
  const kind = scalarText(lookup(object ?? {}, 'kind'))
  const path = Object.hasOwn(POD_SPECS, kind) ? POD_SPECS[kind] : undefined
  const value = path && valueAt(object, path)
  return path !== undefined && isRecord(value) ? { path: path.join('.'), value } : undefined
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
