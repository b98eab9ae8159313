import { formatResult, type Result } from '../../src/result.ts'

/** Rules whose infos are shown although infos are hidden: users wonder why an object is no target. */
const TOLD_INFOS = new Set(['placeholder-object'])

/** Returns the findings that a command shows, each once. */
export function shownResults(results: readonly Result[]): readonly Result[] {
  return distinctResults(results.filter(({ severity, tags }) => severity !== 'info' || TOLD_INFOS.has(tags.rule)))
}

/** Each finding once: some are found by the reader of a folder, and again by who decodes the object. */
export function distinctResults(results: readonly Result[]): readonly Result[] {
  return [...new Map(results.map((result) => [formatResult(result), result])).values()]
}
