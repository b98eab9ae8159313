import type { PartAnswer, SolverOutcome } from './answer.ts'
import { type Budget, shareOut } from './budget.ts'
import type { Candidate } from './candidate.ts'
import { explain } from './explain.ts'
import { splitIntoParts } from './parts.ts'
import type { Problem } from './problem.ts'
import { ProofReduction } from './proof-reduction.ts'
import type { Rule } from './rule.ts'
import { RuleBook } from './rule-book.ts'
import { withAllKnown } from './scope.ts'
import { Search, type SearchResult } from './search.ts'

/** The search for one part of a problem; it can be interrupted. */
class PartSearch {
  /** What is left of the proof that there is no solution, when there is none. */
  reduction: ProofReduction | undefined
  readonly #given: readonly Rule[]
  readonly #budget: Budget = { steps: 0 }
  readonly #search: Search
  #result: SearchResult = { type: 'exceeded' }

  constructor(book: RuleBook, given: readonly Rule[]) {
    this.#given = given
    this.#search = new Search(withAllKnown(book, given), this.#budget)
  }

  get isDone(): boolean {
    return this.#result.type !== 'exceeded'
  }

  /** Goes on until it is done, or has used what it was given. */
  run(given: Budget): void {
    this.#budget.steps += given.steps
    this.#result = this.#search.run()
    given.steps = this.#budget.steps
    this.#budget.steps = 0
    if (this.#result.type === 'unsolvable') this.reduction = new ProofReduction(this.#result.proof)
  }

  answer(): PartAnswer {
    return { facts: this.#given.flatMap(({ cause }) => (cause.type === 'fact' ? [cause.fact] : [])), outcome: this.#outcome() }
  }

  #outcome(): SolverOutcome {
    if (this.reduction !== undefined) return { type: 'unsolvable', explanation: explain(this.reduction) }
    return this.#result.type === 'solved' ? { type: 'solved', versions: byId(this.#result.versions) } : { type: 'exceeded' }
  }
}

interface Limits {
  /** How much work there may be; one step is a question, a rule that is read, or ten looks at incompatibilities. */
  readonly maxSteps: number
}

/**
 * Chooses a version for each package that is needed, with conflict learning (PubGrub), so that everything holds.
 *
 * The preferred solution is the one that this gives, each answer being the first with which there is a solution at all:
 * 1. Of the packages that are needed and have no version yet, one gets a version: the one to keep, unless it rises, else the
 *    first of its list. Those that keep theirs come first, so that nothing that is new moves them; then the one with the least id.
 * 2. When there is none, and a choice of a needed version is still open, its choices are tried in their order;
 *    a choice is not open when a package that has a version meets it. The facts' choices come first, by id;
 *    then those of packages, by id and by what they want; then the facts that are asked last, even with one choice.
 *    From the first of these on nothing rises any more.
 * 3. When there is nothing left, all other packages are absent.
 * A package is needed when it is the one choice of something that a fact or a chosen version requires, or when 2 chose it.
 * What was chosen is chosen again when it is what is there: a version that others exclude was not chosen, and no question comes earlier
 * because its package is there, but those of what stays.
 * So every package that is there is needed by another or a fact, and the order of the input does not matter.
 */
export function satisfy(problem: Problem, { maxSteps }: Limits): PartAnswer[] {
  const book = new RuleBook(problem)
  const budget = { steps: maxSteps }
  const parts = splitIntoParts(book).map((given) => new PartSearch(book, given))
  for (let open = parts; open.length > 0 && budget.steps > 0; open = open.filter((part) => !part.isDone)) {
    shareOut(budget, open, (part, own) => part.run(own))
  }
  const reductions = parts.flatMap(({ reduction }) => reduction ?? [])
  reduceAll(reductions, book, { left: budget, searched: maxSteps - budget.steps })
  return parts.map((part) => part.answer())
}

/** Enough for any problem that a person wrote. */
const LEAST_STEPS = 10_000

/**
 * Makes the explanations small. To leave out a cause in the light of all that is known is as much work as the search was,
 * so that gets no more than the search.
 */
function reduceAll(reductions: readonly ProofReduction[], book: RuleBook, { left, searched }: { left: Budget; searched: number }): void {
  shareOut(left, reductions, (reduction, own) => reduction.reduce(own))
  const again = { steps: Math.min(left.steps, Math.max(searched, LEAST_STEPS)) }
  left.steps -= again.steps
  shareOut(again, reductions, (reduction, own) => reduction.reduceGiven(book, own))
  shareOut(left, reductions, (reduction, own) => reduction.reduce(own))
}

function byId(versions: ReadonlyMap<Candidate, number>): ReadonlyMap<string, number> {
  return new Map([...versions].sort(([a], [b]) => a.order - b.order).map(([candidate, version]) => [candidate.package.id, version]))
}
