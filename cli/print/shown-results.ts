import { formatResult, type Result } from '../../src/result.ts'

/** Rules whose infos are shown although infos are hidden: users wonder why an object is no target. */
const TOLD_INFOS = new Set(['placeholder-object'])

/** Returns the findings that a command shows, each once. */
export function shownResults(results: readonly Result[]): readonly Result[] {
  return distinctResults(results.filter(({ severity, tags }) => severity !== 'info' || TOLD_INFOS.has(tags.rule)))
}

/** Returns each finding once. The reader of a folder and the decoder of an object may report the same finding. */
export function distinctResults(results: readonly Result[]): readonly Result[] {
  return [...new Map(results.map((result) => [formatResult(result), result])).values()]
}
