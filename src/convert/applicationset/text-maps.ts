import type { JsonRecord, JsonValue } from '../../json.ts'

/**
 * The maps and lists that Argo CD keeps as those of texts. Argo CD panics when a map of any values, which a list or file has, must go into
 * such a map. `index` gives an empty text for a key that such a map does not have.
 */
export const TEXT_MAPS = new WeakSet<object>()

/** Returns a map of texts, such as the labels of a cluster. */
export function textMap(entries: Iterable<readonly [string, JsonValue]>): JsonRecord {
  const map = Object.fromEntries(entries)
  TEXT_MAPS.add(map)
  return map
}
