import type { FleetVariant } from '../fleet-variants.ts'
import type { DownstreamPlace, DownstreamPlaces, LeftoverStep, VariantStep } from './package-steps.ts'
import type { FormerPlace } from './renames.ts'

/** Packages with an owner annotation in folders that no variant wants. */
export interface MarkedPlaces {
  readonly leftovers: readonly LeftoverStep[]
  /** Packages of variants that have their package elsewhere: copies, which may hold people's edits. */
  readonly copies: readonly CopiedPlace[]
}

export interface CopiedPlace {
  readonly place: DownstreamPlace
  /** The variant that the copy's owner annotation names. */
  readonly variant: FleetVariant
}

/** The steps of variants, and the facts to judge other packages by. */
export interface Doings {
  readonly steps: readonly VariantStep[]
  /** The places of variants' packages until now. */
  readonly renames: ReadonlyMap<FleetVariant, FormerPlace>
  /** Every variant by its owner annotation: `NAMESPACE/NAME`. */
  readonly alive: ReadonlyMap<string, FleetVariant>
}

/** Divides the packages that no step keeps into leftovers of variants and copies of packages. */
export function sortMarked(marked: readonly DownstreamPlace[], { steps, renames, alive }: Doings): MarkedPlaces {
  const kept = foldersOf(steps)
  const outgrown = new Set([...renames.values()].map(({ place }) => place.folder))
  const leftovers: LeftoverStep[] = []
  const copies: CopiedPlace[] = []
  for (const place of marked) {
    if (kept.has(place.folder)) continue
    const variant = alive.get(place.mark?.variant ?? '')
    if (variant !== undefined && !outgrown.has(place.folder)) copies.push({ place, variant })
    else leftovers.push({ op: place.mark?.deletionPolicy === 'orphan' ? 'orphan' : 'remove', place })
  }
  return { leftovers, copies }
}

/** Returns true if a package belongs to an existing variant or will belong to one. Where no other fleet can have packages, returns true. */
export function hasOwn(marked: readonly DownstreamPlace[], places: DownstreamPlaces, { steps, alive }: Doings): boolean {
  if (!places.isShared) return true
  const kept = foldersOf(steps)
  const wanted = new Set([...alive.values()].map((variant) => places.folderOf(variant)))
  return marked.some(({ folder, mark }) => wanted.has(folder) || kept.has(folder) || alive.has(mark?.variant ?? ''))
}

function foldersOf(steps: readonly VariantStep[]): ReadonlySet<string> {
  return new Set(steps.flatMap(({ folder, movedFrom }) => [folder, ...(movedFrom === undefined ? [] : [movedFrom])]))
}
