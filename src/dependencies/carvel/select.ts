import { compareText } from '../../field-path.ts'
import type { Dialect } from '../../versions/dialects.ts'
import { admitsPrerelease, type Prereleases, parseRelaxed, selectHighest, type VersionFilter } from '../../versions/selection.ts'
import type { Version } from '../../versions/version.ts'
import type { RangeReader } from '../range.ts'
import type { PackageInstall, PackageRef } from './installs.ts'
import type { CarvelPackage, SelectablePackage } from './packages.ts'

/** The versions of the cluster, and whether the PackageInstall ignores them. A version that is undefined is ignored too. */
export interface Platform {
  readonly kubernetes?: string | undefined
  readonly kappController?: string | undefined
  readonly ignoreKubernetes: boolean
  readonly ignoreKappController: boolean
}

/** The selected version, or why there is none: the filter that left none, and the trail of how many were left after each. */
interface PackageSelection<T> {
  readonly selected?: T
  readonly version?: Version
  readonly trail: string
}

/**
 * Returns the Package that a PackageInstall selects. Filters by prereleases, Kubernetes version, kapp-controller version and constraints,
 * then selects the highest version (kapp-controller pkg/packageinstall/packageinstall.go, referencedPkgVersions). An exact prerelease needs
 * no `prereleases`.
 *
 * @param packages  the Packages that the PackageInstall sees, of any refName
 */
export function selectPackage<T extends SelectablePackage>(
  packages: readonly T[],
  ref: PackageRef,
  platform: Platform,
  reader: RangeReader,
): PackageSelection<T> {
  const named = packages.filter(({ refName }) => refName === ref.refName)
  const byVersion = new Map(named.map((each) => [each.version, each]))
  const { highest, trail } = selectHighest(
    parseRelaxed([...byVersion.keys()].sort(compareText), reader.version),
    filtersOf(byVersion, ref, platform, reader),
    reader.dialect,
  )
  const selected = highest && byVersion.get(highest.text)
  return { ...(selected && { selected }), ...(highest && { version: highest }), trail }
}

// A platform's step is in the trail only where a Package asks for one.
function filtersOf(
  packages: ReadonlyMap<string, SelectablePackage>,
  ref: PackageRef,
  platform: Platform,
  reader: RangeReader,
): VersionFilter[] {
  const prereleases = prereleasesOf(ref, reader)
  const range = reader.range(ref.constraints)
  const allows = (constraint: string | undefined, version: string | undefined) => allowsPlatform(constraint, version, reader)
  const isConstrained = (constraintOf: (each: SelectablePackage) => string | undefined) =>
    [...packages.values()].some((each) => (constraintOf(each) ?? '') !== '')
  const kubernetes: VersionFilter = {
    name: 'kubernetes-version-check',
    admits: ({ text }) => platform.ignoreKubernetes || allows(packages.get(text)?.kubernetesVersionSelection, platform.kubernetes),
  }
  const kappController: VersionFilter = {
    name: 'kapp-controller-version-check',
    admits: ({ text }) =>
      platform.ignoreKappController || allows(packages.get(text)?.kappControllerVersionSelection, platform.kappController),
  }
  return [
    { name: 'prereleases-filter', admits: (version) => admitsPrerelease(version, prereleases) },
    ...(isConstrained((each) => each.kubernetesVersionSelection) ? [kubernetes] : []),
    ...(isConstrained((each) => each.kappControllerVersionSelection) ? [kappController] : []),
    { name: 'constraints-filter', admits: (version) => ref.constraints === '' || range?.accepts(version) === true },
  ]
}

/** Returns the prereleases that a selection admits: those of `prereleases`, or all if the constraint is itself one exact prerelease. */
export function prereleasesOf({ constraints, prereleases }: PackageRef, reader: RangeReader): Prereleases | undefined {
  const exact = reader.version(constraints)
  return prereleases ?? (exact !== undefined && exact.pre.length > 0 ? { identifiers: [] } : undefined)
}

/**
 * Returns true if a platform's version is in a constraint, or if the constraint or the version is missing. Prerelease and build of the
 * platform do not count.
 */
export function allowsPlatform(constraint: string | undefined, version: string | undefined, reader: RangeReader): boolean {
  if (constraint === undefined || constraint === '' || version === undefined) return true
  const platform = platformVersion(version, reader.dialect)
  return platform !== undefined && reader.range(constraint)?.accepts(platform) === true
}

/**
 * Returns the version of a platform without prerelease and build: `v1.31.2-gke.1` is 1.31.2 (kapp-controller componentinfo,
 * parseAndScrubVersion).
 */
function platformVersion(text: string, dialect: Dialect): Version | undefined {
  const parsed = dialect.parseVersion(text.replace(/^v/, ''))
  return parsed.ok ? { ...parsed.value, pre: [], build: [] } : undefined
}

/** A PackageInstall with the Packages it sees and the one it selects. */
export interface SelectingInstall {
  readonly install: PackageInstall
  readonly visible: readonly CarvelPackage[]
  readonly selection: PackageSelection<CarvelPackage>
  readonly platform: Platform
}
