import type { FieldPath } from '../../src/field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'

/** A field that differs. Without `before` it is new, without `after` it goes. */
export interface FieldChange {
  readonly path: FieldPath
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** The fields in which two values differ: single values of what was there before, and of whole maps and lists that are new. */
export function diffFields(before: JsonValue | undefined, after: JsonValue | undefined, path: FieldPath): readonly FieldChange[] {
  if (equalJson(before, after)) return []
  if (before !== undefined && after === undefined) return [{ path, before }]
  if (isRecord(after) && (isRecord(before) || (before === undefined && Object.keys(after).length > 0)))
    return diffRecords(before ?? {}, after, path)
  if (isList(after) && (isList(before) || (before === undefined && after.length > 0))) return diffLists(before ?? [], after, path)
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

function diffRecords(before: JsonRecord, after: JsonRecord, path: FieldPath): readonly FieldChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => diffFields(lookup(before, key), lookup(after, key), [...path, key]))
}

/** Entry by entry in order: what is put in front of a list shows as a change of every entry. */
function diffLists(before: readonly JsonValue[], after: readonly JsonValue[], path: FieldPath): readonly FieldChange[] {
  const length = Math.max(before.length, after.length)
  return Array.from({ length }, (_, i) => diffFields(before[i], after[i], [...path, i])).flat()
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
