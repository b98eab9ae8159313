import { resultToJson } from '../src/result.ts'
import { type EntryView, isGroup, type PlanView } from './plan-view.ts'
import { printJson } from './print-value.ts'

/** A plan for other programs: one JSON document. `leftOut` is there only when it had to be cut, `others` when a part was asked for. */
export function planJson({ counts, sets, results, others, leftOut }: PlanView): string {
  const shown = sets.map((set) => ({ ...set, changes: set.changes.map(entryJson) }))
  return `${printJson({ counts, sets: shown, results: results.map(resultToJson), others, leftOut }, 2)}\n`
}

/** A single change has its own reason; that of equal ones is their cause. */
function entryJson(entry: EntryView): object {
  const { cause, ...rest } = entry
  return isGroup(entry) ? { ...rest, ...(cause !== '' && { reason: cause }) } : rest
}
