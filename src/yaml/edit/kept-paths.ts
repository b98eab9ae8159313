import type { FieldPath } from '../../field-path.ts'
import { equalJson, isRecord, type JsonValue, lookup } from '../../json.ts'
import { pairEntries } from './list-pairs.ts'

/** The paths in `after` below which everything is as it was in `before`, list entries paired as an edit pairs them. */
export function keptPaths(before: JsonValue | undefined, after: JsonValue, path: FieldPath = []): readonly FieldPath[] {
  if (before === undefined) return []
  if (equalJson(before, after)) return [path]
  if (isRecord(before) && isRecord(after)) {
    return Object.entries(after).flatMap(([key, value]) => keptPaths(lookup(before, key), value, [...path, key]))
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return []
  return pairEntries(before, after).flatMap(([a, b]) => keptPaths(before[a], after[b], [...path, b]))
}

/** Whether a path is the other one, or leads on from it. */
export function isBelow(path: FieldPath, prefix: FieldPath): boolean {
  return prefix.every((step, index) => step === path[index])
}
