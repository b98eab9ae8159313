import { isRecord, type JsonRecord, type JsonValue, newRecord } from '../json.ts'

/**
 * What stays of a value that upstream removed: in kpt, the fields that only the downstream has; undefined when there are none. Lists go whole.
 */
export function leftovers(original: JsonValue | undefined, downstream: JsonValue | undefined): JsonRecord | undefined {
  if (!isRecord(original) || !isRecord(downstream)) return undefined
  const left = newRecord()
  for (const [key, value] of Object.entries(downstream)) {
    const field = Object.hasOwn(original, key) ? leftovers(original[key], value) : value
    if (field !== undefined) left[key] = field
  }
  return Object.keys(left).length === 0 ? undefined : left
}
