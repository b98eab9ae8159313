import type { Budget } from './budget.ts'
import type { Candidate, CandidateVersions } from './candidate.ts'
import { holds, type Incompatibility, type Term, termOf } from './incompatibility.ts'
import type { PartialSolution } from './partial-solution.ts'
import { mustFail, watchIncompatibility } from './propagate.ts'
import type { Rule } from './rule.ts'
import { Variable } from './variable.ts'

/** An incompatibility whose derivation was made on `level`, although the derivation may already follow on a lower level. */
interface LateConclusion {
  readonly incompatibility: Incompatibility
  readonly level: number
}

/** The incompatibilities of a search: those of the rules that were read, and those learned from conflicts. */
export class Knowledge {
  readonly #solution: PartialSolution
  readonly #budget: Budget
  readonly #variables = new Map<Candidate, Variable>()
  readonly #rules = new Set<Rule>()
  readonly #late: LateConclusion[] = []
  #conflict: Incompatibility | undefined

  constructor(solution: PartialSolution, budget: Budget) {
    this.#solution = solution
    this.#budget = budget
  }

  variableOf(candidate: Candidate): Variable {
    const known = this.#variables.get(candidate)
    if (known !== undefined) return known
    const variable = new Variable(candidate)
    this.#variables.set(candidate, variable)
    return variable
  }

  termOf({ candidate, values }: CandidateVersions): Term {
    return termOf(this.variableOf(candidate), values)
  }

  /** Adds the incompatibilities of rules that were not added before. Takes one step of the budget for each. */
  addRules(rules: readonly Rule[]): void {
    for (const rule of rules) {
      if (this.#rules.has(rule)) continue
      this.#rules.add(rule)
      this.#budget.steps--
      this.add({ terms: rule.forbidden.map((literal) => this.termOf(literal)), origin: { type: 'rule', rule } })
    }
  }

  add(incompatibility: Incompatibility): void {
    watchIncompatibility(incompatibility)
    this.conclude(incompatibility)
  }

  /**
   * Makes the derivation of an incompatibility if all of its terms but one hold, and keeps the conflict if all hold.
   * Remembers the incompatibility, because a backjump may remove the derivation while the derivation still follows.
   */
  conclude(incompatibility: Incompatibility): void {
    const [open, second] = incompatibility.terms.filter((term) => !holds(term))
    if (second !== undefined) return
    this.#late.push({ incompatibility, level: this.#solution.level })
    const conflict = open === undefined ? incompatibility : mustFail(open, incompatibility, this.#solution)
    this.#conflict ??= conflict
  }

  /** Repeats the derivations that a backjump to `level` removed although they still follow. */
  backjump(level: number): void {
    const lost = this.#late.splice(this.#late.findLastIndex((late) => late.level <= level) + 1)
    for (const { incompatibility } of lost) this.conclude(incompatibility)
  }

  /** Returns the first incompatibility that was violated when it was added, once; undefined when there is none. */
  takeConflict(): Incompatibility | undefined {
    const conflict = this.#conflict
    this.#conflict = undefined
    return conflict
  }
}
