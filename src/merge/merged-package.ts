import type { Result } from '../result.ts'
import type { MergeOutcome } from './merge-outcome.ts'
import type { MergedContent, Packages } from './package-files.ts'

/** The update strategies of kpt (kpt pkg/lib/update). */
export type MergeStrategy = 'resource-merge' | 'fast-forward' | 'force-delete-replace' | 'copy-merge'

/** The inputs of an update. None of its packages is changed. */
export interface MergeRequest extends Packages {
  readonly strategy: MergeStrategy
  /** The folder of the downstream package, for findings about files without resources; if unset, their paths begin at the package. */
  readonly place?: string
}

/** A downstream package after an update. */
export interface MergedPackage {
  /** Every file of the result, by path; with an error among the results, the unchanged files of the downstream. */
  readonly files: ReadonlyMap<string, MergedContent>
  /** The outcome of each field, resource or file in which the sides differ. */
  readonly outcomes: readonly MergeOutcome[]
  /**
   * Only the errors, if there are any. Else a warning for each lost edit, with both values and places, for each change of upstream that
   * was passed over, and for each lost comment.
   */
  readonly results: readonly Result[]
}
