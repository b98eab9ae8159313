/** The number of steps that are left. A step is one question, one rule that is added, or ten checks of an incompatibility. */
export interface Budget {
  steps: number
}

/** The cost of one check of an incompatibility, in steps. A check is far cheaper than a question or a rule. */
export const LOOK = 0.1

/**
 * Calls `work` for each item with an equal share of the steps that are left, so that a hard item does not use the steps of easy items.
 * Steps that an item does not use are shared by the items after it. Changes `budget`.
 */
export function shareOut<Item>(budget: Budget, items: readonly Item[], work: (item: Item, own: Budget) => void): void {
  for (const [index, item] of items.entries()) {
    const share = Math.max(0, budget.steps / (items.length - index))
    const own = { steps: share }
    work(item, own)
    budget.steps += own.steps - share
  }
}
