import { type FieldPath, formatFieldPath, pathKey } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import type { Result } from '../result.ts'

/** Warnings about how a value is written, which an error about the same value makes needless. */
const ABOUT_WRITING = new Set(['placeholder', 'string-revision'])

/** Faults of a holder that has none of some keys, which its message names. */
const ABOUT_ALTERNATIVES = new Set(['injector-name', 'map-entry', 'target-criteria', 'upstream-revision'])

/**
 * One mistake in one line: without the warnings about how a value is written where it is refused altogether, and without what is missing
 * since its key is misspelt.
 */
export function oneFaultEach(results: readonly Result[]): readonly Result[] {
  return withoutMisspelt(withoutWriting(results))
}

function withoutWriting(results: readonly Result[]): readonly Result[] {
  if (!results.some(isAboutWriting)) return results
  const refused = new Set(results.filter(({ severity }) => severity === 'error').map(fieldOf))
  return results.filter((result) => !isAboutWriting(result) || !refused.has(fieldOf(result)))
}

function isAboutWriting({ severity, tags }: Result): boolean {
  return severity !== 'error' && ABOUT_WRITING.has(tags.rule)
}

function fieldOf({ field }: Result): string {
  return formatFieldPath(field?.path ?? [])
}

function withoutMisspelt(results: readonly Result[]): readonly Result[] {
  const misspelt = results.flatMap(({ field, proposedKey }) =>
    field === undefined || proposedKey === undefined ? [] : [{ holder: field.path.slice(0, -1), key: proposedKey }],
  )
  if (misspelt.length === 0) return results
  const meant = new Set(misspelt.map(({ holder, key }) => pathKey([...holder, key])))
  const byHolder = groupBy(misspelt, ({ holder }) => pathKey(holder))
  return results.filter(({ field, message, tags }) => {
    const path = field?.path ?? []
    if (tags.rule === 'required') return !beginningsOf(path).some((beginning) => meant.has(pathKey(beginning)))
    return !ABOUT_ALTERNATIVES.has(tags.rule) || !byHolder.get(pathKey(path))?.some(({ key }) => message.includes(`'${key}'`))
  })
}

function beginningsOf(path: FieldPath): readonly FieldPath[] {
  return path.map((_, last) => path.slice(0, last + 1))
}
