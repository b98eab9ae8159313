import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { remember } from '../../remember.ts'
import {
  compareExternal,
  type ExternalIncompatibility,
  exclusionIncompatibility,
  homeOf,
  isVacuous,
  requirementIncompatibility,
  SolverPackage,
  type Term,
} from './external-incompatibility.ts'
import type { Exclusion, PackageRange, Problem, RootRequirement, SolverRequirement } from './problem.ts'
import { difference, firstPreferred, hasVersion, isSingle, numbersIn, type VersionSet } from './version-set.ts'

/** The incompatibilities of a search. */
export interface SearchScope {
  readonly roots: readonly ExternalIncompatibility[]
  /** Returns the incompatibilities that apply when a version of a package is chosen. Called when the search may choose the version. */
  incompatibilitiesOf(pkg: SolverPackage, version: number): readonly ExternalIncompatibility[]
}

/** Returns the scope of some given incompatibilities with the requirements of all known versions. */
export function withAllKnown(lister: PackageLister, given: readonly ExternalIncompatibility[]): SearchScope {
  const chosen = new Set(given)
  return {
    roots: given.filter(isRoot),
    incompatibilitiesOf: (pkg, version) =>
      lister.incompatibilitiesOf(pkg, version).filter((external) => !external.given || chosen.has(external)),
  }
}

/** Returns the scope of some incompatibilities and no others. */
export function inProof(externals: readonly ExternalIncompatibility[]): SearchScope {
  const byHome = groupBy(externals, homeOf)
  const applies = ({ owner }: ExternalIncompatibility, version: number) => owner === undefined || hasVersion(owner.values, version)
  return {
    roots: externals.filter(isRoot),
    incompatibilitiesOf: (pkg, version) => (byHome.get(pkg) ?? []).filter((external) => applies(external, version)),
  }
}

function isRoot({ cause }: ExternalIncompatibility): boolean {
  return cause.type === 'root'
}

/**
 * Lists the incompatibilities of a problem (pub's PackageLister). Those of a version are made when they are requested: a search never tries
 * most versions.
 */
export class PackageLister {
  readonly roots: readonly ExternalIncompatibility[]
  readonly exclusions: readonly ExternalIncompatibility[]
  readonly #packages: ReadonlyMap<string, SolverPackage>
  readonly #exclusionsOf: ReadonlyMap<SolverPackage | undefined, readonly ExternalIncompatibility[]>
  readonly #groups = new Map<SolverPackage, RequirementGroups>()
  readonly #externals = new Map<RequirementGroup, ExternalIncompatibility>()

