import type { FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { ObjectCriteria, RepositoryCriteria, Target } from '../../kinds/target.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import { clausesOf, type LabelChange, type LabelSelector, smallestLabelChange } from '../../kubernetes/label-selector.ts'
import { isRepository } from '../../well-known.ts'
import { criteriaKind, type Fleet, type FleetObject } from '../fleet.ts'

/** The answer of a target about an object. */
export interface Verdict {
  readonly target: Target
  /** The list or selector of the target, with the clause that fails. */
  readonly path: FieldPath
  /** The first condition of the target that the object does not meet; undefined if the object matches. */
  readonly miss?: Miss
}

export type Miss =
  | { readonly type: 'list' | 'kind' | 'namespace' | 'name'; readonly wanted: string }
  | { readonly type: 'labels'; readonly clause: string; readonly key: string; readonly change: readonly LabelChange[] | undefined }

/**
 * Returns, for every target of a set, if the target matches an object of the fleet, and if not, the clause that fails (seed 001, Target
 * Unrolling).
 */
export function verdictsOn(object: FleetObject, set: VariantSet, namespace: string, fleet: Fleet): readonly Verdict[] {
  return set.targets.map((target) => verdictOn(object, target, namespace, fleet))
}

function verdictOn(object: FleetObject, target: Target, namespace: string, fleet: Fleet): Verdict {
  const { criteria } = target
  const path = [...target.path, criteria.type]
  if (criteria.type === 'repositories') {
    const entry = isRepository(object) ? criteria.repositories.findIndex(({ name }) => name === object.name) : -1
    return entry === -1
      ? { target, path, miss: { type: 'list', wanted: criteria.repositories.map(({ name }) => name).join(', ') } }
      : { target, path: [...path, entry] }
  }
  const outside = outsideOf(object, criteria, namespace, fleet)
  if (outside !== undefined) return { target, path: [...path, ...outside.field], miss: outside.miss }
  return { target, ...missedLabels(object, path, criteria, fleet) }
}

/** Returns the first of kind, namespace and name in which the object differs from the criteria; undefined if all match. */
function outsideOf(
  { object, name }: FleetObject,
  criteria: RepositoryCriteria | ObjectCriteria,
  namespace: string,
  fleet: Fleet,
): { readonly field: FieldPath; readonly miss: Miss } | undefined {
  const { apiVersion, kind } = criteriaKind(criteria)
  const isOf = (others: readonly FleetObject[]) => others.some((other) => other.object === object)
  if (!isOf(fleet.ofVersion(apiVersion, kind)))
    return {
      field: fieldOf(criteria, kind === object.kind ? 'apiVersion' : 'kind'),
      miss: { type: 'kind', wanted: `${kind} of '${apiVersion}'` },
    }
  if (!isOf(fleet.objectsOf(apiVersion, kind, namespace).all)) return { field: [], miss: { type: 'namespace', wanted: namespace } }
  const wanted = criteria.type === 'objectSelector' ? criteria.name : undefined
  return wanted === undefined || wanted === name ? undefined : { field: ['name'], miss: { type: 'name', wanted } }
}

function fieldOf({ type }: RepositoryCriteria | ObjectCriteria, field: string): FieldPath {
  return type === 'objectSelector' ? [field] : []
}

/** Returns the first clause of the selector that the labels do not meet, with the smallest change of the labels that meets all clauses. */
function missedLabels(
  object: FleetObject,
  path: FieldPath,
  criteria: RepositoryCriteria | ObjectCriteria,
  fleet: Fleet,
): Pick<Verdict, 'path' | 'miss'> {
  const { selector } = criteria
  const clauses = clausesOf(selector)
  const first = clauses.findIndex(({ isMet }) => !isMet(object.labels))
  const clause = clauses[first]
  if (clause === undefined) return { path }
  const { apiVersion, kind } = criteriaKind(criteria)
  const change = smallestLabelChange(selector, object.labels, (key) => usualValues(key, fleet.ofVersion(apiVersion, kind)))
  const miss: Miss = { type: 'labels', clause: clause.text, key: clause.key, change }
  return { path: [...path, ...clausePath(selector, first, clause.key)], miss }
}

/** Returns the path of a clause below its selector: clauses of `matchLabels` are first. */
function clausePath({ matchLabels }: LabelSelector, index: number, key: string): FieldPath {
  return index < matchLabels.size ? ['matchLabels', key] : ['matchExpressions', index - matchLabels.size]
}

/** Returns the values of a label on objects, the most frequent first. */
function usualValues(key: string, objects: readonly FleetObject[]): readonly string[] {
  const texts = objects.flatMap(({ labels }) => labels.get(key) ?? [])
  const values = groupBy(texts, (text) => text)
  return [...values].sort(([, a], [, b]) => b.length - a.length).map(([value]) => value)
}
