import { compareText } from '../../field-path.ts'
import { admitsPrerelease, type Prereleases, parseRelaxed, selectHighest, type VersionFilter } from '../../versions/selection.ts'
import type { Version } from '../../versions/version.ts'
import type { RangeReader } from '../range.ts'
import type { PackageInstall, PackageRef } from './installs.ts'
import { type CarvelPackage, type LimitedPlatform, PLATFORMS, type SelectablePackage } from './packages.ts'

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
  const choice = choiceOf(packages, ref, reader)
  const { highest, trail } = selectHighest(choice.versions, filtersOf(choice, ref, platform), reader.dialect)
  const selected = highest && packages[choice.numbers.get(highest.text) ?? -1]
  return { ...(selected && { selected }), ...(highest && { version: highest }), trail }
}

/** The Packages of one refName in a list, as a PackageInstall chooses among them. */
interface PackageChoice {
  readonly reader: RangeReader
  readonly refName: string
  /** The index in the list of the last Package of each version. */
  readonly numbers: ReadonlyMap<string, number>
  /** The versions by their texts. */
  readonly versions: readonly Version[]
  readonly packageOf: (version: string) => SelectablePackage | undefined
  /** The platforms that a Package limits. */
  readonly limited: readonly LimitedPlatform[]
}

/** By the list: installs are read again after each change, and the list of a refName seldom changes. */
const choices = new WeakMap<readonly SelectablePackage[], PackageChoice>()

function choiceOf(packages: readonly SelectablePackage[], { refName }: PackageRef, reader: RangeReader): PackageChoice {
  const known = choices.get(packages)
  if (known !== undefined && known.refName === refName && known.reader === reader) return known
  const numbers = new Map<string, number>()
  packages.forEach((each, number) => {
    if (each.refName === refName) numbers.set(each.version, number)
  })
  const named = packages.filter((each, number) => numbers.get(each.version) === number)
  const choice: PackageChoice = {
    reader,
    refName,
    numbers,
    versions: parseRelaxed([...numbers.keys()].sort(compareText), reader.version),
    packageOf: (version) => packages[numbers.get(version) ?? -1],
    limited: PLATFORMS.filter(({ range }) => named.some((each) => (each[range] ?? '') !== '')),
  }
  choices.set(packages, choice)
  return choice
}

// A platform's step is in the trail only where a Package asks for one.
function filtersOf(choice: PackageChoice, ref: PackageRef, platform: Platform): VersionFilter[] {
  const { reader } = choice
  const prereleases = prereleasesOf(ref, reader)
  const range = reader.range(ref.constraints)
  return [
    { name: 'prereleases-filter', admits: (version) => admitsPrerelease(version, prereleases) },
    ...choice.limited.map(({ filter, ignored, range, id }) => ({
      name: filter,
      admits: ({ text }: Version) => platform[ignored] || allowsPlatform(choice.packageOf(text)?.[range], platform[id], reader),
    })),
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
  // `v1.31.2-gke.1` is 1.31.2 (kapp-controller componentinfo, parseAndScrubVersion).
  const platform = reader.version(version.replace(/^v/, ''))
  return platform !== undefined && reader.range(constraint)?.accepts({ ...platform, pre: [], build: [] }) === true
}

/** A PackageInstall with the Packages it sees and the one it selects. */
export interface SelectingInstall {
  readonly install: PackageInstall
  readonly visible: readonly CarvelPackage[]
  readonly selection: PackageSelection<CarvelPackage>
  readonly platform: Platform
}
