import type { DiffReport } from '../../src/diff/report.ts'

/** The data of the page of a diff: one JSON document in its HTML. */
export interface DiffPageData {
  readonly title: string
  /** The line that the text output begins with: `12 of 240 packages change on 12 clusters, in 3 ways`. */
  readonly summary: string
  readonly findings: readonly string[]
  readonly report: DiffReport
}
