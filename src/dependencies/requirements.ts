import { remember } from '../remember.ts'
import type { Version } from '../versions/version.ts'
import { formatPlace, quote } from './finding.ts'
import type { Dependent, Package, PackageIndex, PackageRequirement, Range, WantedKind } from './package-index.ts'

/** A requirement on a package with the dependent that has it. */
export interface DependentRequirement {
  readonly dependent: Dependent
  readonly requirement: PackageRequirement
}

/**
 * All requirements on one package. Equal ranges and digests are kept once, and `breaking` remembers its results, because a package that
 * many others require is judged once for each of its requirements.
 */
export class RequirementsOn {
  /** The requirements with a range or a digest. */
  readonly wanting: DependentRequirement[] = []
  /** The requirements with a range. */
  readonly ranged: DependentRequirement[] = []
  /** Each range once, in the order of the requirements. */
  readonly ranges: Range[] = []
  /** Each digest once. */
  readonly digests = new Set<string>()
  readonly #breaking = new Map<Version, readonly DependentRequirement[]>()
  readonly #seen = new Set<Range>()
  readonly #members = new Set<PackageRequirement>()

  add(each: DependentRequirement): void {
    const { range, digest } = each.requirement
    if (range === undefined && digest === undefined) return
    this.wanting.push(each)
    this.#members.add(each.requirement)
    if (digest !== undefined) this.digests.add(digest)
    if (range === undefined) return
    this.ranged.push(each)
    if (this.#seen.has(range)) return
    this.#seen.add(range)
    this.ranges.push(range)
  }

  /** Returns true if one of the requirements is of this requirement. An alternative's requirement is never one of them. */
  has(requirement: PackageRequirement): boolean {
    return this.#members.has(requirement)
  }

  /** Returns true if every range selects the version. */
  allSelect(version: Version): boolean {
    return this.ranges.every((range) => range.selects(version))
  }

  /** Returns the requirements whose range does not select the version. */
  breaking(version: Version): readonly DependentRequirement[] {
    return remember(this.#breaking, version, () => {
      const broken = new Set(this.ranges.filter((range) => !range.selects(version)))
      return this.ranged.filter(({ requirement }) => requirement.range !== undefined && broken.has(requirement.range))
    })
  }
}

/** Returns the requirements on packages, in order. Alternatives and kinds are left out: they require no version of one package. */
export function directRequirements(dependents: readonly Dependent[]): DependentRequirement[] {
  return dependents.flatMap((dependent) =>
    dependent.requirements.flatMap((requirement) => (requirement.type === 'package' ? [{ dependent, requirement }] : [])),
  )
}

/** Returns the direct requirements on each package. */
export function requirementsByPackage({ dependents }: PackageIndex): ReadonlyMap<Package, RequirementsOn> {
  const requirements = new Map<Package, RequirementsOn>()
  for (const each of directRequirements(dependents)) {
    remember(requirements, each.requirement.package, () => new RequirementsOn()).add(each)
  }
  return requirements
}

/** Returns a requirement in words: `P V requires D ">= 1.0.0" (AT)`. */
export function describeRequirement({ dependent, requirement }: DependentRequirement): string {
  return `${dependent.name} requires ${requirement.package.id}${describeWanted(requirement)}`
}

/** Returns the range or digest of a requirement and the place that requires it: ` ">= 1.0.0" (AT)`. */
export function describeWanted(requirement: PackageRequirement): string {
  const wanted = requirement.digest ?? (requirement.range === undefined ? undefined : quote(requirement.range.text))
  return `${wanted === undefined ? '' : ` ${wanted}`} (${formatPlace(requirement.place)})`
}

/** Returns a kind in words: `example.org/v1 Bucket`, or the name of its definition. */
export function describeKind(wanted: WantedKind): string {
  return 'definition' in wanted ? wanted.definition : `${wanted.apiVersion} ${wanted.kind}`
}
