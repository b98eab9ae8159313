import type { PackageVariant } from '../../kinds/package-variant.ts'
import { isBytes, type PackageContent } from '../../merge/package-files.ts'
import { isKptfile } from '../../resource-list/package-of.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { CONTEXT_FILE, CONTEXT_NAME } from '../../variant/package-context.ts'
import { INJECTION_ANNOTATION } from '../../well-known.ts'
import { mayHoldWord } from '../clone/rendered-package.ts'
import type { RenderContext } from '../render-request.ts'

/**
 * Returns the files of downstream packages that need not be read in an update from one revision to another. Such a file is equal in both
 * revisions, no mutation looks into it, and it has the length that its clone had. The file stays, whatever edits it has: an edit of the
 * same length cannot turn a resource into an injection point or a package context.
 */
export function unreadFiles(original: SourcePackage, upstream: SourcePackage, { clones, scopes }: RenderContext): ReadonlySet<string> {
  const scope = original === upstream ? undefined : scopes.of(original, upstream)
  const unread = [...clones.of(original).contents].filter(([path, content]) => scope?.has(path) !== true && !isLookedInto(path, content))
  return new Set(unread.map(([path]) => path))
}

/** Returns true if an update or a mutation may have to read a file that upstream did not change. */
function isLookedInto(path: string, content: PackageContent): boolean {
  if (isKptfile(path) || path === CONTEXT_FILE) return true
  return !isBytes(content) && [CONTEXT_NAME, INJECTION_ANNOTATION].some((word) => mayHoldWord(content, word, (object) => object))
}

/** Returns true if a function of the variant has a `configPath`: then the mutation depends on which files of the package hold resources. */
export function asksForFiles({ pipeline }: PackageVariant): boolean {
  return [...pipeline.mutators, ...pipeline.validators].some(({ configPath = '' }) => configPath !== '')
}
