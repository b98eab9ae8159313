import type { Severity } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'

/** The rules on packages with their default severities (docs/rules.md): first those that all ecosystems share. */
const RULES = {
  'alternatives-unfulfilled': 'error',
  'constraint-invalid': 'error',
  'controllers-fight': 'warning',
  'constraint-suspect': 'warning',
  'dependency-conflict': 'error',
  'dependency-cycle': 'error',
  'dependency-form-invalid': 'error',
  'dependency-implied': 'info',
  'dependency-missing': 'error',
  'dependency-unused': 'info',
  'dependency-unverified': 'info',
  'digest-conflict': 'error',
  'duplicate-dependency': 'warning',
  'duplicate-package': 'error',
  'generated-name-collision': 'error',
  'gvk-missing': 'error',
  'no-version-available': 'error',
  'object-not-found': 'error',
  'optional-unfulfilled': 'info',
  'owner-conflict': 'error',
  'owner-cycle': 'error',
  'package-conflicting': 'error',
  'platform-incompatible': 'error',
  'prune-unsafe': 'warning',
  'removal-breaks': 'warning',
  'removal-leaves': 'info',
  resolution: 'info',
  'resolution-exceeded': 'error',
  unresolvable: 'error',
  update: 'info',

  // Carvel
  'downgrade-blocked': 'error',
  'generated-edited': 'info',
  'installation-type': 'error',
  'override-suspect': 'warning',
  'package-name-invalid': 'error',
  'prerelease-not-selected': 'warning',
  'unknown-field': 'error',
  'values-unused': 'warning',

  // Crossplane
  'field-removed': 'warning',
  'image-config-invalid': 'error',
  'image-config-suspect': 'warning',
  'kind-removed': 'error',
  'lock-drift': 'warning',
  'lock-invalid': 'error',
  'mirror-source': 'warning',
  'partial-tag': 'warning',
  'revision-gc': 'info',
  'revision-invalid': 'error',
  'revision-manual-none-active': 'warning',
  'revision-many-active': 'error',
  'revision-unhealthy': 'warning',
  'revision-unknown': 'info',
  'tag-and-digest': 'warning',

  // Glasskube
  'auto-update-unpinned': 'info',
  'repository-ambiguous': 'error',
  'scope-mismatch': 'error',

  // Porch and kpt
  'downstream-duplicate': 'error',
  'function-tag-unresolved': 'error',
  'path-nested': 'error',
  'upstream-cycle': 'error',
  'upstream-missing': 'error',
  'upstream-not-published': 'warning',
  'upstream-revision-ignored': 'warning',
} as const satisfies Readonly<Partial<Record<RuleId, Severity>>>

/** A rule whose severity users may change. */
export type PackageRule = keyof typeof RULES

/** Every rule with its default severity. */
export const RULE_SEVERITIES: ReadonlyMap<string, Severity> = new Map(Object.entries(RULES))
