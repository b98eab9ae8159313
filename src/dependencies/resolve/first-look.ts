import { debugLog } from '../../debug-log.ts'
import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { Candidate, type CandidateVersions } from './candidate.ts'
import type { Choice, Problem, SolverRequirement } from './problem.ts'
import { compareRules, demandRule, exclusionRule, homeOf, isVacuous, type Rule } from './rule.ts'
import type { SearchScope } from './scope.ts'
import { Search } from './search.ts'

/** The number of conflicts after which `firstLook` ends without a result and leaves the problem to `satisfy`. */
const MOST_CONFLICTS = 3

/**
 * Returns the preferred solution, by package id, if a search finds it with at most a few conflicts, as is nearly always the case.
 * Returns undefined otherwise: the problem may have a solution or none.
 * Reads the requirements of the versions that are tried only: a catalog may have a hundred times as many.
 */
export function firstLook(problem: Problem, maxSteps: number): ReadonlyMap<string, number> | undefined {
  const log = debugLog('resolve')
  log?.('first look, which reads the versions that it tries')
  const result = new Search(new TriedVersions(problem), { steps: maxSteps }, { mostConflicts: MOST_CONFLICTS, log }).run()
  if (result.type !== 'solved') return undefined
  return new Map([...result.versions].map(([candidate, version]) => [candidate.package.id, version]))
}

/** A scope that reads the requirements of a version when the version is tried. */
class TriedVersions implements SearchScope {
  readonly facts: readonly Rule[]
  readonly #problem: Problem
  readonly #candidates = new Map<string, Candidate>()
  readonly #exclusions: ReadonlyMap<Candidate | undefined, readonly Rule[]>

  constructor(problem: Problem) {
    this.#problem = problem
    const facts = [...problem.facts].sort((a, b) => compareText(a.id, b.id))
    const rules = facts.map((fact) => demandRule(fact, this.#literals(fact.anyOf), { cause: { type: 'fact', fact }, given: true }))
    this.facts = rules.filter((rule) => !isVacuous(rule))
    const exclusions = problem.exclusions.map((exclusion) => exclusionRule(exclusion, this.#literals(exclusion.together)))
    this.#exclusions = groupBy(exclusions.sort(compareRules), homeOf)
  }

  rulesOf(candidate: Candidate, version: number): readonly Rule[] {
    const required = this.#problem.requirementsOf(candidate.package.id, version)
    const rules = required.map((requirement) => this.#ruleFor(requirement, candidate, version)).filter((rule) => !isVacuous(rule))
    return [...rules.sort(compareRules), ...(this.#exclusions.get(candidate) ?? [])]
  }

  #ruleFor(requirement: SolverRequirement, candidate: Candidate, version: number): Rule {
    const versions = 1n << BigInt(version)
    const cause = { type: 'requirement', package: candidate.package.id, versions, requirement } as const
    return demandRule(requirement, this.#literals(requirement.anyOf), { cause, owner: { candidate, values: versions }, given: false })
  }

  #literals(choices: readonly Choice[]): CandidateVersions[] {
    return choices.map(({ package: id, versions }) => ({ candidate: this.#candidateOf(id), values: versions }))
  }

  #candidateOf(id: string): Candidate {
    const known = this.#candidates.get(id)
    if (known !== undefined) return known
    const candidate = new Candidate(this.#problem.packageOf(id))
    this.#candidates.set(id, candidate)
    return candidate
  }
}
