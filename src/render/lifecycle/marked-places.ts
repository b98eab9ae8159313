import type { PackageVariant } from '../../kinds/package-variant.ts'
import type { DownstreamPlace, LeftoverStep } from './steps.ts'

/** Marked packages that stand where no variant wants one. */
export interface MarkedPlaces {
  readonly leftovers: readonly LeftoverStep[]
  /** Those of variants that have their package elsewhere: somebody copied them, and nobody else knows what is in them. */
  readonly copies: readonly CopiedPlace[]
}

export interface CopiedPlace {
  readonly place: DownstreamPlace
  /** The variant whose mark it bears. */
  readonly variant: PackageVariant
}

/**
 * Tells what is left of a variant from what somebody made of it.
 *
 * @param marked    packages that no step is about
 * @param alive     the variants that there are, by their marks
 * @param outgrown  the folders that variants had their packages in until now
 */
export function sortMarked(
  marked: readonly DownstreamPlace[],
  alive: ReadonlyMap<string, PackageVariant>,
  outgrown: ReadonlySet<string>,
): MarkedPlaces {
  const leftovers: LeftoverStep[] = []
  const copies: CopiedPlace[] = []
  for (const place of marked) {
    const variant = alive.get(place.mark?.variant ?? '')
    if (variant !== undefined && !outgrown.has(place.folder)) copies.push({ place, variant })
    else leftovers.push({ op: place.mark?.deletionPolicy === 'orphan' ? 'orphan' : 'remove', place })
  }
  return { leftovers, copies }
}
