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
 * All demands on one package. Equal ranges and digests are kept once, and `breaking` remembers its results, because a package that
 * many others require is judged once for each of its demands.
 */
export class DemandsOn {
  /** The demands with a range or a digest. */
  readonly wanting: PackageDemand[] = []
  /** The demands with a range. */
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

  /** Returns true if one of the demands is of this requirement. An alternative's requirement is never one of them. */
  has(requirement: PackageRequirement): boolean {
    return this.#members.has(requirement)
  }

  /** Returns true if every range selects the version. */
  allSelect(version: Version): boolean {
    return this.ranges.every((range) => range.selects(version))
  }

  /** Returns the demands whose range does not select the version. */
  breaking(version: Version): readonly PackageDemand[] {
    const known = this.#breaking.get(version)
    if (known !== undefined) return known
    const broken = new Set(this.ranges.filter((range) => !range.selects(version)))
    const demands = this.ranged.filter(({ requirement }) => requirement.range !== undefined && broken.has(requirement.range))
    this.#breaking.set(version, demands)
    return demands
  }
}

/** Returns the demands on each package. Alternatives and kinds are left out: they demand no version of one package. */
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

/** Returns a demand in words: `P V requires D ">= 1.0.0" (AT)`. */
export function describeDemand({ dependent, requirement }: PackageDemand): string {
  return `${dependent.name} requires ${requirement.target.id}${describeWanted(requirement)}`
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
