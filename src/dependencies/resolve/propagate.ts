import { type Budget, LOOK } from './budget.ts'
import { fails, holds, type Incompatibility, type Term } from './incompatibility.ts'
import { beginningOf, type PartialSolution } from './partial-solution.ts'
import type { Variable, Watch } from './variable.ts'

/**
 * Makes every derivation that follows from the partial solution (pub's unit propagation): if all terms of an incompatibility but one hold,
 * the last term must not hold, so its variable loses the term's values. With foo at 1.1.0, {foo is 1.1.0, bar is absent} makes bar present.
 * Returns the first incompatibility all of whose terms hold, a conflict; undefined when there is none. Takes steps of the budget.
 */
export function propagate(solution: PartialSolution, budget: Budget): Incompatibility | undefined {
  for (let changed = solution.takeChanged(); changed.length > 0; changed = solution.takeChanged()) {
    for (const variable of changed) {
      const conflict = inform(variable, solution, budget)
      if (conflict !== undefined) return conflict
    }
  }
  return undefined
}

/**
 * Checks the incompatibilities that watch a variable. An incompatibility that finds another variable to watch leaves the variable's list.
 */
function inform(variable: Variable, solution: PartialSolution, budget: Budget): Incompatibility | undefined {
  const { watches } = variable
  budget.steps -= LOOK * watches.length
  let conflict: Incompatibility | undefined
  let kept = 0
  for (const watch of watches) {
    const isConcerned = conflict === undefined && concerns(watch, variable)
    if (isConcerned && moveOn(watch)) continue
    watches[kept++] = watch
    if (isConcerned) conflict = mustFail(watch.second, watch.incompatibility, solution)
  }
  watches.length = kept
  return conflict
}

/** Makes the variable's term the first of the watch. Returns true if this term holds and the second watched term does not fail. */
function concerns(watch: Watch, variable: Variable): boolean {
  if (watch.first.variable !== variable) [watch.first, watch.second] = [watch.second, watch.first]
  return holds(watch.first) && !fails(watch.second)
}

/** Replaces the first watched term by a term that does not hold. Returns false when all other terms hold. */
function moveOn(watch: Watch): boolean {
  const index = watch.others.findIndex((term) => !holds(term))
  const other = watch.others[index]
  if (other === undefined) return false
  watch.others[index] = watch.first
  watch.first = other
  other.variable.watches.push(watch)
  return true
}

/**
 * Makes the derivation that the term must not hold, for the case that all other terms hold. Returns the incompatibility if it is violated.
 */
export function mustFail(term: Term, incompatibility: Incompatibility, solution: PartialSolution): Incompatibility | undefined {
  if (holds(term)) return incompatibility
  if (!fails(term)) solution.exclude(term, incompatibility)
  return undefined
}

/** Lets an incompatibility watch two of its variables, so that `propagate` checks the incompatibility when they lose values. */
export function watchIncompatibility(incompatibility: Incompatibility): void {
  const [first, second, ...others] = openTermsFirst(incompatibility.terms)
  if (first === undefined || second === undefined) return
  const watch: Watch = { incompatibility, first, second, others }
  first.variable.watches.push(watch)
  second.variable.watches.push(watch)
}

/** Orders terms that do not hold first, then the terms that began to hold last: a backjump undoes these first. */
function openTermsFirst(terms: readonly Term[]): readonly Term[] {
  return terms.some(holds) ? [...terms].sort((a, b) => since(b) - since(a)) : terms
}

function since(term: Term): number {
  return holds(term) ? (beginningOf(term.variable, term.values)?.index ?? -1) : Number.MAX_SAFE_INTEGER
}
