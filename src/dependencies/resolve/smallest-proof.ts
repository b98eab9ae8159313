import type { Incompatibility } from './incompatibility.ts'
import { rulesBehind } from './proof.ts'
import { compareRules, narrowRule, type Rule } from './rule.ts'
import type { RuleBook } from './rule-book.ts'
import { inProof, type Scope, withAllKnown, withAllStaying } from './scope.ts'
import { type Budget, Search } from './search.ts'
import { difference, isSingle, membersOf } from './version-set.ts'

export interface SmallestProof {
  readonly proof: Incompatibility
  /** Whether each rule is needed; when the budget was spent before all were tried, some may not be. */
  readonly isSmallest: boolean
}

/**
 * Leaves out of a proof what it does not need: first what is given, in the light of everything that is known of packages,
 * then what is known. So no given rule can be left out even when all is known, and none of what remains in itself.
 */
export function findSmallestProof(proof: Incompatibility, book: RuleBook, budget: Budget): SmallestProof {
  const shrinking = new Shrinking(proof, book, budget)
  for (const rule of shrinking.sorted()) if (rule.given) shrinking.leaveOutGiven(rule)
  for (const rule of shrinking.sorted()) if (!rule.given) shrinking.leaveOutKnown(rule)
  for (const rule of shrinking.sorted()) if (!rule.given) shrinking.narrow(rule)
  return { proof: shrinking.proof, isSmallest: budget.steps > 0 }
}

class Shrinking {
  proof: Incompatibility
  #rules: ReadonlySet<Rule>
  readonly #book: RuleBook
  readonly #budget: Budget

  constructor(proof: Incompatibility, book: RuleBook, budget: Budget) {
    this.proof = proof
    this.#rules = rulesBehind(proof)
    this.#book = book
    this.#budget = budget
  }

  sorted(): Rule[] {
    return [...this.#rules].sort(compareRules)
  }

  leaveOutGiven(rule: Rule): void {
    if (!this.#mayLeaveOut(rule)) return
    const others = this.#without(rule).filter(({ given }) => given)
    const [moving] = rule.cause.type === 'fact' ? rule.choices : []
    // With all staying there is far less to search, and mostly a solution.
    if (this.#search(withAllStaying(this.#book, others, moving?.candidate)) !== undefined) this.#shrink(withAllKnown(this.#book, others))
  }

  leaveOutKnown(rule: Rule): void {
    if (this.#mayLeaveOut(rule)) this.#shrink(inProof(this.#without(rule)))
  }

  /** Leaves out single versions of those that require the same. */
  narrow(rule: Rule): void {
    let last = rule
    for (const version of membersOf(rule.owner?.values ?? 0n)) {
      const values = last.owner?.values ?? 0n
      if (isSingle(values) || !this.#mayLeaveOut(last)) return
      const narrowed = narrowRule(last, difference(values, 1n << BigInt(version)))
      if (this.#shrink(inProof([...this.#without(last), narrowed]))) last = narrowed
    }
  }

  #mayLeaveOut(rule: Rule): boolean {
    return this.#budget.steps > 0 && this.#rules.has(rule)
  }

  #without(rule: Rule): Rule[] {
    return [...this.#rules].filter((other) => other !== rule)
  }

  /** Goes on with the rules that are needed to prove that a scope has no solution, if it has none. */
  #shrink(scope: Scope): boolean {
    const proof = this.#search(scope)
    if (proof === undefined) return false
    this.proof = proof
    this.#rules = rulesBehind(proof)
    return true
  }

  #search(scope: Scope): Incompatibility | undefined {
    this.#budget.steps -= this.#rules.size
    const result = new Search(scope).run(this.#budget)
    return result.type === 'unsolvable' ? result.proof : undefined
  }
}
