import { groupBy } from '../../group-by.ts'
import type { Candidate } from './candidate.ts'
import type { Choice, SolverRequirement } from './problem.ts'
import { hasVersion, type VersionSet } from './version-set.ts'

/** The versions of a package that have one requirement in common, in the same words. */
export interface RequirementGroup {
  readonly requirement: SolverRequirement
  /** True for the fixed version of a package. Its requirements are never grouped with those of other versions. */
  readonly given: boolean
  versions: VersionSet
}

/** The requirements of a candidate's versions in groups. A group is made when one of its versions is requested. */
export class RequirementGroups {
  readonly #candidate: Candidate
  readonly #found = new Map<string, RequirementGroup[]>()

  constructor(candidate: Candidate) {
    this.#candidate = candidate
  }

  of(version: number): readonly RequirementGroup[] {
    const required = this.#candidate.requirements.get(version) ?? []
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
    const { requirements: all, fixedVersion } = this.#candidate
    const given = hasVersion(fixedVersion, version)
    const fresh = groupBy(
      requirements.map((requirement) => ({ requirement, given, versions: 0n })),
      ({ requirement }) => requirement.wants,
    )
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
  return isAlike && a.anyOf.every((choice, index) => isSameChoice(choice, b.anyOf[index]))
}

function isSameChoice(a: Choice, b: Choice | undefined): boolean {
  return a.package === b?.package && a.versions === b.versions
}
