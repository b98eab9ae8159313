import { deletionLimit } from '../../fleet/deletion-guard.ts'
import type { DeletionOptions } from '../../fleet/options.ts'
import type { Result } from '../../result.ts'
import { nameFirst } from '../../wording.ts'
import type { LeftoverStep } from './steps.ts'

const LISTED = 20

/**
 * Refuses to remove packages by surprise: every one for want of a variant, or more at once than the options let through. Those that are
 * only left to themselves lose nothing.
 *
 * @param variants  how many variants there are
 * @param existing  how many packages were made for variants
 */
export function refuseRemovals(
  variants: number,
  existing: number,
  leftovers: readonly LeftoverStep[],
  options: DeletionOptions,
): readonly Result[] {
  const removed = leftovers.filter(({ op }) => op === 'remove').map(({ place }) => place.folder)
  if (removed.length === 0) return []
  const names = nameFirst(removed, LISTED)
  if (variants === 0 && !options.allowEmpty) {
    return [refusal(`\`allowEmpty\` must be true to remove the packages of all variants: there is no PackageVariant (${names})`)]
  }
  const limit = deletionLimit(existing, options.maxDeletions)
  if (removed.length <= limit) return []
  return [refusal(`\`maxDeletions\` must be at least ${removed.length} to remove so many of ${existing} packages, is ${limit} (${names})`)]
}

function refusal(message: string): Result {
  return { severity: 'error', message, tags: { rule: 'deletion-guard' } }
}
