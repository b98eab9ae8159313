import type { FleetVariant } from '../fleet-variants.ts'
import type { DownstreamPlace, DownstreamPlaces, LeftoverStep, VariantStep } from './package-steps.ts'
import type { FormerPlace } from './renames.ts'

/** Marked packages that stand where no variant wants one. */
export interface MarkedPlaces {
  readonly leftovers: readonly LeftoverStep[]
  /** Those of variants that have their package elsewhere: somebody copied them, and nobody else knows what is in them. */
  readonly copies: readonly CopiedPlace[]
}

export interface CopiedPlace {
  readonly place: DownstreamPlace
  /** The variant whose mark it bears. */
  readonly variant: FleetVariant
}

/** What variants do about packages. */
export interface Doings {
  readonly steps: readonly VariantStep[]
  /** Where variants had their packages until now. */
  readonly renames: ReadonlyMap<FleetVariant, FormerPlace>
  /** Every variant by its mark. */
  readonly alive: ReadonlyMap<string, FleetVariant>
}

/** Tells what is left of a variant from what somebody made of it. */
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

/** Whether any marked package is of a variant that there is, or becomes one's; where no other fleet can have its own, all are. */
export function hasOwn(marked: readonly DownstreamPlace[], places: DownstreamPlaces, { steps, alive }: Doings): boolean {
  if (!places.isShared) return true
  const kept = foldersOf(steps)
  const wanted = new Set([...alive.values()].map((variant) => places.folderOf(variant)))
  return marked.some(({ folder, mark }) => wanted.has(folder) || kept.has(folder) || alive.has(mark?.variant ?? ''))
}

function foldersOf(steps: readonly VariantStep[]): ReadonlySet<string> {
  return new Set(steps.flatMap(({ folder, movedFrom }) => [folder, ...(movedFrom === undefined ? [] : [movedFrom])]))
}
