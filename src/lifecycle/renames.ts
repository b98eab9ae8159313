import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { groupBy } from '../group-by.ts'
import { readKptfileUpstream } from '../kinds/kptfile-upstream.ts'
import { bareFolder } from '../upstream/origin.ts'
import { ownerFor } from './owner-annotation.ts'
import type { DownstreamPlace, DownstreamPlaces, LifecycleFacts } from './package-steps.ts'

/**
 * Returns the variants whose folder is empty, each with the package that most likely is theirs. In this order:
 * 1. the only package with the variant's owner annotation;
 * 2. the only package of a gone variant with the same repository and upstream, if only this variant lacks one there;
 * 3. the only package of a gone variant that is where the set put it for the same target while the upstream package had another name, if
 *    no other variant could have it for that reason.
 */
export function findRenames(
  variants: readonly FleetVariant[],
  places: DownstreamPlaces,
  alive: ReadonlyMap<string, FleetVariant>,
  facts: LifecycleFacts,
): ReadonlyMap<FleetVariant, FormerPlace> {
  if (places.owned.length === 0) return new Map()
  const wanted = new Set(variants.map((variant) => places.folderOf(variant)))
  const free = places.owned.filter(({ folder }) => !wanted.has(folder))
  const lacking = variants.filter((variant) => places.at(places.folderOf(variant)) === undefined)
  const byOwner = groupBy(free, ({ owner }) => owner?.variant)
  const gone = groupBy(
    free.filter(({ owner }) => owner !== undefined && !alive.has(owner.variant)),
    (place) => JSON.stringify([place.repo, directoryOf(place)]),
  )
  const unowned = groupBy(
    lacking.filter((variant) => !byOwner.has(ownerFor(variant).variant)),
    (variant) => JSON.stringify([variant.downstream.repo, facts.upstreamDirectory(variant)]),
  )
  const owned = lacking.flatMap((variant) => only(variant, byOwner.get(ownerFor(variant).variant)))
  const paired = Array.from(unowned, ([key, [variant, ...others]]) => (others.length === 0 ? only(variant, gone.get(key)) : [])).flat()
  const found = new Map<FleetVariant, FormerPlace>([...owned, ...paired])
  const taken = new Set([...found.values()].map(({ place }) => place.folder))
  const left = [...gone.values()].flat().filter(({ folder }) => !taken.has(folder))
  const candidates = lacking
    .filter((variant) => !found.has(variant))
    .flatMap((variant) =>
      left.flatMap((place) => underOtherUpstream(variant, place, places, facts) ?? []).map((former) => ({ variant, former })),
    )
  const byVariant = groupBy(candidates, ({ variant }) => variant)
  const byPlace = groupBy(candidates, ({ former }) => former.place)
  for (const { variant, former } of candidates)
    if (byVariant.get(variant)?.length === 1 && byPlace.get(former.place)?.length === 1) found.set(variant, former)
  return found
}

/** The place of a variant's package until now. */
export interface FormerPlace {
  readonly place: DownstreamPlace
  /** The name of the upstream package until now; undefined if unchanged. */
  readonly upstreamPackage?: string
}

/** Returns the place if the set gave it to the same target under the upstream package that the package there was made from. */
function underOtherUpstream(
  variant: FleetVariant,
  place: DownstreamPlace,
  places: DownstreamPlaces,
  facts: LifecycleFacts,
): FormerPlace | undefined {
  const directory = directoryOf(place)
  const above = directoryAbove(facts.upstreamDirectory(variant) ?? '', variant.upstream.package)
  if (directory === undefined || above === undefined || !directory.startsWith(above)) return undefined
  const upstreamPackage = directory.slice(above.length)
  const downstream = upstreamPackage === variant.upstream.package ? undefined : facts.formerDownstream(variant, upstreamPackage)
  if (downstream === undefined || places.folderOf({ ...variant, downstream }) !== place.folder) return undefined
  return { place, upstreamPackage }
}

/** Returns the folder of all packages of a repository, with a slash at its end. */
function directoryAbove(directory: string, packageName: string): string | undefined {
  return directory.endsWith(packageName) ? directory.slice(0, directory.length - packageName.length) : undefined
}

/** Returns the variant with its place, if there is exactly one. */
function only(variant: FleetVariant, places: readonly DownstreamPlace[] = []): readonly (readonly [FleetVariant, FormerPlace])[] {
  const [place, ...others] = places
  return place === undefined || others.length > 0 ? [] : [[variant, { place }]]
}

/** Returns the folder of the upstream package that the Kptfile of a package names. */
export function directoryOf(place: DownstreamPlace): string | undefined {
  const kptfile = place.kptfile()
  const directory = kptfile && readKptfileUpstream(kptfile).value.upstream?.directory
  return directory === undefined ? undefined : bareFolder(directory)
}
