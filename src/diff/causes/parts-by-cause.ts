import { distinctItems, groupBy } from '../../group-by.ts'
import type { JsonRecord } from '../../json.ts'
import type { Calls } from '../../pipeline/calls.ts'
import { valueAt } from '../field-changes.ts'
import type { ObjectPair } from '../package-objects.ts'
import type { ChangeCause, ChangedField, Danger } from '../report.ts'
import type { WantedChange } from './attribution.ts'

/** A changed object, and the function that returns the causes of a change of one of its fields. */
interface PartedChange {
  readonly before?: JsonRecord
  readonly after?: JsonRecord
  readonly names: Pick<WantedChange, 'before' | 'after'>
  readonly pair: ObjectPair
  readonly causesOf: (change: WantedChange, objects: ObjectPair) => Calls<readonly ChangeCause[]>
}

/** Changed fields of an object that have the same causes. */
interface Part {
  readonly fields: readonly ChangedField[]
  readonly causes: readonly ChangeCause[]
}

/**
 * Returns the changed fields of an object by their causes: fields that other inputs changed are another part.
 *
 * `replicas` that the set changed and `image` that the upstream changed are two parts of one Deployment, and each is in a group of its own.
 */
export function* byCauses(fields: readonly ChangedField[], { before, after, names, pair, causesOf }: PartedChange): Calls<readonly Part[]> {
  const caused: CausedField[] = []
  for (const field of fields) {
    const values =
      field.isOrder === true
        ? { old: field.before, value: field.after }
        : { old: valueAt(before, field.steps), value: valueAt(after, field.steps) }
    caused.push({ field, causes: yield* causesOf({ ...names, field, ...values }, pair) })
  }
  const joined = joinEntries(caused)
  // The details of a cause are about one field; the fields of one cause are in one group.
  const groups = groupBy(joined, ({ causes }) => JSON.stringify(causes.map(({ details: _, ...cause }) => cause)))
  return [...groups.values()].map((group) => ({
    fields: group.map(({ field }) => field),
    causes: joinDetails(group.map(({ causes }) => causes)),
  }))
}

/** Returns the causes of a renamed object, which is one part: the causes of its name and of each other field, each cause once. */
export function causesOfRename(ofName: readonly ChangeCause[], parts: readonly Part[]): readonly ChangeCause[] {
  return onceEach([...ofName, ...parts.flatMap(({ causes }) => causes)])
}

/** Returns each cause once, with the details of all equal ones. */
function onceEach(causes: readonly ChangeCause[]): readonly ChangeCause[] {
  const equal = groupBy(causes, ({ details: _, ...cause }) => JSON.stringify(cause))
  return [...equal.values()].flatMap((same) => joinDetails(same.map((cause) => [cause])))
}

interface CausedField {
  readonly field: ChangedField
  readonly causes: readonly ChangeCause[]
}

/**
 * Gives the entries that are added to or removed from one list, and the order of the list, all their causes together: the changes of a
 * list can only be applied one after the other.
 */
function joinEntries(caused: readonly CausedField[]): readonly CausedField[] {
  const inLists = caused.filter(({ field }) => listOf(field) !== undefined)
  const lists = groupBy(inLists, ({ field }) => listOf(field))
  return caused.map(({ field, causes }) => {
    const others = lists.get(listOf(field)) ?? []
    return { field, causes: others.length < 2 ? causes : onceEach(others.flatMap((other) => other.causes)) }
  })
}

/** Returns the path of the list of which a change adds, removes or orders entries; undefined for other changes. */
function listOf({ steps, before, after, isOrder }: ChangedField): string | undefined {
  if (isOrder === true) return JSON.stringify(steps)
  const isEntry = typeof steps.at(-1) === 'object' && (before === undefined || after === undefined)
  return isEntry ? JSON.stringify(steps.slice(0, -1)) : undefined
}

function joinDetails(all: readonly (readonly ChangeCause[])[]): readonly ChangeCause[] {
  const [first = []] = all
  return first.map((cause, i) => {
    const details = all.flatMap((causes) => causes[i]?.details ?? [])
    const distinct = distinctItems(details)
    return distinct.length === 0 ? cause : { ...cause, details: distinct }
  })
}

/** Returns the index of the part that a danger is about. */
export function partOf({ path = '' }: Danger, parts: readonly Part[]): number {
  const at = parts.findIndex(({ fields }) =>
    fields.some((field) => path === field.path || path.startsWith(field.path) || field.path.startsWith(path)),
  )
  return Math.max(0, at)
}
