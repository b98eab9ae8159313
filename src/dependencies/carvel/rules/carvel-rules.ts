import type { CoreRule, Severities } from '../../core-rules.ts'
import type { Finding } from '../../finding.ts'

/** The rules on objects of kapp-controller (docs/rules.md). */
export const CARVEL_RULES = {
  'downgrade-blocked': 'error',
  'generated-edited': 'info',
  'installation-type': 'error',
  'override-suspect': 'warning',
  'package-name-invalid': 'error',
  'prerelease-not-selected': 'warning',
  'unknown-field': 'error',
  'values-unused': 'warning',
} as const satisfies Severities

export type CarvelFinding = Finding<CoreRule | keyof typeof CARVEL_RULES>
