/** The version of a cluster that runs Crossplane's main branch. */
export const MAIN = 'main'

/**
 * The differences between releases of Crossplane, each with the first release that has it (read at the tags v2.0.2, v2.1.3, v2.2.1, v2.3.4
 * and v2.4.0). docs/package-managers.md has a row for each.
 */
const SINCE = {
  /** Tags such as `v1` are never chosen for a missing dependency. Before, `v1` is read as v1.0.0. */
  'partial-tags-left-out': [2, 1],
  /** An upgrade finds an installed package by the place that an ImageConfig pulls it from (`status.resolvedPackage`). */
  'found-by-pulled-place': [2, 1],
  /** With upgrades, packages that meet no constraint on them take no part in a resolution (pruneOutdatedDependencies). */
  'outdated-left-out': [2, 2],
  /** A Function may bring definitions. Before, its package is refused (NewFunctionLinter). */
  'functions-bring-definitions': [2, 2],
  /** The Lock gets the version of an image that makes no new revision, since its digest is that of the old one. */
  'lock-follows-versions': [2, 2],
  /** Ranges are read by version 3 of Masterminds/semver: `^0.2.3` ends below 0.3.0, and a space joins two conditions. */
  'ranges-of-version-3': [2, 3],
  /** An upgrade finds it by `spec.package` again. */
  'found-by-source': [2, 3],
  /** Names of revisions have the generation of the package, so that any change of spec makes a new one (crossplane cea4be0e9). */
  'generation-in-names': [2, 4],
} as const

export type ReleaseChange = keyof typeof SINCE

/** The newest release. A cluster without a version is read as one that runs it. */
const DEFAULT_RELEASE = 'v2.4.0'

const RELEASE = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-)?/

/** Returns true if a version of Crossplane has a change. A prerelease of the first release that has the change does not have it. */
export function hasChange(change: ReleaseChange, crossplaneVersion: string | undefined): boolean {
  if (crossplaneVersion === MAIN) return true
  const parts = RELEASE.exec(crossplaneVersion ?? '') ?? RELEASE.exec(DEFAULT_RELEASE)
  const [, major, minor = '0', patch = '0', pre] = parts ?? []
  const [sinceMajor, sinceMinor] = SINCE[change]
  const ahead = Number(major) - sinceMajor || Number(minor) - sinceMinor
  return ahead > 0 || (ahead === 0 && !(pre !== undefined && Number(patch) === 0))
}

/** Returns the first release that has a change: `v2.2`. */
export function firstRelease(change: ReleaseChange): string {
  return `v${SINCE[change].join('.')}`
}
