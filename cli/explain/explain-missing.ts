import { formatFieldPath } from '../../src/field-path.ts'
import { describeLabel } from '../../src/fleet/change-reason.ts'
import { criteriaKind, type FleetObject } from '../../src/fleet/fleet.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { ExcludedPlace, UnrolledTarget } from '../../src/fleet/targets/unrolled-target.ts'
import { type Miss, type Verdict, verdictsOn } from '../../src/fleet/targets/why-missing.ts'
import type { Target } from '../../src/kinds/target.ts'
import type { LabelChange } from '../../src/kubernetes/label-selector.ts'
import { printable } from '../../src/printable.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import { formatResourceRef } from '../../src/result.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { nameFirst } from '../../src/wording.ts'
import { onlyInCluster } from '../fleet/cluster-option.ts'
import { placed } from '../print/print-results.ts'
import type { Styles } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import { type ExplainAnswer, nameObject, type Planned, placeText } from './explain-text.ts'
import { describeObject, type PlacedObject } from './explanation.ts'

/** The verdict of every target of a fleet on one object. */
interface MissingView {
  readonly object: PlacedObject
  readonly sets: readonly (PlacedObject & { readonly targets: readonly TargetView[] })[]
}

interface TargetView {
  /** The list or selector, or the clause of it that fails. */
  readonly path: string
  readonly place?: string
  readonly matches: boolean
  /** The variants that the object gives. */
  readonly variants?: readonly string[]
  /** The upstream packages of which the object has no variant, each with the exclusion of the set. */
  readonly excluded?: readonly ExcludedView[]
  readonly reason?: string
  /** The fewest labels to set, or without a value to take away; not there when no labels would do. */
  readonly labels?: readonly LabelChange[]
}

type ExcludedView = ReturnType<typeof viewExcluded>

/**
 * Returns, for each target, the reason why the target leaves out an object.
 *
 * @param name  NAME, KIND/NAME, NAMESPACE/NAME or KIND/NAMESPACE/NAME
 * @throws UsageError when the folder has no such object, or several
 */
export function explainMissing(name: string, planned: Planned): ExplainAnswer {
  const object = findObject(name, planned)
  const { plan, isAsked } = planned
  const sets = onlyInCluster(plan.sets, isAsked).flatMap((set) => {
    if (set.set === undefined) return []
    const verdicts = verdictsOn(object, set.set, set.owner.namespace, plan.fleet)
    return [{ ...describeObject(set.object), targets: verdicts.map((verdict) => viewTarget(verdict, object, set)) }]
  })
  const view: MissingView = { object: describeObject(object.object), sets }
  return { view, text: (styles) => missingText(view, styles) }
}

function findObject(name: string, planned: Planned): FleetObject {
  const named = allObjects(planned).map((object) => ({ object, names: namesOf(object) }))
  const selected = new Set(planned.plan.sets.flatMap(({ set }) => set?.targets.map(({ criteria }) => selectedKind(criteria)) ?? []))
  const matched = named.filter(({ names }) => names.includes(name))
  const likely = matched.filter(({ object }) => selected.has(object.kind))
  const [found, ...others] = likely.length > 0 ? likely : matched
  if (found === undefined) {
    const targets = named.filter(({ object }) => selected.has(object.kind)).map(({ object: { kind, name: own } }) => `${kind}/${own}`)
    throw noObject(name, [...new Set(named.flatMap(({ names }) => names))], targets)
  }
  if (others.length === 0) return found.object
  const all = [found, ...others].map(({ object }) => `  ${printable(formatResourceRef(object.object.ref))}`)
  throw new UsageError(`several objects are '${name}':\n${all.join('\n')}`)
}

/**
 * Returns the error for an unknown object: the nearest name, else the first names that hold the text, else the first objects of kinds that
 * targets select.
 */
function noObject(name: string, names: readonly string[], targets: readonly string[]): UsageError {
  const near = didYouMean(name, names)
  const holding = names
    .filter((each) => !each.includes('/') && each.includes(name))
    .sort((a, b) => Number(b.startsWith(name)) - Number(a.startsWith(name)))
  const others =
    targets.length === 0
      ? '; the folder has no object of a kind that targets select'
      : `; the objects that targets may select are ${nameFirst(targets, NAMED_OBJECTS)}`
  const parts = holding.length === 0 ? others : `, but with it in the name: ${nameFirst(holding, NAMED_OBJECTS)}`
  return new UsageError(`no object '${name}'${near || parts}`)
}

