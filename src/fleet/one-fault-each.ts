import { formatFieldPath } from '../field-path.ts'
import type { Result } from '../result.ts'

/** Warnings about how a value is written, which an error about the same value makes needless. */
const ABOUT_WRITING = new Set(['placeholder', 'string-revision'])

/** One mistake in one line: without the warnings about how a value is written where it is refused altogether. */
export function oneFaultEach(results: readonly Result[]): readonly Result[] {
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
