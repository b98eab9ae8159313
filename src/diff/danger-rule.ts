import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { DangerId } from '../rules/dangers.ts'
import { containersOf, type PodContainer, podSpecOf } from './pod-spec.ts'
import type { ChangedField, ObjectOperation } from './report.ts'

/** A change of an object that may be dangerous. A renamed object is deleted under its earlier name. */
export interface DangerousChange {
  readonly op: ObjectOperation
  readonly before?: JsonRecord
  readonly after?: JsonRecord
  readonly fields: readonly ChangedField[]
}

export type Nouns = readonly [one: string, many: string]

/** How a danger is found, and what a report says about it; src/rules/dangers.ts has its source and examples. */
export interface DangerRule {
  readonly id: DangerId
  /** The phrases of a summary for one and for many: `volume claim deleted`, `volume claims deleted`. */
  readonly nouns: Nouns
  readonly text: string
  /** Returns the paths of the dangerous fields; '' for the object as a whole. */
  readonly find: (change: DangerousChange) => readonly string[]
}

/** Returns a rule for objects that are deleted or renamed, `GROUP KIND` each. */
export function deleted(id: DangerId, kinds: readonly string[], nouns: Nouns, text: string): DangerRule {
  return {
    id,
    nouns,
    text,
    find: ({ op, before }) => ((op === 'delete' || op === 'rename') && kinds.includes(groupKindOf(before)) ? [''] : []),
  }
}

/** Returns a rule for a change of fields that the API server refuses. */
export function immutable(id: DangerId, what: string, kinds: readonly string[], isFixed: (path: string) => boolean): DangerRule {
  return {
    id,
    nouns: [`immutable ${what} changed`, `times an immutable ${what} changed`],
    text: `the ${what} must not change: the API server refuses the object`,
    find: ({ op, after, fields }) =>
      op === 'change' && kinds.includes(groupKindOf(after))
        ? fields.flatMap((field) => (isFixed(field.path) && !isDefaulted(groupKindOf(after), field) ? [field.path] : []))
        : [],
  }
}

/** Returns a rule for something that a container has after a change and did not have before. */
export function ofContainers(id: DangerId, nouns: Nouns, text: string, has: (container: JsonRecord) => boolean): DangerRule {
  const paths = (object: JsonRecord | undefined): readonly string[] =>
    containersOf(object).flatMap(({ path, value }: PodContainer) => (has(value) ? [path] : []))
  return { id, nouns, text, find: ({ before, after }) => without(paths(before), paths(after)) }
}

/** Returns a rule for something that a pod has after a change and did not have before. */
export function ofPods(id: DangerId, nouns: Nouns, text: string, found: (pod: JsonRecord) => readonly string[]): DangerRule {
  const paths = (object: JsonRecord | undefined): readonly string[] => {
    const pod = podSpecOf(object)
    return pod === undefined ? [] : found(pod.value).map((path) => `${pod.path}.${path}`)
  }
  return { id, nouns, text, find: ({ before, after }) => without(paths(before), paths(after)) }
}

/** Returns true for a path that is a field or below the field. */
export function isFieldOrBelow(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
}

export function hasGroupKind(object: JsonRecord | undefined, group: string, kind: string): boolean {
  return object !== undefined && lookup(object, 'kind') === kind && groupOfObject(object) === group
}

export function groupOfObject(object: JsonRecord | undefined): string {
  return groupOf(scalarText(lookup(object ?? {}, 'apiVersion')))
}

/** Returns the names of the maps of a list that have a property, in brackets. */
export function namedEntries(list: JsonValue | undefined, has: (entry: JsonRecord) => boolean): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry) => (isRecord(entry) && has(entry) ? [`[${scalarText(lookup(entry, 'name'))}]`] : []))
}

export function without(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.filter((each) => !before.includes(each))
}

/** Returns the group and kind of an object, as rules name them: `apps StatefulSet`, ` Service` of the core group. */
export function groupKindOf(object: JsonRecord | undefined): string {
  return `${groupOfObject(object)} ${scalarText(lookup(object ?? {}, 'kind'))}`
}

/** The values that the API server gives to missing fields that must not change (the SetDefaults functions of pkg/apis). */
const DEFAULTS: readonly (readonly [kind: string, path: RegExp, value: JsonValue])[] = [
  [' PersistentVolumeClaim', /^spec\.volumeMode$/, 'Filesystem'],
  [' PersistentVolume', /^spec\.volumeMode$/, 'Filesystem'],
  [' Secret', /^type$/, 'Opaque'],
  ['storage.k8s.io StorageClass', /^reclaimPolicy$/, 'Delete'],
  ['storage.k8s.io StorageClass', /^volumeBindingMode$/, 'Immediate'],
  ['scheduling.k8s.io PriorityClass', /^preemptionPolicy$/, 'PreemptLowerPriority'],
  ['apps StatefulSet', /^spec\.podManagementPolicy$/, 'OrderedReady'],
  ['apps StatefulSet', /^spec\.volumeClaimTemplates\[[^\]]*\]\.spec\.volumeMode$/, 'Filesystem'],
  ['batch Job', /^spec\.completionMode$/, 'NonIndexed'],
  ['batch Job', /^spec\.manualSelector$/, false],
  ['batch Job', /^spec\.template\.spec\.dnsPolicy$/, 'ClusterFirst'],
  ['batch Job', /^spec\.template\.spec\.schedulerName$/, 'default-scheduler'],
  ['batch Job', /^spec\.template\.spec\.terminationGracePeriodSeconds$/, 30],
  ['rbac.authorization.k8s.io RoleBinding', /^roleRef\.apiGroup$/, 'rbac.authorization.k8s.io'],
  ['rbac.authorization.k8s.io ClusterRoleBinding', /^roleRef\.apiGroup$/, 'rbac.authorization.k8s.io'],
]

/** Returns true for a field that one state leaves to the API server, and to which the other gives the same value. */
export function isDefaulted(kind: string, { path, before, after }: ChangedField): boolean {
  return DEFAULTS.some(
    ([of, field, value]) => of === kind && field.test(path) && equalJson(before ?? value, value) && equalJson(after ?? value, value),
  )
}
