import type { Result } from '../../src/result.ts'

/** What nobody asked for and everybody wonders about: an object that is no target. */
const TOLD_INFOS = new Set(['placeholder-object'])

/** The findings that a command has to show. */
export function shownResults(results: readonly Result[]): readonly Result[] {
  return results.filter(({ severity, tags }) => severity !== 'info' || TOLD_INFOS.has(tags.rule))
}
