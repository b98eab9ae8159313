import type { Severity } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'

/** Rules with their default severities. */
export type Severities = Readonly<Partial<Record<RuleId, Severity>>>

/** The rules that every ecosystem shares (docs/rules.md). */
export const CORE_RULES = {
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
} as const satisfies Severities

export type CoreRule = keyof typeof CORE_RULES
