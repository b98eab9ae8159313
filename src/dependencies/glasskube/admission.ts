import { checkRequirements } from '../check-requirements.ts'
import type { Finding } from '../finding.ts'
import type { Install, PackageIndex } from '../package-index.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'

/**
 * Returns the reason why the webhook refuses a change; undefined when the webhook allows the change (internal/dependency/manager.go,
 * Validate). Packages of which nothing is known, versions in conflict and requirements that nothing can meet are refused. A missing package
 * that can be installed is no fault, since the operator installs it; but a deletion is refused when a package still requires the deleted
 * one (package_validator.go).
 */
export function refusal(before: PackageIndex, after: PackageIndex): string | undefined {
  const violations = addedBy(before, after)
  const isSame = (a: Install, b: Install) => a.package.key === b.package.key && a.text === b.text
  const added = after.installs.filter((install) => !before.installs.some((each) => isSame(each, install)))
  const isKnown = added.every(({ metadataKnown }) => metadataKnown)
  const isDeletion = after.installs.length < before.installs.length
  const isResolvable = violations.every(({ tags }) => tags.candidate !== undefined && !isDeletion)
  if (isKnown && isResolvable) return undefined
  return violations.length === 0 ? 'nothing is known of the version' : violations.map(({ message }) => message).join('; ')
}

function addedBy(before: PackageIndex, after: PackageIndex): Finding[] {
  const known = new Set(violationsOf(before).map(identityOf))
  return violationsOf(after).filter((each) => !known.has(identityOf(each)))
}

// Not the message, which also names the other packages that require the package: a change may add one of them.
function identityOf({ rule, tags }: Finding): string {
  return JSON.stringify([rule, tags.package, tags.dependency, tags.required, tags.installed])
}

function violationsOf(index: PackageIndex): Finding[] {
  return checkRequirements(index, NO_KINDS, { downgrades: false }).filter(({ rule }) => rule !== 'dependency-unverified')
}
