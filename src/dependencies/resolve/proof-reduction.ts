import type { Budget } from './budget.ts'
import type { Incompatibility } from './incompatibility.ts'
import { compareRules, narrowRule, type Rule } from './rule.ts'
import type { RuleBook } from './rule-book.ts'
import { inProof, type SearchScope, withAllKnown } from './scope.ts'
import { Search } from './search.ts'
import { difference, isSingle, numbersIn } from './version-set.ts'

/** Removes from a proof the rules that the proof does not need. */
export class ProofReduction {
  proof: Incompatibility
  /** True if none of the rules can be removed; false until each rule was tried. */
  isSmallest = false
  #rules: ReadonlySet<Rule>

  constructor(proof: Incompatibility) {
    this.proof = proof
    this.#rules = rulesBehind(proof)
  }

  /** Returns the rules that the proof uses, in the order of `compareRules`. */
  rules(): Rule[] {
    return [...this.#rules].sort(compareRules)
  }

  /**
   * Removes each rule, and each version of a rule, without which the other rules still have no solution. Takes steps of the budget.
   * Example: of "foo 1.0.0 to 1.4.0 requires bar" the versions that the proof needs are left, say "foo 1.2.0 requires bar".
   */
  reduce(budget: Budget): void {
    if (this.isSmallest) return
    for (const rule of this.rules()) if (this.#isDue(rule, budget)) this.#shrink(inProof(this.#without(rule)), budget)
    for (const rule of this.rules()) if (!rule.given) this.#narrow(rule, budget)
    this.isSmallest = budget.steps > 0
  }

  /** Removes each given rule without which the other given rules, with the requirements of all known versions, still have no solution. */
  reduceGiven(book: RuleBook, budget: Budget): void {
    for (const rule of this.rules().filter(({ given }) => given)) {
      const others = this.#without(rule).filter(({ given }) => given)
      if (this.#isDue(rule, budget) && this.#shrink(withAllKnown(book, others), budget)) this.isSmallest = false
    }
  }

  #narrow(rule: Rule, budget: Budget): void {
    let last = rule
    for (const version of numbersIn(rule.owner?.values ?? 0n)) {
      const values = last.owner?.values ?? 0n
      if (isSingle(values) || !this.#isDue(last, budget)) return
      const narrowed = narrowRule(last, difference(values, 1n << BigInt(version)))
      if (this.#shrink(inProof([...this.#without(last), narrowed]), budget)) last = narrowed
    }
  }

  /** Returns true if the rule is still in the proof and steps are left to try without it. */
  #isDue(rule: Rule, budget: Budget): boolean {
    return budget.steps > 0 && this.#rules.has(rule)
  }

  #without(rule: Rule): Rule[] {
    return [...this.#rules].filter((other) => other !== rule)
  }

  /** Replaces the proof by one from the rules of a scope if the scope has no solution. Returns true if it did. */
  #shrink(scope: SearchScope, budget: Budget): boolean {
    // The cost of building the scope.
    budget.steps -= this.#rules.size
    const result = new Search(scope, budget).run()
    if (result.type !== 'unsolvable') return false
    this.proof = result.proof
    this.#rules = rulesBehind(result.proof)
    return true
  }
}

function rulesBehind(proof: Incompatibility): Set<Rule> {
  const rules = new Set<Rule>()
  const seen = new Set([proof])
  for (const { origin } of seen) {
    if (origin.type === 'rule') rules.add(origin.rule)
    else for (const cause of [origin.conflict, ...origin.resolutions.map(({ reason }) => reason)]) seen.add(cause)
  }
  return rules
}
