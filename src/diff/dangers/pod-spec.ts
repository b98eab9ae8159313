import { asRecord, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../../json.ts'
import { POD_SPEC_PLACES } from '../../kubernetes/unique-entries.ts'
import { remember } from '../../remember.ts'
import { groupOf } from '../../resource-list/identity.ts'
import { valueAt } from '../field-changes.ts'

/** A part of an object, with the path of the part as people read it. */
interface PodPart {
  readonly path: string
  readonly value: JsonRecord
}

/** A template of pods: its path is that of the pod's spec, `spec.template.spec`. */
export interface PodTemplate extends PodPart {
  readonly metadata: JsonRecord
}

export interface PodContainer extends PodPart {
  readonly pod: JsonRecord
}

/** Returns the pod's spec in a workload of Kubernetes; undefined for objects of other kinds. */
export function podSpecOf(object: JsonRecord | undefined): PodTemplate | undefined {
  const path = POD_SPEC_PLACES.get(groupKindOf(object))
  const value = path && valueAt(object, path)
  if (path === undefined || !isRecord(value)) return undefined
  const metadata = valueAt(object, [...path.slice(0, -1), 'metadata'])
  return { path: path.join('.'), value, metadata: asRecord(metadata) }
}

const TEMPLATES = new WeakMap<JsonRecord, readonly PodTemplate[]>()

/**
 * Returns the templates of pods in an object of any kind. Workloads of others, such as the Rollout of Argo or the JobSet, have them as
 * Kubernetes writes them: a field whose name ends in `template`, with the list `spec.containers`.
 */
export function podTemplatesOf(object: JsonRecord | undefined): readonly PodTemplate[] {
  if (object === undefined) return []
  if (isOfKubernetes(groupOfObject(object))) return [podSpecOf(object) ?? []].flat()
  return remember(TEMPLATES, object, () => templatesIn(lookup(object, 'spec'), 'spec'))
}

function isOfKubernetes(group: string): boolean {
  // The groups of `x-k8s.io` are those of others.
  return !group.includes('.') || group.endsWith('.k8s.io')
}

function templatesIn(value: JsonValue | undefined, path: string): readonly PodTemplate[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => templatesIn(each, `${path}[${scalarText(memberOf(each, 'name')) || i}]`))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const spec = /template$/i.test(key) ? memberOf(part, 'spec') : undefined
    if (!isRecord(spec) || !Array.isArray(lookup(spec, 'containers'))) return templatesIn(part, `${path}.${key}`)
    const metadata = memberOf(part, 'metadata')
    return [{ path: `${path}.${key}.spec`, value: spec, metadata: asRecord(metadata) }]
  })
}

/** Returns the labels of the pods that a workload makes, of several templates those of the first; undefined for objects that make none. */
export function podLabelsOf(object: JsonRecord | undefined): ReadonlyMap<string, string> | undefined {
  const path = POD_SPEC_PLACES.get(groupKindOf(object))
  const metadata = path === undefined ? podTemplatesOf(object)[0]?.metadata : asRecord(valueAt(object, [...path.slice(0, -1), 'metadata']))
  return metadata && labelsIn(metadata)
}

/** Returns the labels of a `metadata`. */
export function labelsIn(metadata: JsonValue | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(asRecord(memberOf(metadata, 'labels'))).map(([key, value]) => [key, scalarText(value)]))
}

/**
 * Returns the containers of a workload, also its init and ephemeral ones. The path of one without a name, as Knative allows, has its
 * position.
 */
export function containersOf(object: JsonRecord | undefined): readonly PodContainer[] {
  return podTemplatesOf(object).flatMap(({ path, value: pod }) =>
    ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => {
      const containers = lookup(pod, list)
      if (!Array.isArray(containers)) return []
      return containers.flatMap((value, i) =>
        isRecord(value) ? [{ path: `${path}.${list}[${scalarText(lookup(value, 'name')) || i}]`, value, pod }] : [],
      )
    }),
  )
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
