import type { Severity } from '../result.ts'

/** Every rule of check-dependencies with the severity it has when nothing else is said (docs/rules.md). */
export const RULES = {
  'alternatives-unfulfilled': 'error',
  'auto-update-unpinned': 'info',
  'constraint-invalid': 'error',
  'constraint-suspect': 'warning',
  'dependency-conflict': 'error',
  'dependency-cycle': 'error',
  'dependency-form-invalid': 'error',
  'dependency-implied': 'info',
  'dependency-missing': 'error',
  'dependency-unused': 'info',
  'dependency-unverified': 'info',
  'digest-conflict': 'error',
  'downgrade-blocked': 'error',
  'downstream-duplicate': 'error',
  'duplicate-dependency': 'warning',
  'duplicate-package': 'error',
  'function-tag-unresolved': 'error',
  'generated-name-collision': 'error',
  'gvk-missing': 'error',
  'installation-type': 'error',
  'lock-drift': 'warning',
  'no-version-available': 'error',
  'optional-unfulfilled': 'info',
  'override-suspect': 'warning',
  'owner-conflict': 'error',
  'package-conflicting': 'error',
  'package-name-invalid': 'error',
  'partial-tag': 'warning',
  'path-nested': 'error',
  'platform-incompatible': 'error',
  'prerelease-not-selected': 'warning',
  'repository-ambiguous': 'error',
  'revision-many-active': 'error',
  'scope-mismatch': 'error',
  'tag-and-digest': 'warning',
  'upstream-cycle': 'error',
  'upstream-missing': 'error',
  'upstream-not-published': 'warning',
  'upstream-revision-ignored': 'warning',
} as const satisfies Readonly<Record<string, Severity>>

export type RuleId = keyof typeof RULES

export const RULE_IDS = Object.keys(RULES)
