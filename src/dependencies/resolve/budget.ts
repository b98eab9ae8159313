/** The work that may still be done. A step is a question, a rule that is read, or ten looks at incompatibilities. */
export interface Budget {
  steps: number
}

/** What a look at an incompatibility takes: far less than the rest. */
export const LOOK = 0.1

/** Gives each an equal share of what is left, so that a hard one does not take what easy ones need. */
export function shareOut<Item>(budget: Budget, items: readonly Item[], work: (item: Item, own: Budget) => void): void {
  for (const [index, item] of items.entries()) {
    const share = Math.max(0, budget.steps / (items.length - index))
    const own = { steps: share }
    work(item, own)
    budget.steps += own.steps - share
  }
}
