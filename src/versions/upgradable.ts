import { compareMasterminds, MASTERMINDS_3_3_1, parseMastermindsVersion } from './masterminds-version.ts'
import type { Version } from './version.ts'

/**
 * Returns true if Glasskube treats `desired` as an upgrade of `installed` (glasskube internal/semver/compare.go). Build metadata counts,
 * as a number if both are numbers. If one of the texts is not a version, different texts are upgrades of each other.
 */
export function isUpgradable(installed: string, desired: string): boolean {
  const [from, to] = [parseMastermindsVersion(installed, MASTERMINDS_3_3_1), parseMastermindsVersion(desired, MASTERMINDS_3_3_1)]
  if (!from.ok || !to.ok) return installed !== desired
  return isVersionUpgrade(from.value, to.value)
}

function isVersionUpgrade(installed: Version, desired: Version): boolean {
  const order = compareMasterminds(desired, installed)
  return order > 0 || (order === 0 && isBuildUpgrade(installed.build.join('.'), desired.build.join('.')))
}

function isBuildUpgrade(installed: string, desired: string): boolean {
  if (desired === installed || desired === '') return false
  if (installed === '' || !isInteger(desired) || !isInteger(installed)) return true
  return BigInt(desired) > BigInt(installed)
}

// Returns true for a text that Go's Atoi reads: build metadata may begin with a minus.
function isInteger(text: string): boolean {
  return /^-?[0-9]+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

/** Compares Glasskube's versions: by version, then by build metadata as a number (glasskube graph.go, Max). */
export function compareGlasskube(a: Version, b: Version): number {
  return compareMasterminds(a, b) || (isVersionUpgrade(a, b) ? -1 : isVersionUpgrade(b, a) ? 1 : 0)
}
