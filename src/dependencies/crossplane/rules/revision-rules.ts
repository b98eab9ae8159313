import type { Severities } from '../../core-rules.ts'

/** The rules on revisions and what becomes of them. */
export const REVISION_RULES = {
  'revision-gc': 'info',
  'revision-invalid': 'error',
  'revision-manual-none-active': 'warning',
  'revision-many-active': 'error',
  'revision-unhealthy': 'warning',
  'revision-unknown': 'info',
} as const satisfies Severities
