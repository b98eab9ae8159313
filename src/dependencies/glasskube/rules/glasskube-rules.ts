import type { CoreRule, Severities } from '../../core-rules.ts'
import type { Finding } from '../../finding.ts'

/** The rules on objects of Glasskube (docs/rules.md). */
export const GLASSKUBE_RULES = {
  'auto-update-unpinned': 'info',
  'repository-ambiguous': 'error',
  'scope-mismatch': 'error',
} as const satisfies Severities

export type GlasskubeFinding = Finding<CoreRule | keyof typeof GLASSKUBE_RULES>
