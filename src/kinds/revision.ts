import type { JsonValue } from '../json.ts'
import { parseInt64 } from '../versions/go-text.ts'

/**
 * The number that a revision means, of a PackageRevision or of an upstream: 3, `3` or `v3` (Porch pkg/repository, Revision2Int).
 * undefined for any other text, which can only be a workspaceName.
 */
export function revisionNumber(revision: JsonValue | undefined): number | undefined {
  if (typeof revision === 'number') return revision
  if (typeof revision !== 'string') return undefined
  const number = Number(parseInt64(revision.replace(/^v/, '')))
  return Number.isSafeInteger(number) ? number : undefined
}
