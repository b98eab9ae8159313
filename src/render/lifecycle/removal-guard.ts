import { deletionLimit } from '../../fleet/deletion-guard.ts'
import type { DeletionOptions } from '../../fleet/options.ts'
import type { Result } from '../../result.ts'
import { nameFirst } from '../../wording.ts'
import type { LeftoverStep } from './package-steps.ts'

const LISTED = 20

/** What a run would remove, beside what there is. */
export interface Removals {
  /** How many variants there are. */
  readonly variants: number
  /** How many packages were made for variants. */
  readonly existing: number
  /** Whether any of the packages is of a variant that there is, or there can be no other fleet's, or none is left over. */
  readonly hasOwn: boolean
  readonly leftovers: readonly LeftoverStep[]
}

/**
 * Refuses to remove packages by surprise: every one for want of a variant, all that are there for other variants than these, or more at once
 * than the options let through. Those that are only left to themselves lose nothing but, where all are of others, their marks.
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

/** Most likely another fleet has its packages there. */
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
