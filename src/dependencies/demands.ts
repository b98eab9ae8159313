import type { Version } from '../versions/version.ts'
import { quote } from './finding.ts'
import { formatPlace } from './place.ts'
import type { Dependent, PackageRequirement, PackageTarget, Range, Universe, WantedKind } from './universe.ts'

/** A requirement on a package with the dependent that has it. */
export interface PackageDemand {
  readonly dependent: Dependent
  readonly requirement: PackageRequirement
}

/**
 * Everything that is required of one package. What the demands have in common is worked out once: a package that everybody requires
 * is judged once for each of them.
 */
export class DemandsOn {
  /** Those that name a range or a digest. */
  readonly wanting: PackageDemand[] = []
  /** Those that name a range. */
  readonly ranged: PackageDemand[] = []
  /** Each range once, in the order of the demands. */
  readonly ranges: Range[] = []
  /** Each digest once. */
  readonly digests = new Set<string>()
  readonly #breaking = new Map<Version, readonly PackageDemand[]>()
  readonly #seen = new Set<Range>()
  readonly #members = new Set<PackageRequirement>()

  add(demand: PackageDemand): void {
    const { range, digest } = demand.requirement
    if (range === undefined && digest === undefined) return
    this.wanting.push(demand)
    this.#members.add(demand.requirement)
    if (digest !== undefined) this.digests.add(digest)
    if (range !== undefined) this.#addRange(demand, range)
  }

  #addRange(demand: PackageDemand, range: Range): void {
    this.ranged.push(demand)
    if (this.#seen.has(range)) return
    this.#seen.add(range)
    this.ranges.push(range)
  }

  /** Whether a requirement is one of them; that of an alternative is not. */
  has(requirement: PackageRequirement): boolean {
    return this.#members.has(requirement)
  }

  /** Whether every range selects the version. */
  allSelect(version: Version): boolean {
    return this.ranges.every((range) => range.selects(version))
  }

  /** The demands whose range does not select the version. */
  breaking(version: Version): readonly PackageDemand[] {
    const known = this.#breaking.get(version)
    if (known !== undefined) return known
    const broken = new Set(this.ranges.filter((range) => !range.selects(version)))
    const demands = this.ranged.filter(({ requirement }) => requirement.range !== undefined && broken.has(requirement.range))
    this.#breaking.set(version, demands)
    return demands
  }
}

/** The plain requirements of every dependent by what they require; alternatives and kinds are nobody's demand on a version. */
export function demandsByTarget({ dependents }: Universe): ReadonlyMap<PackageTarget, DemandsOn> {
  const demands = new Map<PackageTarget, DemandsOn>()
  for (const dependent of dependents) {
    for (const requirement of dependent.requirements) {
      if (requirement.type === 'package') demandsOn(demands, requirement.target).add({ dependent, requirement })
    }
  }
  return demands
}

function demandsOn(demands: Map<PackageTarget, DemandsOn>, target: PackageTarget): DemandsOn {
  const there = demands.get(target) ?? new DemandsOn()
  demands.set(target, there)
  return there
}

/** `P V requires D ">= 1.0.0" (AT)`. */
export function describeDemand({ dependent, requirement }: PackageDemand): string {
  return `${dependent.name} requires ${requirement.target.id}${describeWanted(requirement)}`
}

/** ` ">= 1.0.0" (AT)`: what is required of the package, and where it says so. */
export function describeWanted(requirement: PackageRequirement): string {
  const wanted = requirement.digest ?? (requirement.range === undefined ? undefined : quote(requirement.range.text))
  return `${wanted === undefined ? '' : ` ${wanted}`} (${formatPlace(requirement.place)})`
}

/** `example.org/v1 Bucket`, or the name of the definition. */
export function describeKind(wanted: WantedKind): string {
  return 'definition' in wanted ? wanted.definition : `${wanted.apiVersion} ${wanted.kind}`
}
