import type { CoreRule, Severities } from '../../core-rules.ts'
import type { Finding } from '../../finding.ts'
import { REVISION_RULES } from './revision-rules.ts'

/** The rules on objects of Crossplane (docs/rules.md). */
export const CROSSPLANE_RULES = {
  'lock-drift': 'warning',
  'partial-tag': 'warning',
  ...REVISION_RULES,
  'tag-and-digest': 'warning',
} as const satisfies Severities

export type CrossplaneFinding = Finding<CoreRule | keyof typeof CROSSPLANE_RULES>
