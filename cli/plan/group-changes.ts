import { groupBy } from '../../src/group-by.ts'
import { printJson } from '../print/print-value.ts'
import { type ChangeView, type EntryView, type GroupView, isGroup, type PlanView } from './plan-view.ts'

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
  const told = op === 'update' && fields.length > 0 ? '' : cause
  return printJson([op, op === 'update' ? '' : upstream, told, fields])
}

function groupOf(changes: readonly ChangeView[]): GroupView {
  const [{ op = 'update', upstream = '', spec, cause = '', fields = [] } = {}] = changes
  const causes = new Set(changes.map((change) => change.cause))
  const names = changes.slice(0, NAMED_VARIANTS).map(({ name, oldName }) => (oldName === undefined ? name : `${oldName} → ${name}`))
  return { op, count: changes.length, names, upstream, ...(spec !== undefined && { spec }), cause: causes.size === 1 ? cause : '', fields }
}
