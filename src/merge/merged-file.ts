import type { Result } from '../result.ts'
import type { MergeOutcome, OutcomeSide } from './merge-outcome.ts'
import type { MergedContent } from './package-files.ts'

/** What an update makes of one file. */
export interface MergedFile {
  readonly path: string
  /** Undefined where the file goes. */
  readonly content: MergedContent | undefined
  readonly outcomes: readonly MergeOutcome[]
  /** Errors, and warnings of comments that go. */
  readonly results: readonly Result[]
}

type WholeSide = Pick<OutcomeSide, 'object' | 'exists'>

/** What became of a whole file or resource. */
export function wholeOutcome(
  told: Pick<MergeOutcome, 'result' | 'contested' | 'path'>,
  downstream: WholeSide,
  upstream: WholeSide,
): MergeOutcome {
  const whole = { field: [], value: undefined }
  return { ...told, downstream: { ...downstream, ...whole }, upstream: { ...upstream, ...whole } }
}
