import type { Result } from '../result.ts'
import type { MergeOutcome } from './merge-outcome.ts'
import type { MergedContent, Packages } from './package-files.ts'

/** kpt's update strategies (kpt pkg/lib/update). */
export type MergeStrategy = 'resource-merge' | 'fast-forward' | 'force-delete-replace' | 'copy-merge'

/** An update. None of its packages is changed. */
export interface MergeRequest extends Packages {
  readonly strategy: MergeStrategy
  /** The folder of the downstream package, for findings about files without resources; without it paths are from the package. */
  readonly place?: string
}

/** What an update makes of a downstream package. */
export interface MergedPackage {
  /** Every file of the result, by path. With an error among the results: the files of the downstream, untouched. */
  readonly files: ReadonlyMap<string, MergedContent>
  /** What was taken, kept and lost, field by field. */
  readonly outcomes: readonly MergeOutcome[]
  /** Errors alone; without one, a warning for each edit of the downstream that lost, with both values and both places, and for each comment. */
  readonly results: readonly Result[]
}
