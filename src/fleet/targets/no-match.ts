import { groupBy } from '../../group-by.ts'
import type { ObjectCriteria, RepositoryCriteria } from '../../kinds/target.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import { type Clause, clausesOf, EVERYTHING } from '../../kubernetes/label-selector.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { Result } from '../../result.ts'
import { quoteNames } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { asQuestion, didYouMean } from '../../schema/nearest-name.ts'
import { nameFirst } from '../../wording.ts'
import { criteriaKind, type Fleet, type FleetObject, otherVersions, type SetSurroundings } from '../fleet.ts'
import { SelectableObjects } from './selectable-objects.ts'
import type { Unrolled } from './unrolled-target.ts'

const NAMED_VALUES = 10

/** Returns a warning for each selector that matches nothing, with the reason (seed 001, Empty results handling). */
export function noMatchWarnings(set: VariantSet, unrolled: readonly Unrolled[], surroundings: SetSurroundings): Result[] {
  return unrolled.flatMap(({ target: { path, criteria }, places, excluded, findings }) => {
    const isAnswered = places.length + excluded.length > 0 || findings.some(({ severity }) => severity === 'error')
    if (criteria.type === 'repositories' || isAnswered) return []
    const { kind } = criteriaKind(criteria)
    const message = `matches no ${kind} of the list: ${whyNone(criteria, surroundings)}`
    return [faultToResult(set.object, { severity: 'warning', rule: 'no-match', path: [...path, criteria.type], message })]
  })
}

/** Returns the first reason why no object is left: placeholders, the kind, version, namespace, name or labels. */
function whyNone(criteria: RepositoryCriteria | ObjectCriteria, surroundings: SetSurroundings): string {
  const { fleet, namespace } = surroundings
  const { apiVersion, kind } = criteriaKind(criteria)
  if (fleet.placeholdersOf(apiVersion, kind, namespace).matching(criteria).length > 0)
    return 'all that match are placeholders inside packages'
  const none = whyNoneOfKind({ apiVersion, kind }, surroundings)
  if (none !== undefined) return none
  const here = fleet.objectsOf(apiVersion, kind, namespace)
  const name = criteria.type === 'objectSelector' ? criteria.name : undefined
  const named = name === undefined ? here : new SelectableObjects(here.matching({ name, selector: EVERYTHING }))
  if (named.all.length === 0) return `none is named '${name}'${asQuestion(fleet.nearestAmong(here.names)(name ?? ''))}`
  return whyNoLabels(clausesOf(criteria.selector), named, fleet)
}

/**
 * Returns the reason why the list has no object of a kind in a namespace: the kind, its version, placeholders, the namespace; undefined if
 * it has one.
 */
export function whyNoneOfKind(
  { apiVersion, kind }: Pick<ObjectCriteria, 'apiVersion' | 'kind'>,
  { fleet, namespace }: Pick<SetSurroundings, 'fleet' | 'namespace'>,
): string | undefined {
  const all = fleet.allOf(groupOf(apiVersion), kind)
  if (all.length === 0) return `it has no kind '${kind}' of '${apiVersion}'${otherKind({ apiVersion, kind }, fleet)}`
  const versions = otherVersions({ apiVersion, kind }, fleet)
  if (versions !== undefined) return `${versions}, and ${whatIsServed(apiVersion, kind, fleet)}`
  if (fleet.objectsOf(apiVersion, kind, namespace).all.length > 0) return undefined
  if (fleet.placeholdersOf(apiVersion, kind, namespace).all.length > 0)
    return `all in namespace '${namespace}' are placeholders inside packages`
  return `none is in namespace '${namespace}'; ${countNamespaces(fleet.ofVersion(apiVersion, kind))}`
}

function otherKind({ apiVersion, kind }: Pick<ObjectCriteria, 'apiVersion' | 'kind'>, fleet: Fleet): string {
  const names = fleet.kindNames()
  if (names.includes(kind)) return fleet.holds(groupOf(apiVersion), kind) ? ' with a name' : ', but of another group'
  // A list of the kind is named where it stands.
  return didYouMean(
    kind,
    names.filter((each) => each !== `${kind}List`),
  )
}

function whatIsServed(apiVersion: string, kind: string, { kinds }: Fleet): string {
  const served = kinds.servedVersions(groupOf(apiVersion), kind)
  return served === undefined
    ? `no CustomResourceDefinition that serves '${apiVersion}'`
    : `a CustomResourceDefinition that serves ${quoteNames([...served])} only`
}

/** Returns the number of objects by namespace: `7 in 'default', 1 in 'porch'`. */
function countNamespaces(objects: readonly FleetObject[]): string {
  const byNamespace = groupBy(objects, ({ namespace }) => namespace)
  const counts = Array.from(byNamespace, ([namespace, { length }]) => `${length} in '${namespace}'`)
  return nameFirst(counts, NAMED_VALUES)
}

/** Proposes the nearest label, else lists the labels of the objects. */
function describeLabels(key: string, { keys: labels }: SelectableObjects<FleetObject>, { nearestAmong }: Fleet): string {
  if (labels.length === 0) return ', or any other'
  return (
    asQuestion(nearestAmong(labels)(key)) ||
    `; the label${labels.length === 1 ? ' is' : 's are'} ${nameFirst(labels, NAMED_VALUES, inQuotes)}`
  )
}

/**
 * Describes the first clause that no object meets, with the values of the objects. If each clause is met by some object, no object meets
 * all.
 */
function whyNoLabels(clauses: readonly Clause[], objects: SelectableObjects<FleetObject>, fleet: Fleet): string {
  const unmet = clauses.find((clause) => !objects.someMeet(clause))
  if (unmet === undefined) return `none meets ${clauses.map(({ text }) => text).join(' and ')} together`
  const { text, key, values } = unmet
  const found = objects.valuesOf(key)
  if (found.length === 0) return `none has the label '${key}'${describeLabels(key, objects, fleet)}`
  const [wanted] = values
  const hint = wanted === undefined ? '' : asQuestion(fleet.nearestAmong(found)(wanted))
  return `none meets ${text}; '${key}' has the value${found.length === 1 ? '' : 's'} ${nameFirst(found, NAMED_VALUES, inQuotes)}${hint}`
}

function inQuotes(text: string): string {
  return `'${text}'`
}
