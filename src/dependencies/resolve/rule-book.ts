import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { Candidate, Literal } from './candidate.ts'
import type { Choice, Exclusion, Fact, Problem, Requirement } from './problem.ts'
import { readCandidates } from './read-candidates.ts'
import { compareRules, demandRule, exclusionRule, homeOf, isVacuous, type Rule } from './rule.ts'
import { difference, hasVersion, lowestOf, type VersionSet } from './version-set.ts'

/** The rules of a problem. What versions require becomes rules when somebody asks: most versions are never looked at. */
export class RuleBook {
  readonly facts: readonly Rule[]
  readonly exclusions: readonly Rule[]
  readonly #candidates: ReadonlyMap<string, Candidate>
  readonly #exclusionsOf: ReadonlyMap<Candidate | undefined, readonly Rule[]>
  readonly #rulesOf = new Map<Candidate, Map<number, readonly Rule[]>>()

  constructor(problem: Problem) {
    const facts = [...problem.facts].sort((a, b) => compareText(a.id, b.id))
    this.#candidates = readCandidates(problem, facts)
    this.facts = facts.map((fact) => this.#factRule(fact)).filter((rule) => !isVacuous(rule))
    this.exclusions = problem.exclusions.flatMap((exclusion) => this.#exclusionRule(exclusion)).sort(compareRules)
    this.#exclusionsOf = groupBy(this.exclusions, homeOf)
  }

  /** Every package that can be reached, by id. */
  get candidates(): readonly Candidate[] {
    return [...this.#candidates.values()]
  }

  candidateOf(id: string): Candidate | undefined {
    return this.#candidates.get(id)
  }

  /** What is about users' objects: facts, exclusions, and what objects that stay require. */
  given(): readonly Rule[] {
    const fixed = this.candidates.filter(({ fixedVersion }) => fixedVersion !== 0n)
    const required = fixed.flatMap((candidate) => this.#requiredBy(candidate, lowestOf(candidate.fixedVersion)))
    return [...this.facts, ...required, ...this.exclusions]
  }

  /** What a version requires, by what it wants, and the exclusions that stand with its package. */
  rulesOf(candidate: Candidate, version: number): readonly Rule[] {
    return [...this.#requiredBy(candidate, version), ...(this.#exclusionsOf.get(candidate) ?? [])]
  }

  #requiredBy(candidate: Candidate, version: number): readonly Rule[] {
    const made = this.#rulesOf.get(candidate) ?? new Map<number, readonly Rule[]>()
    this.#rulesOf.set(candidate, made)
    const known = made.get(version)
    if (known !== undefined) return known
    const others = [...made.values()].flat()
    const rules = (candidate.requirements.get(version) ?? []).map(
      (requirement) =>
        others.find((rule) => isRuleOf(rule, requirement, version)) ?? this.#requirementRule(candidate, requirement, version),
    )
    const sorted = rules.filter((rule) => !isVacuous(rule)).sort(compareRules)
    made.set(version, sorted)
    return sorted
  }

  /** One rule for all versions that require the same; the version that stays is a user's object, and has its own. */
  #requirementRule(candidate: Candidate, requirement: Requirement, version: number): Rule {
    const given = candidate.fixedVersion === 1n << BigInt(version)
    const versions = given ? candidate.fixedVersion : versionsThatRequire(requirement, candidate)
    const cause = { type: 'requirement', package: candidate.package.id, versions, requirement } as const
    return demandRule(requirement, this.#literals(requirement.anyOf), { cause, owner: { candidate, values: versions }, given })
  }

  #factRule(fact: Fact): Rule {
    return demandRule(fact, this.#literals(fact.anyOf), { cause: { type: 'fact', fact }, given: true })
  }

  /** None where one of the packages cannot be reached. */
  #exclusionRule(exclusion: Exclusion): Rule[] {
    const together = this.#literals(exclusion.together)
    const rule = exclusionRule(exclusion, together)
    return together.length < exclusion.together.length || isVacuous(rule) ? [] : [rule]
  }

  #literals(choices: readonly Choice[]): Literal[] {
    return choices.flatMap(({ package: id, versions }) => {
      const candidate = this.#candidates.get(id)
      return candidate === undefined ? [] : [{ candidate, values: versions }]
    })
  }
}

function isRuleOf({ cause, owner }: Rule, requirement: Requirement, version: number): boolean {
  return cause.type === 'requirement' && owner !== undefined && hasVersion(owner.values, version) && isSame(cause.requirement, requirement)
}

function versionsThatRequire(requirement: Requirement, { requirements, fixedVersion }: Candidate): VersionSet {
  let versions = 0n
  for (const [version, others] of requirements) {
    if (others.some((other) => isSame(other, requirement))) versions |= 1n << BigInt(version)
  }
  return difference(versions, fixedVersion)
}

function isSame(a: Requirement, b: Requirement): boolean {
  if (a === b) return true
  const isAlike = a.wants === b.wants && a.optional === b.optional && a.anyOf.length === b.anyOf.length
  return isAlike && a.anyOf.every((choice, index) => isSameChoice(choice, b.anyOf[index]))
}

function isSameChoice(a: Choice, b: Choice | undefined): boolean {
  return a.package === b?.package && a.versions === b.versions
}
