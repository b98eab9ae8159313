import { checkRequirements } from '../check-requirements.ts'
import type { Finding } from '../finding.ts'
import type { ServedKinds, Universe } from '../universe.ts'

/** What Glasskube's webhook answers: a conflict of versions, an error where something cannot be had, or nothing against it. */
export type Admission = 'ok' | 'conflict' | 'error'

// Packages of Glasskube require packages, never kinds.
const NO_KINDS: ServedKinds = { serves: () => true, servesAnyway: () => true, providersOf: () => [] }

/**
 * Whether a package may be created or updated: what the change breaks that was not broken before (internal/webhook,
 * package_validator.go). What is missing and can be installed is no fault: the operator does.
 *
 * @param name  the key of the package that is changed
 */
export function admitChange(name: string, before: Universe, after: Universe): Admission {
  const changed = after.installs.find(({ target }) => target.key === name)
  if (changed?.metadataKnown !== true) return 'error'
  const added = addedBy(before, after)
  if (added.some(isConflict)) return 'conflict'
  return added.some(({ tags }) => tags.candidate === undefined) ? 'error' : 'ok'
}

/** Whether a package may be deleted: nothing may miss it. */
export function admitDeletion(before: Universe, after: Universe): Admission {
  return addedBy(before, after).length > 0 ? 'conflict' : 'ok'
}

/** The violations that were not there before. */
export function addedBy(before: Universe, after: Universe): Finding[] {
  const known = new Set(violationsOf(before).map(({ message }) => message))
  return violationsOf(after).filter(({ message }) => !known.has(message))
}

export function isConflict({ rule }: Finding): boolean {
  return rule === 'dependency-conflict'
}

function violationsOf(universe: Universe): Finding[] {
  return checkRequirements(universe, NO_KINDS, { downgrades: false }).filter(({ rule }) => rule !== 'dependency-unverified')
}
