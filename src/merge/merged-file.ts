import type { Result } from '../result.ts'
import type { MergeOutcome, OutcomeSide } from './merge-outcome.ts'
import type { MergedContent } from './package-files.ts'

/** A file of the merge result. */
export interface MergedFile {
  readonly path: string
  /** Undefined for a file that is removed. */
  readonly content: MergedContent | undefined
  readonly outcomes: readonly MergeOutcome[]
  /** Errors, and warnings about lost comments. */
  readonly results: readonly Result[]
}

type WholeSide = Pick<OutcomeSide, 'object' | 'exists'>

/** Returns the outcome of a whole file or resource. */
export function wholeOutcome(told: Pick<MergeOutcome, 'result' | 'contested' | 'path'>, ours: WholeSide, theirs: WholeSide): MergeOutcome {
  const whole = { field: [], value: undefined }
  return { ...told, ours: { ...ours, ...whole }, theirs: { ...theirs, ...whole } }
}
