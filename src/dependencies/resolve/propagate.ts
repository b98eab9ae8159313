import { type Budget, LOOK } from './budget.ts'
import { fails, holds, type Incompatibility, type Term } from './incompatibility.ts'
import { beginningOf, type PartialSolution } from './partial-solution.ts'
import type { Variable, Watch } from './variable.ts'

/**
 * Draws every conclusion: where all terms of an incompatibility but one hold, that one must not.
 * Returns the first incompatibility all of whose terms hold.
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

/** Lets all who watch a variable look at it; who finds another variable to watch leaves the list. */
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

/** Whether the variable's term, which comes first then, holds, and something may follow from it. */
function concerns(watch: Watch, variable: Variable): boolean {
  if (watch.first.variable !== variable) [watch.first, watch.second] = [watch.second, watch.first]
  return holds(watch.first) && !fails(watch.second)
}

/** Lets a term that does not hold take the place of the first. */
function moveOn(watch: Watch): boolean {
  const index = watch.others.findIndex((term) => !holds(term))
  const other = watch.others[index]
  if (other === undefined) return false
  watch.others[index] = watch.first
  watch.first = other
  other.variable.watches.push(watch)
  return true
}

/** What follows when all other terms hold: that this one does not, or that the incompatibility is violated. */
export function mustFail(term: Term, incompatibility: Incompatibility, solution: PartialSolution): Incompatibility | undefined {
  if (holds(term)) return incompatibility
  if (!fails(term)) solution.exclude(term, incompatibility)
  return undefined
}

/** Lets an incompatibility take part in the search. */
export function watchIncompatibility(incompatibility: Incompatibility): void {
  const [first, second, ...others] = openTermsFirst(incompatibility.terms)
  if (first === undefined || second === undefined) return
  const watch: Watch = { incompatibility, first, second, others }
  first.variable.watches.push(watch)
  second.variable.watches.push(watch)
}

/** Terms that do not hold, then those that began to hold last: the first whose truth can change when choices are taken back. */
function openTermsFirst(terms: readonly Term[]): readonly Term[] {
  return terms.some(holds) ? [...terms].sort((a, b) => since(b) - since(a)) : terms
}

function since(term: Term): number {
  return holds(term) ? (beginningOf(term.variable, term.values)?.index ?? -1) : Number.MAX_SAFE_INTEGER
}
