import type { Version } from '../versions/version.ts'
import { listNames, listSome, quote } from './finding.ts'
import type { Dependent, Install, KnownVersion, Package, PackageIndex, PackageRequirement, Range, Requirement } from './package-index.ts'
import { type DependentRequirement, describeWanted, type RequirementsOn } from './requirements.ts'

/** A violated requirement in the letters of seed 004: package P requires package D in the range PDV, but version DV of D is installed. */
export interface Situation {
  readonly own: DependentRequirement
  /** PDV. */
  readonly range: Range
  /** All requirements on D, `requirement` included. */
  readonly all: RequirementsOn
  /** DV. */
  readonly installed: Version
  readonly compare: (a: Version, b: Version) => number
  /** Returns the updates that fix the violation where an update of D alone does not; searched when called. */
  readonly together: () => JointUpdate | undefined
}

/** A proposed fix: its words for the message, and the version to move D to if there is one. */
export interface ProposedFix {
  readonly text: string
  readonly move?: { readonly to: Version; readonly direction: 'up' | 'down' }
}

/**
 * Returns the proposed fix of a violated requirement, in the words of seed 004, whose tree is generalised to several versions and parents.
 * Example: P requires D ">=2.0.0", D 1.0.0 is installed and D 2.1.0 satisfies all: "resolvable by updating D to 2.1.0", a move up.
 */
export function proposeFix(situation: Situation): ProposedFix {
  const { own, range, all, installed, compare, together } = situation
  const { id, versions: known } = own.requirement.package
  const notSupported = `not resolvable because ${own.dependent.id} does not support using ${id} in ${installed.text} yet`
  if (known.every((version) => compare(version, installed) === 0)) return { text: guessOf(situation, notSupported) }
  const inRange = known.filter((version) => range.selects(version))
  const best = inRange.find((version) => all.allSelect(version))
  if (best !== undefined) {
    const [direction, text] =
      compare(best, installed) > 0
        ? (['up', `resolvable by updating ${id} to ${best.text}`] as const)
        : (['down', `${notSupported}; downgrading ${id} to ${best.text} satisfies all`] as const)
    return { text, move: { to: best, direction } }
  }
  const next = inRange.find((version) => compare(version, installed) > 0)
  const why = next === undefined ? notSupported : wouldBreak(id, next, all)
  return { text: orTogether(id, inRange.length === 0 ? noneInRange(id, range, known) : why, together()) }
}

/** Returns what may fix a violation where no version but the installed one is known. */
function guessOf({ own, range, all, installed, compare, together }: Situation, notSupported: string): string {
  const { id } = own.requirement.package
  if (range.literals.every((literal) => compare(installed, literal) > 0)) return orTogether(id, notSupported, together())
  if (!range.literals.every((literal) => compare(installed, literal) < 0)) return `cannot tell: no versions of ${id} known`
  const others = all.ranges.filter((each) => each !== range)
  if (others.every(({ text }) => text === range.text)) return `might be resolvable by updating ${id} to a version in ${quote(range.text)}`
  return `might be resolvable if ${listNames(listSome([range, ...others].map(({ text }) => quote(text))))} overlap`
}

/** Appends to a text the updates that satisfy all requirements together, if there are any. */
function orTogether(id: string, text: string, found: JointUpdate | undefined): string {
  if (found === undefined) return text
  const { to, other } = found
  return `${text}; ${to === undefined ? `updating ${other.id} to ${other.to.text}` : `${id} ${to.text} together with ${other.id} ${other.to.text}`} satisfies all`
}

function wouldBreak(id: string, next: Version, all: RequirementsOn): string {
  const names = all.breaking(next).map(({ dependent, requirement }) => `${dependent.id}, which requires${describeWanted(requirement)}`)
  return `not resolvable by this update alone because updating ${id} to ${next.text} breaks ${listNames(listSome(names))}`
}

