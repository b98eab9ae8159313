import { equalJson, isRecord, type JsonValue, lookup, newRecord } from '../json.ts'
import { fieldRule, keyText, listRule, type MergeRule, withKeys } from './merge-rule.ts'
import { pairEntries } from './pair-entries.ts'

/**
 * What comes back of a value that the downstream deleted and upstream changed: in kpt, the fields that upstream changed or added; undefined
 * when there are none. Lists that are one value come back whole.
 */
export function returning(original: JsonValue | undefined, upstream: JsonValue | undefined, rule?: MergeRule): JsonValue | undefined {
  if (upstream === undefined || upstream === null || equalJson(original, upstream)) return undefined
  if (isRecord(original) && isRecord(upstream)) {
    const back = newRecord()
    for (const [key, value] of Object.entries(upstream)) {
      const field = returning(lookup(original, key), value, fieldRule(rule, key))
      if (field !== undefined) back[key] = field
    }
    return Object.keys(back).length === 0 ? undefined : back
  }
  if (Array.isArray(original) && Array.isArray(upstream)) return returningEntries(original, upstream, rule)
  return keyText(original) !== undefined && keyText(original) === keyText(upstream) ? undefined : upstream
}

function returningEntries(original: readonly JsonValue[], upstream: readonly JsonValue[], rule?: MergeRule): JsonValue | undefined {
  const sides = { original, upstream, downstream: undefined }
  const list = listRule(rule, sides)
  const entries = list && pairEntries(sides, list.key)
  if (list === undefined || entries === undefined) return upstream
  const places = new Map(entries.map((entry) => [entry.upstream, entry.original]))
  const back = upstream.flatMap((value, place) => {
    const at = places.get(place)
    const before = at === undefined ? undefined : original[at]
    return withKeys(returning(before, value, list.entries), [value], list.key) ?? []
  })
  return back.length === 0 ? undefined : back
}
