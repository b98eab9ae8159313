import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { hasErrors, type Result } from '../result.ts'
import { downstreamConflicts, downstreamPathFaults, insideLeftovers } from './conflicts.ts'
import {
  adopted,
  copyFound,
  type ForeignPackage,
  moved,
  notAdopted,
  occupied,
  otherFleets,
  refuseRemovals,
  removedResult,
  renamed,
  takenOver,
  throughLink,
  upstreamRenamed,
} from './lifecycle-results.ts'
import { type OwnerAnnotation, ownerFor } from './owner-annotation.ts'
import type { DownstreamPlace, DownstreamPlaces, LeftoverStep, LifecycleFacts, VariantStep } from './package-steps.ts'
import { type FormerPlace, findRenames } from './renames.ts'
import { targetRenames } from './target-renames.ts'

/** The steps of all packages of a fleet. With an error among the results, no step must be done. */
export interface LifecyclePlan {
  /** In the order of the variants. */
  readonly steps: readonly VariantStep[]
  readonly leftovers: readonly LeftoverStep[]
  /** The package of each variant that has one in another folder, whether the step moves the package or makes a new one. */
  readonly renames: ReadonlyMap<FleetVariant, FormerPlace>
  readonly results: readonly Result[]
}

/**
 * Plans the step of every variant's package, and of the packages whose variants are gone (seed 000, Adoption and Deletion Policies). A
 * folder represents a draft.
 */
export function planLifecycle(variants: readonly FleetVariant[], everyPlace: DownstreamPlaces, facts: LifecycleFacts): LifecyclePlan {
  const isOurs = ({ owner }: DownstreamPlace): boolean => !isOfOther(owner, facts)
  const places = { ...everyPlace, owned: everyPlace.owned.filter(isOurs) }
  const faults = placeFaults(facts.everyVariant, places)
  if (hasErrors(faults)) return { steps: [], leftovers: [], renames: new Map(), results: faults }
  const alive = new Map(facts.everyVariant.map((variant) => [ownerFor(variant).variant, variant]))
  const renames = findRenames(variants, places, alive, facts)
  const planned = variants.map((variant) => planVariant(variant, places, alive, renames.get(variant), facts))
  const steps = planned.flatMap(({ step }) => step ?? [])
  const doings = { steps, renames, alive }
  const { leftovers, copies } = sortOwned(places.owned, doings)
  const removals = {
    variants: facts.everyVariant.length + facts.others,
    existing: places.owned.length,
    hasOwn: leftovers.length === 0 || hasOwn(facts.everyOwned.filter(isOurs), places, doings),
    leftovers,
  }
  const results = [
    ...planned.flatMap((each) => each.results),
    ...otherFleets(
      planned.flatMap(({ foreign }) => foreign ?? []),
      facts.options,
    ),
    ...insideLeftovers(steps, leftovers),
    ...refuseRemovals(removals, facts.options),
    ...targetRenames(steps, leftovers, places, facts),
    ...leftovers.map(removedResult),
    ...copies.flatMap(({ place, variant }) => copyFound(place, places.folderOf(variant))),
  ]
  return { steps, leftovers, renames, results }
}

/** Returns the faults of downstreams that are no folder of their own, and of owner annotations that cannot be read. */
function placeFaults(variants: readonly FleetVariant[], places: DownstreamPlaces): readonly Result[] {
  const faults = new Map(variants.map((variant) => [variant, downstreamPathFaults(variant)]))
  const sound = variants.filter((variant) => faults.get(variant)?.length === 0)
  return [
    ...places.faults,
    ...[...faults.values()].flat(),
    ...downstreamConflicts(sound, places.folderOf),
    ...sound.flatMap((variant) => throughLink(variant, places)),
  ]
}

/**
 * Returns true if a package names another fleet as its own. A package without a fleet's name, such as one that a function made, counts
 * as this fleet's.
 */
function isOfOther(owner: OwnerAnnotation | undefined, { options: { fleet }, hadName }: LifecycleFacts): boolean {
  return fleet !== undefined && owner?.fleet !== undefined && owner.fleet !== fleet && !hadName(owner.fleet)
}

interface PlannedVariant {
  readonly step?: VariantStep
  /** The package of another fleet at the downstream. */
  readonly foreign?: ForeignPackage
  readonly results: readonly Result[]
}

