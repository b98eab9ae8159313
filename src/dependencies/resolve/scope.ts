import { groupBy } from '../../group-by.ts'
import type { Candidate } from './candidate.ts'
import { homeOf, type Rule, stayingRule } from './rule.ts'
import type { RuleBook } from './rule-book.ts'
import { hasVersion } from './version-set.ts'

/** What holds in a search. */
export interface Scope {
  readonly facts: readonly Rule[]
  /** What stands with a version of a candidate; asked when it may be chosen. */
  rulesOf(candidate: Candidate, version: number): readonly Rule[]
}

/** Some given rules, and all that is known of packages. */
export function withAllKnown(book: RuleBook, given: readonly Rule[]): Scope {
  const chosen = new Set(given)
  return {
    facts: given.filter(isFact),
    rulesOf: (candidate, version) => book.rulesOf(candidate, version).filter((rule) => !rule.given || chosen.has(rule)),
  }
}

/** The same, and every object that could stay does, but for one. What has a solution then has one without that. */
export function withAllStaying(book: RuleBook, given: readonly Rule[], moving: Candidate | undefined): Scope {
  const { facts, rulesOf } = withAllKnown(book, given)
  const staying = new Map<Candidate, readonly Rule[]>()
  for (const candidate of book.candidates) {
    if (candidate.fixedBy !== undefined && candidate !== moving) staying.set(candidate, [stayingRule(candidate, candidate.fixedBy)])
  }
  return { facts, rulesOf: (candidate, version) => [...rulesOf(candidate, version), ...(staying.get(candidate) ?? [])] }
}

/** Some rules, and nothing else. */
export function inProof(rules: readonly Rule[]): Scope {
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
