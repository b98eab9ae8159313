import type { Demand } from './classify.ts'
import { formatPlace } from './place.ts'
import type { Dependent, PackageRequirement, Target, Universe } from './universe.ts'

/** A requirement on a package with the dependent that has it. */
export interface PackageDemand {
  readonly dependent: Dependent
  readonly requirement: PackageRequirement
}

/** The plain requirements of every dependent by what they require; alternatives and kinds are nobody's demand on a version. */
export function demandsByTarget({ dependents }: Universe): ReadonlyMap<Target, readonly PackageDemand[]> {
  const demands = new Map<Target, PackageDemand[]>()
  for (const dependent of dependents) {
    for (const requirement of dependent.requirements) {
      if (requirement.type === 'package') append(demands, requirement.target, { dependent, requirement })
    }
  }
  return demands
}

function append(demands: Map<Target, PackageDemand[]>, target: Target, demand: PackageDemand): void {
  const there = demands.get(target)
  if (there === undefined) demands.set(target, [demand])
  else there.push(demand)
}

/** The demands that name a range, as the classification takes them. */
export function rangedDemands(demands: readonly PackageDemand[]): Demand[] {
  return demands.flatMap(({ dependent, requirement }) =>
    requirement.range === undefined ? [] : [{ by: dependent.id, range: requirement.range }],
  )
}

/** `P V requires D ">= 1.0.0" (AT)`. */
export function describeDemand({ dependent, requirement }: PackageDemand): string {
  return `${dependent.name} requires ${requirement.target.id}${describeWanted(requirement)}`
}

/** ` ">= 1.0.0" (AT)`: what is required of the package, and where it says so. */
export function describeWanted(requirement: PackageRequirement): string {
  const wanted = requirement.digest ?? (requirement.range === undefined ? undefined : `"${requirement.range.text}"`)
  return `${wanted === undefined ? '' : ` ${wanted}`} (${formatPlace(requirement.place)})`
}
