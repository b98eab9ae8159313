import { lastThat } from '../../src/binary-search.ts'
import { groupBy } from '../../src/group-by.ts'
import { printJson } from '../print/print-value.ts'
import { unknownName } from '../usage-error.ts'
import {
  type ChangeView,
  countChanges,
  type EntryView,
  type GroupView,
  isGroup,
  OPERATIONS,
  type Operation,
  type PlanView,
  type SetView,
  viewPlan,
} from './plan-view.ts'
import { nameSet } from './plan-wording.ts'

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
  const grouped = groupChanges(view)
  for (const whole of [view, grouped]) {
    const text = print(whole)
    if (text.length <= maxChars) return text
  }
  return fitChanges(withoutClusters(grouped), maxChars, print)
}

function fitChanges(view: PlanView, maxChars: number, print: (view: PlanView) => string): string {
  const changes = view.sets.flatMap((set) => set.changes)
  const ranked = OPERATIONS.flatMap((op) => changes.filter((change) => change.op === op))
  const textOf = (count: number): string => print(cutView(view, ranked, count))
  return textOf(lastThat(view.results.length + 2 * ranked.length, (count) => textOf(count).length <= maxChars))
}

function withoutClusters({ clusters: _, ...view }: PlanView): PlanView {
  return view
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

/** At most this many equal changes are printed one by one: one line for all would not be shorter. */
const FEW = 2
const NAMED_VARIANTS = 3

/** Returns the view with equal changes of a set as one group, in the place of the first. */
export function groupChanges(view: PlanView): PlanView {
  return { ...view, sets: view.sets.map((set) => ({ ...set, changes: groupEntries(set.changes) })) }
}

function groupEntries(entries: readonly EntryView[]): readonly EntryView[] {
  const groups = groupBy(entries, (entry) => (isGroup(entry) ? entry : keyOf(entry)))
  return [...groups.values()].flatMap((group): readonly EntryView[] => {
    const changes = group.filter((entry): entry is ChangeView => !isGroup(entry))
    return changes.length > FEW ? [groupOf(changes)] : group
  })
}

/**
 * Returns a key that equal changes share. Updates are equal if their fields are, or their causes if no field differs. Other changes are
 * equal if operation, upstream, cause and fields are.
 */
function keyOf({ op, upstream, cause, fields }: ChangeView): string {
  const shownCause = op === 'update' && fields.length > 0 ? '' : cause
  return printJson([op, op === 'update' ? '' : upstream, shownCause, fields])
}

function groupOf(changes: readonly ChangeView[]): GroupView {
  const [{ op = 'update', upstream = '', spec, cause = '', fields = [] } = {}] = changes
  const causes = new Set(changes.map((change) => change.cause))
  const names = changes.slice(0, NAMED_VARIANTS).map(({ name, oldName }) => (oldName === undefined ? name : `${oldName} → ${name}`))
  return { op, count: changes.length, names, upstream, ...(spec !== undefined && { spec }), cause: causes.size === 1 ? cause : '', fields }
}

/** The part of a plan that is shown. A filter that is undefined leaves nothing out. */
export interface PlanFilter {
  /** Sets by name, or as NAMESPACE/NAME. */
  readonly set?: readonly string[]
  readonly only?: readonly Operation[]
}

/**
 * Returns the part of a plan that is asked for, with the counts of that part and of the rest.
 *
 * @throws UsageError for an unknown set
 */
export function filterPlan(view: PlanView, { set: names, only }: PlanFilter): PlanView {
  if (names === undefined && only === undefined) return view
  for (const name of names ?? []) refuseUnknown(name, view.sets)
  const sets = view.sets.filter((set) => names === undefined || names.some((name) => isNamed(set, name)))
  const kept = sets.map((set) => ({ ...set, changes: set.changes.filter(({ op }) => only === undefined || only.includes(op)) }))
  const { counts } = viewPlan(kept, [])
  const others = { ...counts }
  for (const op of [...OPERATIONS, 'unchanged'] as const) others[op] = view.counts[op] - counts[op]
  return { ...withoutClusters(view), counts, sets: kept, others }
}

function isNamed(set: SetView, name: string): boolean {
  return set.name === name || nameSet(set) === name
}

function refuseUnknown(name: string, sets: readonly SetView[]): void {
  if (sets.some((set) => isNamed(set, name))) return
  throw unknownName('set', name, [...new Set(sets.map((set) => (name.includes('/') ? nameSet(set) : set.name)))])
}
