import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'

/** Returns true if two values are equal, a null being the same as a missing field (docs/porch.md, U6). */
export function same(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return equalJson(a, b) || equalJson(withoutNulls(a), withoutNulls(b))
}

/** Returns a value without the fields that are null; undefined for a null. */
function withoutNulls(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item) ?? null)
  if (!isRecord(value)) return value
  const fields = Object.entries(value).flatMap(([key, child]) => {
    const kept = withoutNulls(child)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return Object.fromEntries(fields) satisfies JsonRecord
}
