import { type Fleet, readFleet } from '../fleet/fleet.ts'
import { type FleetVariant, readVariants, VariantNames } from '../fleet/fleet-variants.ts'
import { formerDownstreamFinder } from '../fleet/former-downstreams.ts'
import { ownerFor } from '../lifecycle/owner-annotation.ts'
import type { DownstreamPlaces, LeftoverStep, VariantStep } from '../lifecycle/package-steps.ts'
import { planLifecycle } from '../lifecycle/plan-lifecycle.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { UnreadObjects } from '../resource-list/resource-list.ts'
import type { Result } from '../result.ts'
import { Chain, type DownstreamFolders, makersFirst } from '../upstream/chain.ts'
import type { PackageSource } from '../upstream/source-package.ts'
import { UpstreamLibrary } from '../upstream/upstream-library.ts'
import type { UpstreamRevision } from '../upstream/upstream-search.ts'
import { isPackageVariant } from '../variant/find-variant.ts'
import { readSources } from '../variant/injection/injection-source.ts'
import { CloneLibrary } from './clone/clone-library.ts'
import { MergeScopes } from './clone/merge-scope.ts'
import { upstreamsOfVariants } from './found-upstreams.ts'
import type { RenderOptions } from './options.ts'
import { faultsOfRemovals } from './removed-packages.ts'
import type { RenderContext } from './render-request.ts'
import type { PackageFunctions } from './runs/package-functions.ts'

/** A fleet to be rendered, and the places of its packages. */
export interface FleetToRender {
  /** The objects that describe the fleet, its PackageVariants included. */
  readonly items: readonly KrmObject[]
  readonly options: RenderOptions
  /** Returns true for a name that the fleet had before that of the options: packages with this name are its own. */
  readonly hadName?: (fleet: string) => boolean
  /** Returns true for a name that packages keep, instead of that of the options. */
  readonly keepsName?: (fleet: string) => boolean
  readonly packageSource: PackageSource
  readonly places: (fleet: Fleet) => DownstreamPlaces
  /** The packages of the fleet as they are; unset where no variant can be made from the package of another one. */
  readonly downstreams?: DownstreamFolders
  /**
   * The variants to render; packages of other variants stay unchanged. If unset, all variants are rendered, and a package of no variant
   * is a leftover.
   */
  readonly selection?: RenderSelection
  /** Runs the functions of packages; undefined to leave that to kpt or Porch. */
  readonly functions?: PackageFunctions
  /** The findings about documents of the fleet that are no objects, but may declare part of it: nothing is removed because of them. */
  readonly passedOver?: readonly Result[] | undefined
  readonly setAside?: UnreadObjects['setAside']
  /** The number of variants that are not among the items, and those of their names that begin with the name of one among them. */
  readonly elsewhere?: { readonly count: number; readonly names: readonly string[] }
}

export interface RenderSelection {
  has(variant: FleetVariant): boolean
  /**
   * Returns true if a package whose variant is gone may be removed.
   *
   * @param owner  `NAMESPACE/NAME` of the variant that the package was made for
   */
  mayGo(owner: string, repo: string): boolean
}

/** The plan of a run, before any package is rendered. With an error among the results, none must be rendered. */
export interface RenderPlan {
  readonly steps: readonly (VariantStep & { readonly upstream: UpstreamRevision })[]
  readonly leftovers: readonly LeftoverStep[]
  readonly results: readonly Result[]
  readonly renderContext: RenderContext
  /** The packages that other packages are made from; unset where there are none. */
  readonly chain?: Chain<FleetVariant>
}

/**
 * Reads the variants of a fleet, finds their upstreams, and plans the step of each package. All faults are in the results, none is
 * thrown.
 */
export function planRender(request: FleetToRender): RenderPlan {
  const { items, hadName = () => false, packageSource, places, downstreams, selection, functions, elsewhere } = request
  const fleet = readFleet(items)
  const read = readVariants(items.filter(isPackageVariant))
  const variants = read.variants.filter((variant) => selection?.has(variant) !== false)
  const everyPlace = places(fleet)
  const options = withKeptName(request, everyPlace)
  const chain = downstreams && new Chain(read.variants, downstreams, options.clone)
  const upstreams = new UpstreamLibrary(packageSource, fleet, options, chain)
  const found = upstreamsOfVariants(variants, upstreams)
  const formerDownstream = formerDownstreamFinder(items)
  const plan = planLifecycle(variants, selected(everyPlace, variants, read.variants, selection), {
    options,
    hadName,
    everyVariant: read.variants,
    others: elsewhere?.count ?? 0,
    everyOwned: everyPlace.owned,
    formerDownstream: ({ object }, upstreamPackage) => formerDownstream(object, upstreamPackage),
    upstreamDirectory: (variant) => found.revisions.get(variant)?.origin.directory,
  })
  const steps = plan.steps.flatMap((step) => withUpstream(step, found.revisions.get(step.variant)))
  const circles = chain?.circles() ?? []
  return {
    steps: circles.length > 0 ? [] : makersFirst(steps),
    leftovers: plan.leftovers,
    results: [...read.results, ...found.results, ...plan.results, ...faultsOfRemovals(request, { ...plan, steps }, everyPlace), ...circles],
    ...(chain && { chain }),
    renderContext: {
      options,
      upstreams,
      clones: new CloneLibrary(options.clone),
      ...(functions !== undefined && { functions }),
      scopes: new MergeScopes(),
      sources: readSources(items),
      variantNames: new VariantNames([...read.variants.map(({ name }) => name), ...(elsewhere?.names ?? [])]),
    },
  }
}

/** Returns the options with the name of the fleet that its packages keep, if there is one and no package has the present name. */
function withKeptName({ options, keepsName = () => false }: FleetToRender, { owned }: DownstreamPlaces): RenderOptions {
  const names = new Set(owned.flatMap(({ owner }) => owner?.fleet ?? []))
  if (options.fleet !== undefined && names.has(options.fleet)) return options
  const kept = [...names].find((name) => keepsName(name))
  return kept === undefined ? options : { ...options, fleet: kept }
}

/** Returns the places without packages that belong to unselected variants. */
function selected(
  places: DownstreamPlaces,
  variants: readonly FleetVariant[],
  everyVariant: readonly FleetVariant[],
  selection: RenderSelection | undefined,
): DownstreamPlaces {
  if (selection === undefined) return places
  const own = ownersOf(variants)
  const alive = ownersOf(everyVariant)
  const owned = places.owned.filter(
    ({ owner, repo }) =>
      owner !== undefined && (own.has(owner.variant) || (!alive.has(owner.variant) && selection.mayGo(owner.variant, repo))),
  )
  return { ...places, owned }
}

function ownersOf(variants: readonly FleetVariant[]): ReadonlySet<string> {
  return new Set(variants.map((variant) => ownerFor(variant).variant))
}

function withUpstream(step: VariantStep, upstream: UpstreamRevision | undefined): RenderPlan['steps'] {
  return upstream === undefined ? [] : [{ ...step, upstream }]
}
