import { groupChanges } from './group-changes.ts'
import { countChanges, type EntryView, isGroup, OPERATIONS, type PlanView } from './plan-view.ts'

/** Room for the counts and the note of what was left out, in any format. */
export const SMALLEST_LIMIT = 500

/**
 * Prints a plan in at most `maxChars` characters: comments on pull requests have such a limit. Equal changes are then printed once. The
 * findings are first, then the changes from the most to the least dangerous, then their details: the fields of a single change, the names
 * of equal ones. Parts without room are left out and counted.
 *
 * @param print     gives a text that grows with the content of the view
 * @param maxChars  at least SMALLEST_LIMIT
 */
export function fitPlan(view: PlanView, maxChars: number, print: (view: PlanView) => string): string {
  const whole = print(view)
  return whole.length <= maxChars ? whole : fitGroups(groupChanges(view), maxChars, print)
}

function fitGroups(view: PlanView, maxChars: number, print: (view: PlanView) => string): string {
  const whole = print(view)
  if (whole.length <= maxChars) return whole
  const ranked = rankChanges(view)
  let [fits, tooMany] = [0, view.results.length + 2 * ranked.length]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (print(cutView(view, ranked, middle)).length <= maxChars) fits = middle
    else tooMany = middle
  }
  return print(cutView(view, ranked, fits))
}

function rankChanges({ sets }: PlanView): readonly EntryView[] {
  const changes = sets.flatMap((set) => set.changes)
  return OPERATIONS.flatMap((op) => changes.filter((change) => change.op === op))
}

/** Returns the view with only the first `count` steps. A step is a finding, a ranked change, or the details of a ranked change. */
function cutView(view: PlanView, ranked: readonly EntryView[], count: number): PlanView {
  const results = view.results.slice(0, count)
  const kept = ranked.slice(0, count - results.length)
  const detailed = Math.max(count - results.length - ranked.length, 0)
  const shown = new Map(kept.map((change, i) => [change, i < detailed ? change : withoutDetails(change)]))
  const details = kept.slice(detailed).filter((change) => withoutDetails(change) !== change).length
  const sets = view.sets.map((set) => ({ ...set, changes: set.changes.flatMap((change) => shown.get(change) ?? []) }))
  return {
    ...view,
    sets: sets.filter(({ changes }) => changes.length > 0),
    results,
    leftOut: { ...countChanges(ranked.slice(kept.length)), details, results: view.results.length - results.length },
  }
}

/** Returns an entry without its details. The fields that equal changes share are kept: they are the subject of the entry. */
function withoutDetails(entry: EntryView): EntryView {
  if (isGroup(entry)) return entry.names.length === 0 ? entry : { ...entry, names: [] }
  const { before: _, after: __, ...rest } = entry
  return entry.fields.length === 0 && entry.before === undefined && entry.after === undefined ? entry : { ...rest, fields: [] }
}
