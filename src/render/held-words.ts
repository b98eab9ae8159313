import type { KrmObject } from '../resource-list/krm-object.ts'

/** By the lists of objects that the packages of a fleet share. */
const known = new WeakMap<object, Map<string, boolean>>()

/**
 * Whether a word may be in the text of one of some objects. It is looked for once in each list, which must not change: most files of most
 * packages are those of their upstream.
 */
export function mayHoldWord<T>(list: readonly T[], word: string, objectOf: (entry: T) => KrmObject): boolean {
  const words = known.get(list) ?? new Map<string, boolean>()
  known.set(list, words)
  const held = words.get(word) ?? list.some((entry) => objectOf(entry).mayHold(word))
  words.set(word, held)
  return held
}
