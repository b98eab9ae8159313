import type { CoreRule, Severities } from '../../core-rules.ts'
import type { Finding } from '../../finding.ts'

/** The rules on PackageVariants, PackageRevisions and Kptfiles (docs/rules.md). */
export const PORCH_RULES = {
  'downstream-duplicate': 'error',
  'function-tag-unresolved': 'error',
  'path-nested': 'error',
  'upstream-cycle': 'error',
  'upstream-missing': 'error',
  'upstream-not-published': 'warning',
  'upstream-revision-ignored': 'warning',
} as const satisfies Severities

export type PorchFinding = Finding<CoreRule | keyof typeof PORCH_RULES>
