import type { CoreRule, Severities } from '../../core-rules.ts'
import type { Finding } from '../../finding.ts'

/** The rules on revisions and what becomes of them. */
export const REVISION_RULES = {
  'revision-gc': 'info',
  'revision-invalid': 'error',
  'revision-manual-none-active': 'warning',
  'revision-many-active': 'error',
  'revision-unhealthy': 'warning',
  'revision-unknown': 'info',
} as const satisfies Severities

/** The rules on objects of Crossplane (docs/rules.md). */
export const CROSSPLANE_RULES = {
  'field-removed': 'warning',
  'image-config-invalid': 'error',
  'image-config-suspect': 'warning',
  'kind-removed': 'error',
  'lock-drift': 'warning',
  'lock-invalid': 'error',
  'mirror-source': 'warning',
  'partial-tag': 'warning',
  ...REVISION_RULES,
  'tag-and-digest': 'warning',
} as const satisfies Severities

export type CrossplaneFinding = Finding<CoreRule | keyof typeof CROSSPLANE_RULES>
