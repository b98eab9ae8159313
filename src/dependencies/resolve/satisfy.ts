import type { Answer } from './answer.ts'
import { type Budget, shareOut } from './budget.ts'
import { PartSearch } from './part-search.ts'
import { splitIntoParts } from './parts.ts'
import type { Problem } from './problem.ts'
import type { ProofReduction } from './proof-reduction.ts'
import { RuleBook } from './rule-book.ts'

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
export function satisfy(problem: Problem, { maxSteps }: Limits): Answer[] {
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
