import { groupBy } from '../../group-by.ts'
import type { Candidate } from './candidate.ts'
import { homeOf, type Rule } from './rule.ts'
import type { RuleBook } from './rule-book.ts'
import { hasVersion } from './version-set.ts'

/** What holds in a search. */
export interface SearchScope {
  readonly facts: readonly Rule[]
  /** What stands with a version of a candidate; asked when it may be chosen. */
  rulesOf(candidate: Candidate, version: number): readonly Rule[]
}

/** Some given rules, and all that is known of packages. */
export function withAllKnown(book: RuleBook, given: readonly Rule[]): SearchScope {
  const chosen = new Set(given)
  return {
    facts: given.filter(isFact),
    rulesOf: (candidate, version) => book.rulesOf(candidate, version).filter((rule) => !rule.given || chosen.has(rule)),
  }
}

/** Some rules, and nothing else. */
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