function noneInRange(id: string, range: Range, known: readonly Version[]): string {
  const versions = listNames(listSome(known.map(({ text }) => text)))
  return `not resolvable because no known version of ${id} is in ${quote(range.text)}; there ${known.length === 1 ? 'is' : 'are'} ${versions}`
}

/**
 * Two updates that satisfy every requirement on a package: of the package itself (absent if it stays) and of one package that requires it.
 */
export interface JointUpdate {
  readonly to?: Version
  readonly other: { readonly id: string; readonly to: Version }
}

/** The requirements and the check of requirements that the search for updates uses. */
interface Surroundings {
  readonly index: PackageIndex
  readonly byPackage: ReadonlyMap<Package, RequirementsOn>
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
export function jointUpdateFinder(surroundings: Surroundings): (pkg: Package, install: Install) => JointUpdate | undefined {
  const found = new Map<Package, JointUpdate | undefined>()
  return (pkg, install) => {
    if (!found.has(pkg)) found.set(pkg, findTogether(pkg, install, surroundings))
    return found.get(pkg)
  }
}

function findTogether(pkg: Package, { version: there }: Install, surroundings: Surroundings): JointUpdate | undefined {
  if (there === undefined || pkg.installs.length !== 1) return undefined
  const stays: KnownVersion = { version: there, requirements: [] }
  for (const known of [stays, ...movesOf(pkg.known, there, surroundings)]) {
    const other = soleOpponent(pkg, known, surroundings)
    const to = other && versionFor(other, pkg, known, surroundings)
    if (other?.package !== undefined && to !== undefined)
      return { ...(known !== stays && { to: known.version }), other: { id: other.package.id, to } }
  }
  return undefined
}

function movesOf(known: readonly KnownVersion[], there: Version, { index, downgrades }: Surroundings): readonly KnownVersion[] {
  const isOpen = ({ version }: KnownVersion): boolean => {
    const order = index.compare(version, there)
    return order > 0 || (downgrades && order < 0)
  }
  return known.filter(isOpen).slice(0, MOST_TRIED)
}

/** Returns the dependent whose range excludes the version, if there is exactly one and its version can be set. */
function soleOpponent(pkg: Package, { version }: KnownVersion, { byPackage }: Surroundings): Dependent | undefined {
  const opponents = [...new Set((byPackage.get(pkg)?.breaking(version) ?? []).map(({ dependent }) => dependent))]
  const [only] = opponents
  return opponents.length === 1 && only?.install?.movable === true && only.install.digest === undefined && only.package !== pkg
    ? only
    : undefined
}

/**
 * Returns a version of the opponent with which all requirements on the opponent and all its requirements hold, given the package's version.
 */
function versionFor(opponent: Dependent, pkg: Package, chosen: KnownVersion, surroundings: Surroundings): Version | undefined {
  const { install, package: own } = opponent
  if (install?.version === undefined || own === undefined || own.installs.length !== 1) return undefined
  // Requirements on the two packages are checked against the new versions (a package may require itself), others against the installed
  // ones.
  const holds = (each: Requirement, version: Version): boolean => {
    if (isAbout(each, pkg)) return selects(each, chosen.version)
    return isAbout(each, own) ? selects(each, version) : surroundings.isMet(each, opponent)
  }
  const suits = ({ version, requirements }: KnownVersion): boolean =>
    requirements !== undefined &&
    (surroundings.byPackage.get(own)?.allSelect(version) ?? true) &&
    [...requirements, ...(chosen.requirements ?? [])].every((each) => holds(each, version))
  return movesOf(own.known, install.version, surroundings).find(suits)?.version
}

function isAbout(requirement: Requirement, pkg: Package): requirement is PackageRequirement {
  return requirement.type === 'package' && requirement.package === pkg
}

function selects({ range, digest }: PackageRequirement, version: Version): boolean {
  return digest === undefined && (range === undefined || range.selects(version))
}
