import type { Candidate } from './candidate.ts'
import { type Explanation, explain } from './explain.ts'
import { splitIntoParts } from './parts.ts'
import type { Fact, Problem } from './problem.ts'
import type { Rule } from './rule.ts'
import { RuleBook } from './rule-book.ts'
import { withAllKnown } from './scope.ts'
import { type Budget, Search, type SearchResult } from './search.ts'

/** The answer for one part of a problem; parts have nothing to do with each other. */
export interface Answer {
  /** What the part begins with. */
  readonly facts: readonly Fact[]
  readonly outcome: Outcome
}

export type Outcome =
  /** The packages that are there, each with the number of its version. */
  | { readonly type: 'solved'; readonly versions: ReadonlyMap<string, number> }
  | { readonly type: 'unsolvable'; readonly explanation: Explanation }
  /** No answer was found in so many steps. */
  | { readonly type: 'exceeded' }

interface Limits {
  /** How many steps there may be: looks at an incompatibility, and questions. */
  readonly maxSteps: number
}

/**
 * Chooses a version for each package that is needed, with conflict learning (PubGrub), so that everything holds.
 *
 * The preferred solution is the one that this gives, each answer being the first with which there is a solution at all:
 * 1. Of the packages that are needed and have no version yet, the one with the least id gets a version:
 *    the one to keep, else the first of its list.
 * 2. When there is none, and a choice of a needed version is still open, its choices are tried in their order;
 *    a choice is not open when a package that has a version meets it. The facts' choices come first, by id;
 *    then those of packages, by id and by what they want.
 * 3. When there is nothing left, all other packages are absent.
 * A package is needed when a fact or a version that was chosen requires it and nothing else would do, or when 2 chose it.
 */
export function satisfy(problem: Problem, { maxSteps }: Limits): Answer[] {
  const book = new RuleBook(problem)
  const parts = splitIntoParts(book).map((given) => new PartSearch(book, given))
  const budget = { steps: maxSteps }
  for (let open = parts; open.length > 0 && budget.steps > 0; open = open.filter((part) => !part.isDone)) takeTurns(open, budget)
  return parts.map((part) => part.answer(budget))
}

/** Each gets an equal share of the steps, so that a hard one does not take what an easy one would need. */
function takeTurns(parts: readonly PartSearch[], budget: Budget): void {
  const share = Math.ceil(budget.steps / parts.length)
  for (const part of parts) part.run(share, budget)
}

class PartSearch {
  readonly #book: RuleBook
  readonly #given: readonly Rule[]
  readonly #search: Search
  #result: SearchResult = { type: 'exceeded' }

  constructor(book: RuleBook, given: readonly Rule[]) {
    this.#book = book
    this.#given = given
    this.#search = new Search(withAllKnown(book, given))
  }

  get isDone(): boolean {
    return this.#result.type !== 'exceeded'
  }

  run(share: number, budget: Budget): void {
    const own = { steps: Math.min(share, budget.steps) }
    budget.steps -= own.steps
    this.#result = this.#search.run(own)
    budget.steps += own.steps
  }

  answer(budget: Budget): Answer {
    const facts = this.#given.flatMap(({ cause }) => (cause.type === 'fact' ? [cause.fact] : []))
    return { facts, outcome: this.#outcome(budget) }
  }

  #outcome(budget: Budget): Outcome {
    const result = this.#result
    if (result.type === 'unsolvable') return { type: 'unsolvable', explanation: explain(result.proof, this.#book, budget) }
    return result.type === 'solved' ? { type: 'solved', versions: byId(result.versions) } : result
  }
}

function byId(versions: ReadonlyMap<Candidate, number>): ReadonlyMap<string, number> {
  return new Map([...versions].sort(([a], [b]) => a.order - b.order).map(([candidate, version]) => [candidate.package.id, version]))
}
