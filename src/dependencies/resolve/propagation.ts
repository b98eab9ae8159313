import { remember } from '../../remember.ts'
import type { ExternalIncompatibility, SolverPackage, Term } from './external-incompatibility.ts'
import { type BoundTerm, boundTerm, fails, holds, type Incompatibility, PackageState, type Watch } from './incompatibility.ts'
import { beginningOf, type PartialSolution } from './partial-solution.ts'

/** The number of steps that are left. A step is one question, one incompatibility that is added, or ten checks of an incompatibility. */
export interface Budget {
  steps: number
}

/** The cost of one check of an incompatibility, in steps. A check is far cheaper than a question or a new incompatibility. */
export const LOOK = 0.1

/**
 * Makes every derivation that follows from the partial solution (pub's unit propagation): if all terms of an incompatibility but one hold,
 * the last term must not hold, so its package loses the term's values. With foo at 1.1.0, {foo is 1.1.0, bar is absent} makes bar present.
 * Returns the first incompatibility all of whose terms hold, a conflict; undefined when there is none. Takes steps of the budget.
 */
export function propagate(solution: PartialSolution, budget: Budget): Incompatibility | undefined {
  for (let changed = solution.takeChanged(); changed.length > 0; changed = solution.takeChanged()) {
    for (const state of changed) {
      const conflict = inform(state, solution, budget)
      if (conflict !== undefined) return conflict
    }
  }
  return undefined
}

/**
 * Checks the incompatibilities that watch a package. An incompatibility that finds another package to watch leaves the package's list.
 */
function inform(state: PackageState, solution: PartialSolution, budget: Budget): Incompatibility | undefined {
  const { watches } = state
  budget.steps -= LOOK * watches.length
  let conflict: Incompatibility | undefined
  let kept = 0
  for (const watch of watches) {
    const isConcerned = conflict === undefined && concerns(watch, state)
    if (isConcerned && moveOn(watch)) continue
    watches[kept++] = watch
    if (isConcerned) conflict = mustFail(watch.second, watch.incompatibility, solution)
  }
  watches.length = kept
  return conflict
}

/** Makes the package's term the first of the watch. Returns true if this term holds and the second watched term does not fail. */
function concerns(watch: Watch, state: PackageState): boolean {
  if (watch.first.state !== state) [watch.first, watch.second] = [watch.second, watch.first]
  return holds(watch.first) && !fails(watch.second)
}

/** Replaces the first watched term by a term that does not hold. Returns false when all other terms hold. */
function moveOn(watch: Watch): boolean {
  const index = watch.others.findIndex((term) => !holds(term))
  const other = watch.others[index]
  if (other === undefined) return false
  watch.others[index] = watch.first
  watch.first = other
  other.state.watches.push(watch)
  return true
}

/**
 * Makes the derivation that the term must not hold, for the case that all other terms hold. Returns the incompatibility if it is violated.
 */
function mustFail(term: BoundTerm, incompatibility: Incompatibility, solution: PartialSolution): Incompatibility | undefined {
  if (holds(term)) return incompatibility
  if (!fails(term)) solution.exclude(term, incompatibility)
  return undefined
}

/** Lets an incompatibility watch two of its packages, so that `propagate` checks the incompatibility when they lose values. */
function watchIncompatibility(incompatibility: Incompatibility): void {
  const terms = openTermsFirst(incompatibility.terms)
  const first = terms[0]
  const second = terms[1]
  if (first === undefined || second === undefined) return
  const watch: Watch = { incompatibility, first, second, others: terms.slice(2) }
  first.state.watches.push(watch)
  second.state.watches.push(watch)
}

/** Orders terms that do not hold first, then the terms that began to hold last: a backjump undoes these first. */
function openTermsFirst(terms: readonly BoundTerm[]): readonly BoundTerm[] {
  return terms.some(holds) ? [...terms].sort((a, b) => since(b) - since(a)) : terms
}

function since(term: BoundTerm): number {
  return holds(term) ? (beginningOf(term.state, term.values)?.index ?? -1) : Number.MAX_SAFE_INTEGER
}

/** An incompatibility whose derivation was made on `level`, although the derivation may already follow on a lower level. */
interface LateDerivation {
  readonly incompatibility: Incompatibility
  readonly level: number
}

/** The incompatibilities of a search: the external ones that were read, and those derived from conflicts. */
export class KnownIncompatibilities {
  readonly #solution: PartialSolution
  readonly #budget: Budget
  readonly #states = new Map<SolverPackage, PackageState>()
  readonly #externals = new Set<ExternalIncompatibility>()
  readonly #late: LateDerivation[] = []
  #conflict: Incompatibility | undefined

  constructor(solution: PartialSolution, budget: Budget) {
    this.#solution = solution
    this.#budget = budget
  }

  stateOf(pkg: SolverPackage): PackageState {
    return remember(this.#states, pkg, () => new PackageState(pkg))
  }

  boundTerm({ package: pkg, values }: Term): BoundTerm {
    return boundTerm(this.stateOf(pkg), values)
  }

  /** Adds external incompatibilities that were not added before. Takes one step of the budget for each. */
  addExternal(externals: readonly ExternalIncompatibility[]): void {
    for (const external of externals) {
      if (this.#externals.has(external)) continue
      this.#externals.add(external)
      this.#budget.steps--
      this.add({ terms: external.terms.map((term) => this.boundTerm(term)), cause: { type: 'external', external } })
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
    let open: BoundTerm | undefined
    for (const term of incompatibility.terms) {
      if (holds(term)) continue
      if (open !== undefined) return
      open = term
    }
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
