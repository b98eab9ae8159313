import type { FieldPath } from '../field-path.ts'
import type { Target } from '../kinds/target.ts'
import type { Template } from '../kinds/template.ts'
import type { VariantSet } from '../kinds/variant-set.ts'
import { clausesOf, EVERYTHING } from '../kubernetes/label-selector.ts'
import { once } from '../remember.ts'
import type { DesiredSet } from './desired-set.ts'
import { downstreamKey, downstreamOf, type VariantDownstream } from './downstream.ts'
import { criteriaKind, type FleetObject, type SetSurroundings } from './fleet.ts'
import { unrollTargets } from './targets/unroll-targets.ts'
import type { ExcludedPlace, UnrolledTarget } from './targets/unrolled-target.ts'
import { readUnrolling } from './targets/unrolling.ts'
import { renderVariant } from './templates/render-variant.ts'

/**
 * The reason why a set does not ask for a variant that it owns: a clause leaves out the object that would ask for the variant, or the
 * object is missing.
 */
export type WhyNot = LeftOut | Gone | Excluded

interface LeftOut {
  readonly type: 'left-out'
  readonly path: FieldPath
  readonly object: FleetObject
  /** The first clause of the selector that the object does not meet, as kubectl prints it. */
  readonly clause: string
  /** The label of the clause. */
  readonly key: string
}

/** A place of the variant's downstream that an exclusion takes away. */
interface Excluded extends ExcludedPlace {
  readonly type: 'excluded'
  readonly path: FieldPath
}

/** The object that a selector would have to match for the variant's downstream; the list has no object of that name. */
interface Gone {
  readonly type: 'gone'
  readonly path: FieldPath
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
}

/**
 * Returns a function that returns the reason why the set does not ask for a variant; undefined if the reason is not known. Reasons are
 * computed on the first call.
 */
export function whyNotFinder(
  set: VariantSet,
  draft: DesiredSet,
  surroundings: SetSurroundings,
): (existing: FleetObject) => WhyNot | undefined {
  const leftOut = once(() => leftOutPlaces(set, draft, surroundings))
  const excluded = once(() => excludedPlaces(draft))
  return (existing) => {
    const downstream = downstreamOf(existing)
    if (downstream === undefined) return undefined
    const key = downstreamKey(downstream)
    return excluded().get(key) ?? leftOut().get(key) ?? goneObject(set, downstream, surroundings)
  }
}

/** Returns the places that exclusions take away, by downstream. Each of them is rendered. */
function excludedPlaces({ unrolled, context }: DesiredSet): ReadonlyMap<string, Excluded> {
  return new Map(
    unrolled.flatMap(({ excluded }) =>
      excluded.map(({ place, exclusion }) => [
        downstreamKey(renderVariant(place, context)),
        { type: 'excluded' as const, path: exclusion.path, place, exclusion },
      ]),
    ),
  )
}

/**
 * Returns the places that a set would have if its selectors matched every object, by downstream. Every object of the selected kinds is
 * rendered.
 */
function leftOutPlaces(set: VariantSet, { context }: DesiredSet, surroundings: SetSurroundings): ReadonlyMap<string, LeftOut> {
  const narrow = new Map(set.targets.map((target) => [widen(target), target]))
  const unrolled = unrollTargets({ ...set, targets: [...narrow.keys()] }, readUnrolling(set, surroundings, context.compiler), surroundings)
  const missed = unrolled.flatMap(({ target, places }) =>
    places.flatMap((place) => {
      const leftOut = leftOutBy(narrow.get(target), place)
      return leftOut === undefined ? [] : [[downstreamKey(renderVariant(place, context)), leftOut] as const]
    }),
  )
  return new Map(missed)
}

/** Returns a target with a selector that matches every object. */
function widen(target: Target): Target {
  const { criteria } = target
  return { ...target, criteria: criteria.type === 'repositories' ? criteria : { ...criteria, selector: EVERYTHING } }
}

/** Returns the clause that leaves out a place; undefined if the original target has the place too. */
function leftOutBy(target: Target | undefined, { path, object }: UnrolledTarget): LeftOut | undefined {
  if (target === undefined || object === undefined || target.criteria.type === 'repositories') return undefined
  const unmet = clausesOf(target.criteria.selector).find(({ isMet }) => !isMet(object.labels))
  return unmet && { type: 'left-out', path, object, clause: unmet.text, key: unmet.key }
}

/**
 * Returns the object that is missing for a downstream. A selector without a template for the repository gives each object the repository
 * of its name, so the name of the repository is that of the object.
 */
function goneObject(
  { targets, upstreams, template: common }: VariantSet,
  downstream: VariantDownstream,
  { fleet, namespace }: SetSurroundings,
): Gone | undefined {
  const setsField = (field: 'repo' | 'package', template: Template | undefined): boolean =>
    [common, template, ...upstreams.map((upstream) => upstream.template)].some((layer) => layer?.downstream[field] !== undefined)
  for (const { path, criteria, template } of targets) {
    if (criteria.type === 'repositories' || setsField('repo', template)) continue
    const names = criteria.packageNames.length === 0 ? upstreams.map((upstream) => upstream.package) : criteria.packageNames
    if (!setsField('package', template) && !names.includes(downstream.package)) continue
    const { apiVersion, kind } = criteriaKind(criteria)
    const isThere = fleet.objectsOf(apiVersion, kind, namespace).all.some(({ name }) => name === downstream.repo)
    if (!isThere) return { type: 'gone', path: [...path, criteria.type], apiVersion, kind, name: downstream.repo }
  }
  return undefined
}
