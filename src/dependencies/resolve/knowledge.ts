import type { Budget } from './budget.ts'
import type { Candidate, CandidateVersions } from './candidate.ts'
import { holds, type Incompatibility, type Term, termOf } from './incompatibility.ts'
import type { PartialSolution } from './partial-solution.ts'
import { mustFail, watchIncompatibility } from './propagate.ts'
import type { Rule } from './rule.ts'
import { Variable } from './variable.ts'

/** A conclusion that was drawn when its incompatibility was added, maybe on a later level than it follows on. */
interface LateConclusion {
  readonly incompatibility: Incompatibility
  readonly level: number
}

/** The incompatibilities that a search knows: the rules of what it came by, and what it learned. */
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

  /** Adds the rules that are new here. */
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

  /** Draws the conclusion of an incompatibility, if there is one, and remembers it: going back may lose it while it still holds. */
  conclude(incompatibility: Incompatibility): void {
    const [open, second] = incompatibility.terms.filter((term) => !holds(term))
    if (second !== undefined) return
    this.#late.push({ incompatibility, level: this.#solution.level })
    const conflict = open === undefined ? incompatibility : mustFail(open, incompatibility, this.#solution)
    this.#conflict ??= conflict
  }

  /** Draws conclusions again that were taken back although they still hold. */
  backjump(level: number): void {
    const lost = this.#late.splice(this.#late.findLastIndex((late) => late.level <= level) + 1)
    for (const { incompatibility } of lost) this.conclude(incompatibility)
  }

  /** One that was violated as soon as it was added. */
  takeConflict(): Incompatibility | undefined {
    const conflict = this.#conflict
    this.#conflict = undefined
    return conflict
  }
}
