import { debugLog } from '../../debug-log.ts'
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

/** The search for one part of a problem. The search stops when its steps are used up and continues with the next `run`. */
class PartSearch {
  /** The proof that there is no solution, to be reduced; undefined unless the search found one. */
  reduction: ProofReduction | undefined
  readonly #given: readonly Rule[]
  readonly #budget: Budget = { steps: 0 }
  readonly #search: Search
  #result: SearchResult = { type: 'exceeded' }

  constructor(book: RuleBook, given: readonly Rule[]) {
    this.#given = given
    const log = debugLog('resolve')
    log?.('search of one independent part, which reads all versions')
    this.#search = new Search(withAllKnown(book, given), this.#budget, { log })
  }

  get isDone(): boolean {
    return this.#result.type !== 'exceeded'
  }

  /** Continues the search until it is done or has used the given steps. Changes `given` to the steps that are left. */
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
  /** The most steps that all parts together may take (see `Budget`). */
  readonly maxSteps: number
}

/**
 * Returns, for each independent part of a problem, a version for each needed package so that all rules hold (PubGrub), or the reasons
 * why there is no solution, or `exceeded` when the steps did not suffice.
 *
 * The solution is the preferred one. It answers one question after the other, each with the first answer that leaves a solution:
 * 1. Some needed package has no version: choose the version. `keep` is tried first, unless the package rises; then the list from its start.
 *    Packages that keep their version are asked first, so that no new package moves them; then packages in the order of their ids.
 * 2. Else, some demand with several choices is not met by a package with a version: try its choices in their order. Facts are asked first,
 *    by id; then requirements, by package id and `wants`; then facts with `isLast`, even with one choice. From the first of these on, no
 *    package rises.
 * 3. Else, all other packages are absent.
 * A package is needed if it is the only choice of a demand of a fact or of a chosen version, or if step 2 chose it.
 *
 * So every chosen package is needed by a fact or another package, and the order of the input does not matter.
 * The solution is stable: if the chosen versions are installed and solved again, the same versions are chosen. An installed version moves
 * no question forward, except the questions of packages that keep their version, and a version that the others exclude is never chosen.
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

/** The steps that suffice to reduce the proof of any problem that a person wrote. */
const LEAST_STEPS = 10_000

/**
 * Reduces the proofs, first among their own rules, then the given rules against all known versions, then again among their own rules.
 * The second reduction costs as much as a search for each rule, so it gets at most the steps that the search took (or LEAST_STEPS).
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