function planVariant(
  variant: FleetVariant,
  places: DownstreamPlaces,
  alive: ReadonlyMap<string, FleetVariant>,
  from: FormerPlace | undefined,
  facts: LifecycleFacts,
): PlannedVariant {
  const { options } = facts
  const folder = places.folderOf(variant)
  const place = places.at(folder)
  if (place !== undefined) return planPresent(variant, place, alive, facts)
  if (from === undefined) return { step: { op: 'create', variant, folder }, results: [] }
  if (options.followRenames)
    return { step: { op: 'update', variant, folder, movedFrom: from.place.folder }, results: [moved(variant, from.place, folder)] }
  const isRefused = from.upstreamPackage !== undefined && !options.discardEdits
  return {
    step: { op: 'create', variant, folder },
    results: [isRefused ? upstreamRenamed(variant, from) : renamed(variant, from.place, folder)],
  }
}

/** Plans the step of a variant whose folder has content: its own package, that of a gone variant, or something else. */
function planPresent(
  variant: FleetVariant,
  place: DownstreamPlace,
  alive: ReadonlyMap<string, FleetVariant>,
  facts: LifecycleFacts,
): PlannedVariant {
  const { folder, owner, isPackage } = place
  const isOther = isOfOther(owner, facts)
  if (isOther && variant.adoptionPolicy !== 'adoptExisting') return { foreign: { variant, place }, results: [] }
  const update: VariantStep = { op: 'update', variant, folder }
  if (!isOther && owner?.variant === ownerFor(variant).variant) return { step: update, results: [] }
  if (!isOther && owner !== undefined && !alive.has(owner.variant)) return { step: update, results: [takenOver(variant, place, owner)] }
  if (variant.adoptionPolicy !== 'adoptExisting') {
    const fault = place.kptfileFault()
    return fault === undefined ? { step: { op: 'leave', variant, folder }, results: [notAdopted(variant, place)] } : { results: [fault] }
  }
  if (!isPackage) return { results: [occupied(variant, place)] }
  return { step: update, results: [adopted(variant, place)] }
}

/** Packages with an owner annotation in folders that no variant wants. */
interface OwnedPlaces {
  readonly leftovers: readonly LeftoverStep[]
  /** Packages of variants that have their package elsewhere: copies, which may hold people's edits. */
  readonly copies: readonly CopiedPlace[]
}

interface CopiedPlace {
  readonly place: DownstreamPlace
  /** The variant that the copy's owner annotation names. */
  readonly variant: FleetVariant
}

/** The steps of variants, and the facts to judge other packages by. */
interface Doings {
  readonly steps: readonly VariantStep[]
  /** The places of variants' packages until now. */
  readonly renames: ReadonlyMap<FleetVariant, FormerPlace>
  /** Every variant by its owner annotation: `NAMESPACE/NAME`. */
  readonly alive: ReadonlyMap<string, FleetVariant>
}

/** Divides the packages that no step keeps into leftovers of variants and copies of packages. */
function sortOwned(owned: readonly DownstreamPlace[], { steps, renames, alive }: Doings): OwnedPlaces {
  const kept = foldersOf(steps)
  const outgrown = new Set([...renames.values()].map(({ place }) => place.folder))
  const leftovers: LeftoverStep[] = []
  const copies: CopiedPlace[] = []
  for (const place of owned) {
    if (kept.has(place.folder)) continue
    const variant = alive.get(place.owner?.variant ?? '')
    if (variant !== undefined && !outgrown.has(place.folder)) copies.push({ place, variant })
    else leftovers.push({ op: place.owner?.deletionPolicy === 'orphan' ? 'orphan' : 'remove', place })
  }
  return { leftovers, copies }
}

/** Returns true if a package belongs to an existing variant or will belong to one. Where no other fleet can have packages, returns true. */
function hasOwn(owned: readonly DownstreamPlace[], places: DownstreamPlaces, { steps, alive }: Doings): boolean {
  if (!places.isShared) return true
  const kept = foldersOf(steps)
  const wanted = new Set([...alive.values()].map((variant) => places.folderOf(variant)))
  return owned.some(({ folder, owner }) => wanted.has(folder) || kept.has(folder) || alive.has(owner?.variant ?? ''))
}

function foldersOf(steps: readonly VariantStep[]): ReadonlySet<string> {
  return new Set(steps.flatMap(({ folder, movedFrom = folder }) => [folder, movedFrom]))
}
