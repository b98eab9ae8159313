import type { JsonRecord } from '../../json.ts'
import type { DangerId } from '../../rules/danger-record.ts'
import type { ChangedField, ObjectOperation } from '../report.ts'
import type { LostObjects, LostWithPackages } from './lost-with-packages.ts'
import { containersOf, groupKindOf, type PodContainer, podTemplatesOf } from './pod-spec.ts'

/** A change of an object that may be dangerous. A renamed object is deleted under its earlier name. */
export interface DangerousChange {
  readonly op: ObjectOperation
  readonly before?: JsonRecord
  readonly after?: JsonRecord
  readonly fields: readonly ChangedField[]
  /** Returns the objects of the package in both states. Without it, no rule about two objects finds anything. */
  readonly objects?: () => PackageObjects
  /** Returns the objects of all packages of the cluster in both states; absent: those of the package. */
  readonly inCluster?: () => PackageObjects
  /** True if the deployer leaves a deleted or renamed object in the cluster. */
  readonly isLeft?: boolean
  /** Finds what goes with a package. If absent, no rule says what goes with it. */
  readonly lostWithPackages?: LostWithPackages
  /** The version of Kubernetes that the fleet names: `1.34`. */
  readonly kubernetesVersion?: string
}

/** The objects of a package, or of a cluster, before and after a change. */
export interface PackageObjects {
  readonly before: readonly JsonRecord[]
  readonly after: readonly JsonRecord[]
}

/** A change, with the fields that differ once the API server has filled in its defaults. */
export interface JudgedChange extends DangerousChange {
  readonly stored: readonly ChangedField[]
}

/** Returns the objects of the cluster of a change in both states: a Service selects the pods of every package. */
export function clusterOf({ objects, inCluster = objects }: DangerousChange): PackageObjects {
  return inCluster?.() ?? { before: [], after: [] }
}

export type Nouns = readonly [one: string, many: string]

/** How a danger is found, and what a report says about it; src/rules/dangers has its source and examples. */
export interface DangerRule {
  readonly id: DangerId
  /** `notice`: a judgement, which is listed, and is no danger for `--fail-on danger`. */
  readonly severity?: 'notice'
  /** The phrases of a summary for one and for many: `volume claim deleted`, `volume claims deleted`. */
  readonly nouns: Nouns
  readonly text: string
  /** Returns the paths of the dangerous fields; '' for the object as a whole. */
  readonly find: (change: JudgedChange) => readonly string[]
  /** Returns what goes from the cluster with the object, for dangers that say so. */
  readonly lost?: (change: JudgedChange) => LostObjects | undefined
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

/**
 * Returns a rule for a change of fields that the API server refuses. A field that one state leaves to the server's default does not change.
 */
export function immutable(
  id: DangerId,
  what: string,
  kinds: readonly string[],
  isFixed: (field: ChangedField, change: JudgedChange) => boolean,
): DangerRule {
  return {
    id,
    nouns: [`immutable ${what} changed`, `times an immutable ${what} changed`],
    text: `the ${what} must not change: the API server refuses the object`,
    find: (change) =>
      change.op === 'change' && kinds.includes(groupKindOf(change.after))
        ? change.stored.flatMap((field) => (isFixed(field, change) ? [field.path] : []))
        : [],
  }
}

/** Returns a rule for something that a container has after a change and that no container had before, whatever its name. */
export function ofContainers(id: DangerId, nouns: Nouns, text: string, has: (container: JsonRecord) => boolean): DangerRule {
  return {
    id,
    nouns,
    text,
    find: ({ before, after }) => {
      const withIt = (object: JsonRecord | undefined) =>
        containersOf(object).flatMap(({ path, value }: PodContainer) => (has(value) ? [path] : []))
      const names = new Set(containersOf(after).map(({ path }) => path))
      // A container with another name is the same one, so many of the new containers as had it under names that are gone.
      const renamed = withIt(before).filter((path) => !names.has(path)).length
      return without(withIt(before), withIt(after)).slice(renamed)
    },
  }
}

/** Returns a rule for something that a pod has after a change and did not have before. */
export function ofPods(id: DangerId, nouns: Nouns, text: string, found: (pod: JsonRecord) => readonly string[]): DangerRule {
  const paths = (object: JsonRecord | undefined): readonly string[] =>
    podTemplatesOf(object).flatMap((pod) => found(pod.value).map((path) => `${pod.path}.${path}`))
  return { id, nouns, text, find: ({ before, after }) => without(paths(before), paths(after)) }
}

export function isFieldOrBelow(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
}

export function without(before: readonly string[], after: readonly string[]): readonly string[] {
  return after.filter((each) => !before.includes(each))
}

export function pathsBelow(fields: readonly ChangedField[], field: string): readonly string[] {
  return fields.flatMap(({ path }) => (isFieldOrBelow(path, field) ? [path] : []))
}
