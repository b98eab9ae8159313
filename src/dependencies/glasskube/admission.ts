import { checkRequirements } from '../check-requirements.ts'
import type { Finding } from '../finding.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import type { Universe } from '../universe.ts'

/**
 * What Glasskube says of a change (internal/dependency/manager.go, Validate): nothing against it; what it needs can be installed; versions are
 * in conflict; something cannot be had.
 */
export type AdmissionVerdict = 'ok' | 'resolvable' | 'conflict' | 'error'

/** What a change breaks that was not broken before. */
export interface Admission {
  readonly outcome: AdmissionVerdict
  readonly violations: readonly Finding[]
}

/** Whether packages may be created or updated. What is missing and can be installed is no fault: the operator does. */
export function admitChange(before: Universe, after: Universe): Admission {
  const violations = addedBy(before, after)
  return { outcome: outcomeOf(violations, before, after), violations }
}

function outcomeOf(violations: readonly Finding[], before: Universe, after: Universe): AdmissionVerdict {
  const added = after.installs.filter(
    ({ target, text }) => !before.installs.some((each) => each.target.key === target.key && each.text === text),
  )
  if (added.some(({ metadataKnown }) => !metadataKnown)) return 'error'
  if (violations.some(isConflict)) return 'conflict'
  if (violations.some(({ tags }) => tags.candidate === undefined)) return 'error'
  return violations.length > 0 ? 'resolvable' : 'ok'
}

/** Why the webhook refuses a change; undefined: it does not. What is deleted must be missed by nobody (package_validator.go). */
export function refusal(before: Universe, after: Universe): string | undefined {
  const { outcome, violations } = admitChange(before, after)
  const isDeletion = after.installs.length < before.installs.length
  if (outcome === 'ok' || (outcome === 'resolvable' && !isDeletion)) return undefined
  return violations.length === 0 ? 'nothing is known of the version' : violations.map(({ message }) => message).join('; ')
}

/** The violations that were not there before. */
function addedBy(before: Universe, after: Universe): Finding[] {
  const known = new Set(violationsOf(before).map(({ message }) => message))
  return violationsOf(after).filter(({ message }) => !known.has(message))
}

export function isConflict({ rule }: Finding): boolean {
  return rule === 'dependency-conflict'
}

function violationsOf(universe: Universe): Finding[] {
  return checkRequirements(universe, NO_KINDS, { downgrades: false }).filter(({ rule }) => rule !== 'dependency-unverified')
}
