import type { Version } from '../versions/version.ts'
import type { DemandsOn } from './demands.ts'
import type { Dependent, Install, KnownVersion, PackageRequirement, PackageTarget, Requirement, Universe } from './universe.ts'

/** Updates that satisfy every requirement on a package: of one who requires it, and of the package itself unless that stays. */
export interface Together {
  readonly to?: Version
  readonly other: { readonly id: string; readonly to: Version }
}

/** What is looked at: who requires what, and whether a requirement is met by what is there. */
interface Surroundings {
  readonly universe: Universe
  readonly demands: ReadonlyMap<PackageTarget, DemandsOn>
  /** Whether versions may be lower than what is there. */
  readonly downgrades: boolean
  readonly isMet: (requirement: Requirement, dependent: Dependent) => boolean
}

/** Of a long history the latest versions are tried. */
const MOST_TRIED = 50

/**
 * Looks for what mends a violated requirement where an update of the package alone does not: one of its requirers moves too, or
 * moves alone. More than two updates at once are `resolve-dependencies`' matter. Each package is looked at once.
 */
export function togetherFinder(surroundings: Surroundings): (target: PackageTarget, install: Install) => Together | undefined {
  const found = new Map<PackageTarget, Together | undefined>()
  return (target, install) => {
    if (!found.has(target)) found.set(target, findTogether(target, install, surroundings))
    return found.get(target)
  }
}

function findTogether(target: PackageTarget, { version: there }: Install, surroundings: Surroundings): Together | undefined {
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

/** The one other dependent whose range leaves the version out; one whose version cannot be set is none. */
function soleOpponent(target: PackageTarget, { version }: KnownVersion, { demands }: Surroundings): Dependent | undefined {
  const opponents = [...new Set((demands.get(target)?.breaking(version) ?? []).map(({ dependent }) => dependent))]
  const [only] = opponents
  return opponents.length === 1 && only?.install?.movable === true && only.install.digest === undefined && only.target !== target
    ? only
    : undefined
}

/** The version of the opponent that suits the version of the package, everybody who requires the opponent, and what else is there. */
function versionFor(opponent: Dependent, target: PackageTarget, chosen: KnownVersion, surroundings: Surroundings): Version | undefined {
  const { install, target: own } = opponent
  if (install?.version === undefined || own === undefined || own.installs.length !== 1) return undefined
  // A package may require itself.
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
