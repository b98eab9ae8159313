import { groupBy } from '../../group-by.ts'
import type { Candidate } from './candidate.ts'
import { homeOf, type Rule } from './rule.ts'
import type { RuleBook } from './rule-book.ts'
import { hasVersion } from './version-set.ts'

/** The rules of a search. */
export interface SearchScope {
  readonly facts: readonly Rule[]
  /** Returns the rules that apply when a version of a candidate is chosen. Called when the search may choose the version. */
  rulesOf(candidate: Candidate, version: number): readonly Rule[]
}

/** Returns the scope of some given rules with the requirements of all known versions. */
export function withAllKnown(book: RuleBook, given: readonly Rule[]): SearchScope {
  const chosen = new Set(given)
  return {
    facts: given.filter(isFact),
    rulesOf: (candidate, version) => book.rulesOf(candidate, version).filter((rule) => !rule.given || chosen.has(rule)),
  }
}

/** Returns the scope of some rules and no others. */
export function inProof(rules: readonly Rule[]): SearchScope {
  const byHome = groupBy(rules, homeOf)
  const applies = ({ owner }: Rule, version: number) => owner === undefined || hasVersion(owner.values, version)
  return {
    facts: rules.filter(isFact),
    rulesOf: (candidate, version) => (byHome.get(candidate) ?? []).filter((rule) => applies(rule, version)),
  }
}

function isFact({ cause }: Rule): boolean {
  return cause.type === 'fact'
}