  constructor(problem: Problem) {
    const roots = [...problem.roots].sort((a, b) => compareText(a.id, b.id))
    this.#packages = readPackages(problem, roots)
    this.roots = rootIncompatibilities(roots, (choices) => this.#terms(choices))
    this.exclusions = problem.exclusions.flatMap((exclusion) => this.#exclusionIncompatibility(exclusion)).sort(compareExternal)
    this.#exclusionsOf = groupBy(this.exclusions, homeOf)
  }

  /** Returns every package that the root requirements lead to, in the order of ids. */
  get packages(): readonly SolverPackage[] {
    return [...this.#packages.values()]
  }

  packageOf(id: string): SolverPackage | undefined {
    return this.#packages.get(id)
  }

  /** Returns the given incompatibilities: the root requirements, the requirements of fixed versions, and the exclusions. */
  given(): readonly ExternalIncompatibility[] {
    const fixed = this.packages.filter(({ fixedVersion }) => fixedVersion !== 0n)
    const required = fixed.flatMap((pkg) => this.#requiredBy(pkg, firstPreferred(pkg.fixedVersion)))
    return [...this.roots, ...required, ...this.exclusions]
  }

  /**
   * Returns the incompatibilities of a version: its requirements in the order of `compareExternal`, and the exclusions whose home is its
   * package.
   */
  incompatibilitiesOf(pkg: SolverPackage, version: number): readonly ExternalIncompatibility[] {
    return [...this.#requiredBy(pkg, version), ...(this.#exclusionsOf.get(pkg) ?? [])]
  }

  #requiredBy(pkg: SolverPackage, version: number): readonly ExternalIncompatibility[] {
    const groups = remember(this.#groups, pkg, () => new RequirementGroups(pkg))
    const externals = groups.of(version).map((group) => this.#requirementIncompatibility(pkg, group))
    return externals.filter((external) => !isVacuous(external)).sort(compareExternal)
  }

  /** Returns the one incompatibility of all versions with the same requirement. */
  #requirementIncompatibility(pkg: SolverPackage, group: RequirementGroup): ExternalIncompatibility {
    const { requirement, versions, given } = group
    const cause = { type: 'requirement', package: pkg.id, versions, requirement } as const
    const owner = { package: pkg, values: versions }
    return remember(this.#externals, group, () =>
      requirementIncompatibility(requirement, this.#terms(requirement.anyOf), { cause, owner, given }),
    )
  }

  /** Returns the incompatibility of an exclusion; none if the root requirements do not lead to one of its packages. */
  #exclusionIncompatibility(exclusion: Exclusion): ExternalIncompatibility[] {
    const together = this.#terms(exclusion.together)
    const external = exclusionIncompatibility(exclusion, together)
    return together.length < exclusion.together.length || isVacuous(external) ? [] : [external]
  }

  #terms(choices: readonly PackageRange[]): Term[] {
    return choices.flatMap(({ package: id, versions }) => {
      const pkg = this.#packages.get(id)
      return pkg === undefined ? [] : [{ package: pkg, values: versions }]
    })
  }
}

function rootIncompatibilities(roots: readonly RootRequirement[], termsOf: (choices: readonly PackageRange[]) => readonly Term[]) {
  const externals = roots.map((root) =>
    requirementIncompatibility(root, termsOf(root.anyOf), { cause: { type: 'root', root }, given: true }),
  )
  return externals.filter((external) => !isVacuous(external))
}

/** A scope that reads the requirements of a version when the version is tried. */
export class TriedVersions implements SearchScope {
  readonly roots: readonly ExternalIncompatibility[]
  readonly #problem: Problem
  readonly #packages = new Map<string, SolverPackage>()
  readonly #exclusions: ReadonlyMap<SolverPackage | undefined, readonly ExternalIncompatibility[]>

  constructor(problem: Problem) {
    this.#problem = problem
    const roots = [...problem.roots].sort((a, b) => compareText(a.id, b.id))
    this.roots = rootIncompatibilities(roots, (choices) => this.#terms(choices))
    const exclusions = problem.exclusions.map((exclusion) => exclusionIncompatibility(exclusion, this.#terms(exclusion.together)))
    this.#exclusions = groupBy(exclusions.sort(compareExternal), homeOf)
  }

  incompatibilitiesOf(pkg: SolverPackage, version: number): readonly ExternalIncompatibility[] {
    const owner = { package: pkg, values: 1n << BigInt(version) }
    const externals: ExternalIncompatibility[] = []
    for (const requirement of this.#problem.requirementsOf(pkg.id, version)) {
      const external = this.#requirementIncompatibility(requirement, owner)
      if (!isVacuous(external)) externals.push(external)
    }
    externals.sort(compareExternal)
    const exclusions = this.#exclusions.get(pkg)
    return exclusions === undefined ? externals : [...externals, ...exclusions]
  }

  #requirementIncompatibility(requirement: SolverRequirement, owner: Term): ExternalIncompatibility {
    const cause = { type: 'requirement', package: owner.package.id, versions: owner.values, requirement } as const
    return requirementIncompatibility(requirement, this.#terms(requirement.anyOf), { cause, owner, given: false })
  }

  #terms(choices: readonly PackageRange[]): Term[] {
    return choices.map(({ package: id, versions }) => ({ package: this.#packageOf(id), values: versions }))
  }

  #packageOf(id: string): SolverPackage {
    return remember(this.#packages, id, () => new SolverPackage(this.#problem.packageOf(id)))
  }
}

/**
 * Returns the packages that the root requirements lead to, by id, with the requirements of each version that a root requirement or a
 * requirement allows.
 */
function readPackages(problem: Problem, roots: readonly RootRequirement[]): ReadonlyMap<string, SolverPackage> {
  const reader = new PackageReader(problem)
  for (const root of roots) reader.readFact(root)
  reader.readReached()
  return reader.sorted()
}

interface Reached {
  readonly package: SolverPackage
  versions: VersionSet
}

class PackageReader {
  readonly #problem: Problem
  readonly #reached = new Map<string, Reached>()
  /** The reached versions whose requirements are not yet read. A list and no recursion: chains of packages may be long. */
  readonly #unread: { readonly package: SolverPackage; readonly versions: VersionSet }[] = []

  constructor(problem: Problem) {
    this.#problem = problem
  }

  readFact(root: RootRequirement): void {
    for (const choice of root.anyOf) this.#reach(choice)
    const [only] = root.anyOf
    if (only === undefined || root.anyOf.length > 1 || root.optional || root.isLast || !isSingle(only.versions)) return
    const { package: pkg } = this.#reach(only)
    if (pkg.fixedBy !== undefined) return
    pkg.fixedBy = root
    pkg.fixedVersion = only.versions
  }

  readReached(): void {
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop()) {
      for (const version of numbersIn(next.versions)) this.#readVersion(next.package, version)
    }
  }

  sorted(): ReadonlyMap<string, SolverPackage> {
    const all = [...this.#reached].sort(([a], [b]) => compareText(a, b)).map(([id, { package: pkg }]) => [id, pkg] as const)
    for (const [order, [, pkg]] of all.entries()) pkg.order = order
    return new Map(all)
  }

  #readVersion(pkg: SolverPackage, version: number): void {
    const requirements = this.#problem.requirementsOf(pkg.id, version)
    pkg.requirements.set(version, requirements)
    for (const { anyOf } of requirements) for (const choice of anyOf) this.#reach(choice)
  }

  #reach({ package: id, versions }: PackageRange): Reached {
    const reached = remember(this.#reached, id, () => ({ package: new SolverPackage(this.#problem.packageOf(id)), versions: 0n }))
    const fresh = difference(versions, reached.versions)
    if (fresh === 0n) return reached
    reached.versions |= fresh
    this.#unread.push({ package: reached.package, versions: fresh })
    return reached
  }
}

/** The versions of a package that have one requirement in common, in the same words. */
export interface RequirementGroup {
  readonly requirement: SolverRequirement
  /** True for the fixed version of a package. Its requirements are never grouped with those of other versions. */
  readonly given: boolean
  versions: VersionSet
}

/** The requirements of a package's versions in groups. A group is made when one of its versions is requested. */
class RequirementGroups {
  readonly #package: SolverPackage
  readonly #found = new Map<string, RequirementGroup[]>()

  constructor(pkg: SolverPackage) {
    this.#package = pkg
  }

  of(version: number): readonly RequirementGroup[] {
    const required = this.#package.requirements.get(version) ?? []
    const fresh = required.filter((requirement) => this.#find(requirement, version) === undefined)
    if (fresh.length > 0) this.#add(fresh, version)
    return [...new Set(required.flatMap((requirement) => this.#find(requirement, version) ?? []))]
  }

  #find(requirement: SolverRequirement, version: number): RequirementGroup | undefined {
    const alike = this.#found.get(requirement.wants)
    return alike?.find((group) => hasVersion(group.versions, version) && isSame(group.requirement, requirement))
  }

  /** Makes the groups of some requirements of a version, with every other version that has the same requirement. */
  #add(requirements: readonly SolverRequirement[], version: number): void {
    const { requirements: all, fixedVersion } = this.#package
    const given = hasVersion(fixedVersion, version)
    const own = requirements.map((requirement) => ({ requirement, given, versions: 0n }))
    const fresh = groupBy(own, ({ requirement }) => requirement.wants)
    for (const [other, required] of all) {
      if (hasVersion(fixedVersion, other) !== given) continue
      for (const requirement of required) {
        const group = fresh.get(requirement.wants)?.find((each) => isSame(each.requirement, requirement))
        if (group !== undefined) group.versions |= 1n << BigInt(other)
      }
    }
    for (const [words, groups] of fresh) this.#found.set(words, [...(this.#found.get(words) ?? []), ...groups])
  }
}

function isSame(a: SolverRequirement, b: SolverRequirement): boolean {
  if (a === b) return true
  const isAlike = a.optional === b.optional && a.anyOf.length === b.anyOf.length
  return isAlike && a.anyOf.every((choice, i) => choice.package === b.anyOf[i]?.package && choice.versions === b.anyOf[i]?.versions)
}
