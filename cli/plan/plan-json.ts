import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'
import { resultToJson } from '../../src/result.ts'
import { printJson } from '../print/print-value.ts'
import { type EntryView, isGroup, type PlanView } from './plan-view.ts'

/** Raised when a field of the document changes its meaning or is removed. */
const FORMAT_VERSION = 1

/**
 * Returns a plan for other programs: one JSON document by schemas/output/plan.json. `leftOut` is present only if the plan was cut, `others`
 * only if a part was asked for.
 */
export function planJson({ counts, sets, results, packages, others, leftOut }: PlanView): string {
  const shown = sets.map((set) => ({ ...set, changes: set.changes.map(entryJson) }))
  return `${printJson({ formatVersion: FORMAT_VERSION, counts, sets: shown, results: results.map(resultToJson), ...(packages && { packages }), others, leftOut }, 2)}\n`
}

/** Returns an entry as JSON. A single change has its own reason, as a sentence and as data. Equal changes have their common cause. */
function entryJson(entry: EntryView): object {
  if (isGroup(entry)) {
    const { cause, spec, ...rest } = entry
    return { ...rest, upstream: part(spec, 'upstream'), ...(cause !== '' && { reason: cause }) }
  }
  const { cause: _, spec, before, after, fields, why, ...rest } = entry
  return { ...rest, upstream: part(spec, 'upstream'), downstream: part(spec, 'downstream'), why, before, after, fields }
}

function part(spec: JsonValue | undefined, key: string): JsonRecord {
  const value = isRecord(spec) ? lookup(spec, key) : undefined
  return isRecord(value) ? value : {}
}
