import { deletionLimit } from '../../fleet/deletion-guard.ts'
import type { DeletionOptions } from '../../fleet/options.ts'
import type { Result } from '../../result.ts'
import { nameFirst } from '../../wording.ts'
import type { LeftoverStep } from './package-steps.ts'

const LISTED = 20

/** The removals that a run plans, and the counts to judge them by. */
export interface Removals {
  /** The number of variants. */
  readonly variants: number
  /** The number of packages that were made for variants. */
  readonly existing: number
  /** True if a package belongs to an existing variant, if other fleets cannot have packages here, or if there are no leftovers. */
  readonly hasOwn: boolean
  readonly leftovers: readonly LeftoverStep[]
}

/**
 * Refuses surprising removals: of all packages because there is no variant, of packages of which none belongs to a variant of this
 * fleet, and of more packages than `maxDeletions` allows. Orphaned packages count only in the second case, where they would lose their
 * owner annotations.
 */
export function refuseRemovals({ variants, existing, hasOwn, leftovers }: Removals, options: DeletionOptions): readonly Result[] {
  const removed = leftovers.filter(({ op }) => op === 'remove').map(({ place }) => place.folder)
  if (variants > 0 && leftovers.length > 0 && !hasOwn && !options.allowEmpty) return [strangers(leftovers)]
  if (removed.length === 0) return []
  const names = nameFirst(removed, LISTED)
  if (variants === 0 && !options.allowEmpty) {
    return [refusal(`\`allowEmpty\` must be true to remove the packages of all variants: there is no PackageVariant (${names})`)]
  }
  const limit = deletionLimit(existing, options.maxDeletions)
  if (removed.length <= limit) return []
  return [refusal(`\`maxDeletions\` must be at least ${removed.length} to remove so many of ${existing} packages, is ${limit} (${names})`)]
}

/** Returns the error for packages of which none belongs to this fleet: most likely they belong to another. */
function strangers(leftovers: readonly LeftoverStep[]): Result {
  const names = nameFirst(
    leftovers.map(({ place }) => `${place.folder} of ${place.mark?.variant ?? ''}`),
    LISTED,
  )
  return refusal(
    `\`allowEmpty\` must be true to give up every package that is there, none is of a PackageVariant of this fleet: another folder for its packages leaves them alone (${names})`,
  )
}

function refusal(message: string): Result {
  return { severity: 'error', message, tags: { rule: 'deletion-guard' } }
}
