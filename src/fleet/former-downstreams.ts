import type { VariantSet } from '../kinds/variant-set.ts'
import { once, remember } from '../remember.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { downstreamKey, downstreamOf, type VariantDownstream } from './downstream.ts'
import { type Fleet, readFleet, type SetSurroundings } from './fleet.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { ownerFinder } from './ownership.ts'
import { findSets } from './sets.ts'
import { unrollTargets } from './targets/unroll-targets.ts'
import { readUnrolling } from './targets/unrolling.ts'
import { renderVariant, type TemplateContext, templateContext } from './templates/render-variant.ts'
import type { RenderedVariant } from './templates/rendered-variant.ts'
import { templateCompiler } from './templates/template-programs.ts'
import { findUpstream } from './upstream.ts'

/** Returns, for another upstream package, the downstream that each place of a set had, by `downstreamKey` of its present downstream. */
export type FormerDownstreams = (upstreamPackage: string) => ReadonlyMap<string, VariantDownstream>

/**
 * Returns a function that renders the places of a set as they were before its upstream package was renamed, each name once. A place is
 * left out if its downstream repository changes with the name, or if the place cannot be rendered under the name. A set of several
 * upstreams has no former downstreams: a package that is gone may have been any of its upstreams.
 *
 * Example: a set of `shop` for the repository `ams` gives `ams/shop`; under `web` it gave `ams/web`.
 *
 * @param rendered  the variants that the set asks for, in the order of its places
 */
export function formerDownstreams(
  set: VariantSet,
  surroundings: SetSurroundings,
  { context, rendered }: { readonly context: TemplateContext; readonly rendered: readonly RenderedVariant[] },
): FormerDownstreams {
  const known = new Map<string, ReadonlyMap<string, VariantDownstream>>()
  return (upstreamPackage) => remember(known, upstreamPackage, () => rendersOf(set, upstreamPackage, surroundings, { context, rendered }))
}

function rendersOf(
  set: VariantSet,
  upstreamPackage: string,
  surroundings: SetSurroundings,
  { context, rendered }: { readonly context: TemplateContext; readonly rendered: readonly RenderedVariant[] },
): ReadonlyMap<string, VariantDownstream> {
  const [present, ...others] = set.upstreams
  if (present === undefined || others.length > 0) return new Map()
  const upstream = { ...present, package: upstreamPackage, written: { ...present.written, package: upstreamPackage } }
  const revision = findUpstream(upstream, surroundings).revision ?? findUpstream(present, surroundings).revision
  const found = { upstream, fields: upstream.written, ...(revision && { revision }), faults: [] }
  const unrolling = { ...readUnrolling(set, surroundings, context.compiler), upstreams: { all: [found], of: () => found } }
  const places = unrollTargets({ ...set, upstreams: [upstream] }, unrolling, surroundings).flatMap((unrolled) => unrolled.places)
  if (places.length !== rendered.length) return new Map()
  return new Map(
    places.flatMap((place, index) => {
      const now = rendered[index]
      const then = renderVariant(place, context)
      if (now === undefined || !now.isWhole || !then.isWhole || now.repo !== then.repo) return []
      return [[downstreamKey(now), { repo: then.repo, package: then.package }] as const]
    }),
  )
}

/**
 * Returns a function for the downstream that a PackageVariant of a list would have had under another upstream package of its set; the
 * function returns undefined for a variant without a set. The sets are read on the first call.
 */
export function formerDownstreamFinder(
  items: readonly KrmObject[],
): (variant: KrmObject, upstreamPackage: string) => VariantDownstream | undefined {
  const formerOf = once(() => formerDownstreamsBySet(items, readFleet(items)))
  return (variant, upstreamPackage) => formerOf().get(variant)?.(upstreamPackage)
}

type FormerDownstream = (upstreamPackage: string) => VariantDownstream | undefined

function formerDownstreamsBySet(items: readonly KrmObject[], fleet: Fleet): ReadonlyMap<KrmObject, FormerDownstream> {
  const sets = findSets({ items, functionConfig: undefined }, fleet.kinds)
  const findOwner = ownerFinder(sets.map(({ owner }) => owner))
  const compiler = templateCompiler(fleet)
  const bySet = new Map(
    sets.flatMap(({ set, owner }) => {
      if (set === undefined) return []
      const surroundings = { fleet, namespace: owner.namespace, lookups: DEFAULT_OPTIONS.lookups }
      const context = templateContext(set, compiler, fleet.repositories(owner.namespace))
      const places = unrollTargets(set, readUnrolling(set, surroundings, compiler), surroundings).flatMap((unrolled) => unrolled.places)
      const rendered = places.map((place) => renderVariant(place, context))
      return [[owner, formerDownstreams(set, surroundings, { context, rendered })] as const]
    }),
  )
  return new Map(
    fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').flatMap((variant) => {
      const owner = findOwner(variant)
      const former = owner && bySet.get(owner)
      const key = downstreamKey(downstreamOf(variant))
      return former === undefined ? [] : [[variant.object, (upstreamPackage: string) => former(upstreamPackage).get(key)] as const]
    }),
  )
}
