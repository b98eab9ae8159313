import type { Budget } from './budget.ts'
import type { Incompatibility } from './incompatibility.ts'
import { compareRules, narrowRule, type Rule } from './rule.ts'
import type { RuleBook } from './rule-book.ts'
import { inProof, type SearchScope, withAllKnown } from './scope.ts'
import { Search } from './search.ts'
import { difference, isSingle, numbersIn } from './version-set.ts'

/** Leaves out of a proof what it does not need. */
export class ProofReduction {
  proof: Incompatibility
  /** Whether none of the rules can be left out; false as long as not everything was tried. */
  isSmallest = false
  #rules: ReadonlySet<Rule>

  constructor(proof: Incompatibility) {
    this.proof = proof
    this.#rules = rulesBehind(proof)
  }

  /** The rules that the proof stands on, in their order. */
  rules(): Rule[] {
    return [...this.#rules].sort(compareRules)
  }

  /** Leaves out every rule, and every version of a rule, that the others make up for. */
  reduce(budget: Budget): void {
    if (this.isSmallest) return
    for (const rule of this.rules()) if (this.#isDue(rule, budget)) this.#shrink(inProof(this.#without(rule)), budget)
    for (const rule of this.rules()) if (!rule.given) this.#narrow(rule, budget)
    this.isSmallest = budget.steps > 0
  }

  /** Leaves out every given rule that the others and all that is known of packages make up for, as far as the budget goes. */
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

  /** Whether the rule is still there, and there are steps left to do without it. */
  #isDue(rule: Rule, budget: Budget): boolean {
    return budget.steps > 0 && this.#rules.has(rule)
  }

  #without(rule: Rule): Rule[] {
    return [...this.#rules].filter((other) => other !== rule)
  }

  /** Goes on with the rules that are needed to prove that a scope has no solution, if it has none. */
  #shrink(scope: SearchScope, budget: Budget): boolean {
    // What it takes to set the scope up.
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
