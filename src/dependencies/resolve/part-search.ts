import type { Answer, Outcome } from './answer.ts'
import type { Budget } from './budget.ts'
import type { Candidate } from './candidate.ts'
import { explain } from './explain.ts'
import { ProofReduction } from './proof-reduction.ts'
import type { Rule } from './rule.ts'
import type { RuleBook } from './rule-book.ts'
import { withAllKnown } from './scope.ts'
import { Search, type SearchResult } from './search.ts'

/** The search for one part of a problem; it can be interrupted. */
export class PartSearch {
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

  answer(): Answer {
    return { facts: this.#given.flatMap(({ cause }) => (cause.type === 'fact' ? [cause.fact] : [])), outcome: this.#outcome() }
  }

  #outcome(): Outcome {
    if (this.reduction !== undefined) return { type: 'unsolvable', explanation: explain(this.reduction) }
    return this.#result.type === 'solved' ? { type: 'solved', versions: byId(this.#result.versions) } : { type: 'exceeded' }
  }
}

function byId(versions: ReadonlyMap<Candidate, number>): ReadonlyMap<string, number> {
  return new Map([...versions].sort(([a], [b]) => a.order - b.order).map(([candidate, version]) => [candidate.package.id, version]))
}
