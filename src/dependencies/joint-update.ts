import type { Version } from '../versions/version.ts'
import type { DemandsOn } from './demands.ts'
import type { Dependent, Install, KnownVersion, PackageRequirement, PackageTarget, Requirement, Universe } from './universe.ts'

/**
 * Two updates that satisfy every requirement on a package: of the package itself (absent if it stays) and of one package that requires it.
 */
export interface JointUpdate {
  readonly to?: Version
  readonly other: { readonly id: string; readonly to: Version }
}

/** The demands and the check of requirements that the search for updates uses. */
interface Surroundings {
  readonly universe: Universe
  readonly demands: ReadonlyMap<PackageTarget, DemandsOn>
  /** True if versions lower than the installed one are tried. */
  readonly downgrades: boolean
  readonly isMet: (requirement: Requirement, dependent: Dependent) => boolean
}

/** The number of versions that are tried, the latest first. */
const MOST_TRIED = 50

/**
 * Returns a function that finds updates which fix a violated requirement where an update of the package alone does not: one of the
 * packages that require it is updated, alone or with the package. `resolve-dependencies` finds fixes of more than two updates.
 * The result for each package is remembered.
 */
export function jointUpdateFinder(surroundings: Surroundings): (target: PackageTarget, install: Install) => JointUpdate | undefined {
  const found = new Map<PackageTarget, JointUpdate | undefined>()
  return (target, install) => {
    if (!found.has(target)) found.set(target, findTogether(target, install, surroundings))
    return found.get(target)
  }
}

function findTogether(target: PackageTarget, { version: there }: Install, surroundings: Surroundings): JointUpdate | undefined {
  if (there === undefined || target.installs.length !== 1) return undefined
  const stays: KnownVersion = { version: there, requirements: [] }
  for (const known of [stays, ...movesOf(target.known, there, surroundings)]) {
    const other = soleOpponent(target, known, surroundings)
    const to = other && versionFor(other, target, known, surroundings)
    if (other?.target !== undefined && to !== undefined)
      return { ...(known !== stays && { to: known.version }), other: { id: other.target.id, to } }
  }
  return undefined
}

function movesOf(known: readonly KnownVersion[], there: Version, { universe, downgrades }: Surroundings): readonly KnownVersion[] {
  const isOpen = ({ version }: KnownVersion): boolean => {
    const order = universe.compare(version, there)
    return order > 0 || (downgrades && order < 0)
  }
  return known.filter(isOpen).slice(0, MOST_TRIED)
}

/** Returns the dependent whose range excludes the version, if there is exactly one and its version can be set. */
function soleOpponent(target: PackageTarget, { version }: KnownVersion, { demands }: Surroundings): Dependent | undefined {
  const opponents = [...new Set((demands.get(target)?.breaking(version) ?? []).map(({ dependent }) => dependent))]
  const [only] = opponents
  return opponents.length === 1 && only?.install?.movable === true && only.install.digest === undefined && only.target !== target
    ? only
    : undefined
}

/** Returns a version of the opponent with which all demands on the opponent and all its requirements hold, given the package's version. */
function versionFor(opponent: Dependent, target: PackageTarget, chosen: KnownVersion, surroundings: Surroundings): Version | undefined {
  const { install, target: own } = opponent
  if (install?.version === undefined || own === undefined || own.installs.length !== 1) return undefined
  // Requirements on the two packages are checked against the new versions (a package may require itself), others against the installed
  // ones.
  const holds = (each: Requirement, version: Version): boolean => {
    if (isAbout(each, target)) return selects(each, chosen.version)
    return isAbout(each, own) ? selects(each, version) : surroundings.isMet(each, opponent)
  }
  const suits = ({ version, requirements }: KnownVersion): boolean =>
    requirements !== undefined &&
    (surroundings.demands.get(own)?.allSelect(version) ?? true) &&
    [...requirements, ...(chosen.requirements ?? [])].every((each) => holds(each, version))
  return movesOf(own.known, install.version, surroundings).find(suits)?.version
}

function isAbout(requirement: Requirement, target: PackageTarget): requirement is PackageRequirement {
  return requirement.type === 'package' && requirement.target === target
}

function selects({ range, digest }: PackageRequirement, version: Version): boolean {
  return digest === undefined && (range === undefined || range.selects(version))
}
