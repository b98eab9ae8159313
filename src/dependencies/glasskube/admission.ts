import { checkRequirements } from '../check-requirements.ts'
import type { Finding } from '../finding.ts'
import type { PackageIndex } from '../package-index.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'

/**
 * The verdict of Glasskube on a change (internal/dependency/manager.go, Validate). ok: no objection. resolvable: the missing packages can
 * be installed. conflict: versions are in conflict. error: a required package or version is not available.
 */
type AdmissionVerdict = 'ok' | 'resolvable' | 'conflict' | 'error'

/** The violations that a change adds, and the verdict on them. */
interface Admission {
  readonly outcome: AdmissionVerdict
  readonly violations: readonly Finding[]
}

/**
 * Returns the verdict on packages that are created or updated. A missing package that can be installed is no fault: the operator installs
 * it.
 */
function admitChange(before: PackageIndex, after: PackageIndex): Admission {
  const violations = addedBy(before, after)
  return { outcome: outcomeOf(violations, before, after), violations }
}

function outcomeOf(violations: readonly Finding[], before: PackageIndex, after: PackageIndex): AdmissionVerdict {
  const added = after.installs.filter(
    ({ package: pkg, text }) => !before.installs.some((each) => each.package.key === pkg.key && each.text === text),
  )
  if (added.some(({ metadataKnown }) => !metadataKnown)) return 'error'
  if (violations.some(isConflict)) return 'conflict'
  if (violations.some(({ tags }) => tags.candidate === undefined)) return 'error'
  return violations.length > 0 ? 'resolvable' : 'ok'
}

/**
 * Returns the reason why the webhook refuses a change; undefined when the webhook allows the change. A deletion is refused when a package
 * still requires the deleted one (package_validator.go).
 */
export function refusal(before: PackageIndex, after: PackageIndex): string | undefined {
  const { outcome, violations } = admitChange(before, after)
  const isDeletion = after.installs.length < before.installs.length
  if (outcome === 'ok' || (outcome === 'resolvable' && !isDeletion)) return undefined
  return violations.length === 0 ? 'nothing is known of the version' : violations.map(({ message }) => message).join('; ')
}

/** Returns the violations that a change adds. */
function addedBy(before: PackageIndex, after: PackageIndex): Finding[] {
  const known = new Set(violationsOf(before).map(({ message }) => message))
  return violationsOf(after).filter(({ message }) => !known.has(message))
}

function isConflict({ rule }: Finding): boolean {
  return rule === 'dependency-conflict'
}

function violationsOf(index: PackageIndex): Finding[] {
  return checkRequirements(index, NO_KINDS, { downgrades: false }).filter(({ rule }) => rule !== 'dependency-unverified')
}
