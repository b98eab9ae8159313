import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { Candidate, CandidateVersions } from './candidate.ts'
import type { Choice, Exclusion, Fact, Problem } from './problem.ts'
import { readCandidates } from './read-candidates.ts'
import { type RequirementGroup, RequirementGroups } from './requirement-groups.ts'
import { compareRules, demandRule, exclusionRule, homeOf, isVacuous, type Rule } from './rule.ts'
import { firstPreferred } from './version-set.ts'

/** The rules of a problem. The rules of a version are made when they are requested: a search never tries most versions. */
export class RuleBook {
  readonly facts: readonly Rule[]
  readonly exclusions: readonly Rule[]
  readonly #candidates: ReadonlyMap<string, Candidate>
  readonly #exclusionsOf: ReadonlyMap<Candidate | undefined, readonly Rule[]>
  readonly #groups = new Map<Candidate, RequirementGroups>()
  readonly #rules = new Map<RequirementGroup, Rule>()

  constructor(problem: Problem) {
    const facts = [...problem.facts].sort((a, b) => compareText(a.id, b.id))
    this.#candidates = readCandidates(problem, facts)
    this.facts = facts.map((fact) => this.#factRule(fact)).filter((rule) => !isVacuous(rule))
    this.exclusions = problem.exclusions.flatMap((exclusion) => this.#exclusionRule(exclusion)).sort(compareRules)
    this.#exclusionsOf = groupBy(this.exclusions, homeOf)
  }

  /** Returns every package that the facts lead to, in the order of ids. */
  get candidates(): readonly Candidate[] {
    return [...this.#candidates.values()]
  }

  candidateOf(id: string): Candidate | undefined {
    return this.#candidates.get(id)
  }

  /** Returns the rules about users' objects: the facts, the requirements of fixed versions, and the exclusions. */
  given(): readonly Rule[] {
    const fixed = this.candidates.filter(({ fixedVersion }) => fixedVersion !== 0n)
    const required = fixed.flatMap((candidate) => this.#requiredBy(candidate, firstPreferred(candidate.fixedVersion)))
    return [...this.facts, ...required, ...this.exclusions]
  }

  /** Returns the rules of a version: its requirements in the order of `compareRules`, and the exclusions whose home is its package. */
  rulesOf(candidate: Candidate, version: number): readonly Rule[] {
    return [...this.#requiredBy(candidate, version), ...(this.#exclusionsOf.get(candidate) ?? [])]
  }

  #requiredBy(candidate: Candidate, version: number): readonly Rule[] {
    const groups = this.#groups.get(candidate) ?? new RequirementGroups(candidate)
    this.#groups.set(candidate, groups)
    const rules = groups.of(version).map((group) => this.#requirementRule(candidate, group))
    return rules.filter((rule) => !isVacuous(rule)).sort(compareRules)
  }

  /** Returns the one rule of all versions with the same requirement. */
  #requirementRule(candidate: Candidate, group: RequirementGroup): Rule {
    const { requirement, versions, given } = group
    const cause = { type: 'requirement', package: candidate.package.id, versions, requirement } as const
    const owner = { candidate, values: versions }
    const rule = this.#rules.get(group) ?? demandRule(requirement, this.#literals(requirement.anyOf), { cause, owner, given })
    this.#rules.set(group, rule)
    return rule
  }

  #factRule(fact: Fact): Rule {
    return demandRule(fact, this.#literals(fact.anyOf), { cause: { type: 'fact', fact }, given: true })
  }

  /** Returns the rule of an exclusion; none if the facts do not lead to one of its packages. */
  #exclusionRule(exclusion: Exclusion): Rule[] {
    const together = this.#literals(exclusion.together)
    const rule = exclusionRule(exclusion, together)
    return together.length < exclusion.together.length || isVacuous(rule) ? [] : [rule]
  }

  #literals(choices: readonly Choice[]): CandidateVersions[] {
    return choices.flatMap(({ package: id, versions }) => {
      const candidate = this.#candidates.get(id)
      return candidate === undefined ? [] : [{ candidate, values: versions }]
    })
  }
}
