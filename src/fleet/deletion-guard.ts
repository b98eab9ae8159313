import { nameFirst } from '../wording.ts'
import type { DeletionLimit, DeletionOptions } from './options.ts'

/** How many removals are let through when `maxDeletions` says nothing: 5, or 20 percent where that is more. */
const DEFAULT_COUNT = 5
const DEFAULT_PERCENT = 20
const LISTED_NAMES = 1000

/**
 * Why a set must not lose that many variants at once, for people, or undefined when it may.
 *
 * @param existing how many variants the set has
 * @param matches  how many places its targets match; none at all is a mistake unless the options allow it
 * @param removed  the names of those that would go, renamed ones among them
 */
export function refuseDeletions(
  existing: number,
  matches: number,
  removed: readonly string[],
  options: DeletionOptions,
): string | undefined {
  if (removed.length === 0) return undefined
  const names = nameFirst(removed, LISTED_NAMES)
  if (matches === 0 && !options.allowEmpty) {
    return `must match something: nothing matches, and all variants of the set would be removed (${names}); set 'allowEmpty' if that is meant`
  }
  const limit = deletionLimit(existing, options.maxDeletions)
  if (removed.length <= limit) return undefined
  return `must not remove more than ${limit} of ${existing} variants, but would remove ${removed.length} (${names}); set 'maxDeletions' if that is meant`
}

/** The number of removals that are let through where there are `existing`; percentages are rounded up. */
export function deletionLimit(existing: number, limit: DeletionLimit | undefined): number {
  if (limit === undefined) return Math.max(DEFAULT_COUNT, shareOf(existing, DEFAULT_PERCENT))
  return 'count' in limit ? limit.count : shareOf(existing, limit.percent)
}

function shareOf(existing: number, percent: number): number {
  return Math.ceil((existing * percent) / 100)
}
