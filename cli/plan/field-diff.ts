import type { FieldPath } from '../../src/field-path.ts'
import { equalJson, isJsonList, isRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'

/** A field that differs. Without `before` the field is added, without `after` it is removed. */
export interface FieldChange {
  readonly path: FieldPath
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/**
 * Returns the fields in which two values differ. Maps and lists are compared value by value, even new ones. A removed map or list is one
 * field.
 */
export function diffFields(before: JsonValue | undefined, after: JsonValue | undefined, path: FieldPath): readonly FieldChange[] {
  const found: FieldChange[] = []
  diff(before, after, path, found)
  return found
}

function diff(before: JsonValue | undefined, after: JsonValue | undefined, path: FieldPath, found: FieldChange[]): void {
  if (isRecord(after) && (isRecord(before) || (before === undefined && Object.keys(after).length > 0)))
    diffRecords(before ?? {}, after, path, found)
  else if (isJsonList(after) && (isJsonList(before) || (before === undefined && after.length > 0)))
    diffLists(before ?? [], after, path, found)
  else if (!equalJson(before, after)) found.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
}

function diffRecords(before: JsonRecord, after: JsonRecord, path: FieldPath, found: FieldChange[]): void {
  for (const key of Object.keys(before)) diff(lookup(before, key), lookup(after, key), [...path, key], found)
  for (const key of Object.keys(after)) if (!Object.hasOwn(before, key)) diff(undefined, lookup(after, key), [...path, key], found)
}

/** Compares lists entry by entry in order. An entry inserted at the start of a list shows as a change of every entry. */
function diffLists(before: readonly JsonValue[], after: readonly JsonValue[], path: FieldPath, found: FieldChange[]): void {
  for (let i = 0; i < Math.max(before.length, after.length); i++) diff(before[i], after[i], [...path, i], found)
}