const NAMED_OBJECTS = 10

function selectedKind(criteria: Target['criteria']): string {
  return criteria.type === 'repositories' ? 'Repository' : criteriaKind(criteria).kind
}

/** Returns the objects of a folder that could be targets. */
function allObjects({ plan: { fleet }, items }: Planned): readonly FleetObject[] {
  const kinds = new Map(
    items.map(({ apiVersion = '', kind = '' }) => [`${groupOf(apiVersion)} ${kind}`, { group: groupOf(apiVersion), kind }]),
  )
  return [...kinds.values()].flatMap(({ group, kind }) => fleet.allOf(group, kind))
}

function namesOf({ kind, namespace, name }: FleetObject): readonly string[] {
  return [name, `${kind}/${name}`, `${namespace}/${name}`, `${kind}/${namespace}/${name}`]
}

function viewTarget({ path, target, miss }: Verdict, object: FleetObject, set: SetPlan): TargetView {
  const at = { path: formatFieldPath(path), ...placed(set.object, path), matches: miss === undefined }
  if (miss !== undefined)
    return { ...at, reason: describeMiss(miss, object), ...(miss.type === 'labels' && miss.change && { labels: miss.change }) }
  const isOfPlace = (place: UnrolledTarget | undefined) =>
    place?.target === target && (place.object?.object === object.object || place.repoDefault === object.name)
  const variants = set.changes.flatMap(({ name, why }) => (isOfPlace(why?.place) ? [name] : []))
  const excluded = (set.draft?.unrolled ?? []).flatMap((unrolled) =>
    unrolled.excluded.flatMap((each) => (isOfPlace(each.place) ? [viewExcluded(each, set)] : [])),
  )
  return { ...at, variants, ...(excluded.length > 0 && { excluded }) }
}

function viewExcluded({ place, exclusion: { path, reason } }: ExcludedPlace, { object }: SetPlan) {
  const { package: packageName } = place.upstream.upstream
  return { package: packageName, path: formatFieldPath(path), ...placed(object, path), ...(reason !== undefined && { reason }) }
}

function describeMiss(miss: Miss, { apiVersion, kind, namespace, name, labels }: FleetObject): string {
  switch (miss.type) {
    case 'list':
      return `lists the repositories ${miss.wanted}, not ${kind} ${name}`
    case 'kind':
      return `selects ${miss.wanted}, it is a ${kind} of '${apiVersion}'`
    case 'namespace':
      return `selects in namespace '${miss.wanted}', it is in '${namespace}'`
    case 'name':
      return `selects the name '${miss.wanted}', it is '${name}'`
    case 'labels':
      return `${miss.clause} does not hold ${describeLabel(miss.key, labels)}${miss.change === undefined ? '; no labels meet all clauses' : ''}`
  }
}

function missingText({ object, sets }: MissingView, styles: Styles): string {
  const parts = sets.map(
    ({ targets, ...set }) => `${nameObject(set, styles)}\n${targets.map((target) => targetText(target, styles)).join('')}`,
  )
  return [`${styles.strong(nameObject(object, styles))}\n`, ...parts].join('\n')
}

function targetText({ path, place, matches, variants = [], excluded = [], reason = '', labels }: TargetView, styles: Styles): string {
  const isTaken = matches && (variants.length > 0 || excluded.length === 0)
  const head = `  ${isTaken ? styles.added('✓') : styles.removed('✗')} ${printable(path)}${placeText(place, styles)}\n`
  const given = variants.map((name) => `      gives ${printable(name)}\n`)
  if (matches) return [head, ...given, ...excluded.map((each) => excludedText(each, styles))].join('')
  const advice = labels === undefined ? '' : `      would match with ${printable(labels.map(describeChange).join(' and '))}\n`
  return `${head}      ${printable(reason)}\n${advice}`
}

function excludedText({ package: packageName, path, place, reason }: ExcludedView, styles: Styles): string {
  const because = reason === undefined ? '' : `: ${reason}`
  return `      ${printable(`${path} takes away ${packageName}${because}`)}${placeText(place, styles)}\n`
}

function describeChange({ key, value }: LabelChange): string {
  return value === undefined ? `no label ${key}` : `${key}=${value}`
}
