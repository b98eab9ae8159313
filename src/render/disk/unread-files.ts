import type { PackageVariant } from '../../kinds/package-variant.ts'
import { isBytes, type PackageContent } from '../../merge/package-files.ts'
import { isKptfile } from '../../resource-list/package-of.ts'
import { CONTEXT_FILE, CONTEXT_NAME } from '../../variant/package-context.ts'
import { INJECTION_ANNOTATION } from '../../well-known.ts'
import type { RenderContext } from '../render-package.ts'
import { mayHoldWord } from '../shared-contents.ts'
import type { SourcePackage } from '../upstream/source-package.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * The files of a downstream package that need not be read as long as they have the length of those that it was made with: they are the same in the
 * revision that it was made of and in the one that it is brought to, and no mutation looks into them. Whatever people made of them, they stay. An edit
 * of the same length can neither make an injection point nor a package context of a resource.
 */
export class UnreadFiles {
  readonly #workshop: RenderContext
  readonly #known = new Map<SourcePackage, Map<SourcePackage, ReadonlySet<string>>>()

  constructor(workshop: RenderContext) {
    this.#workshop = workshop
  }

  /** Worked out once for each two revisions, for all packages that go from one to the other. */
  between(original: SourcePackage, upstream: SourcePackage): ReadonlySet<string> {
    const from = this.#known.get(original) ?? new Map<SourcePackage, ReadonlySet<string>>()
    this.#known.set(original, from)
    const unread = from.get(upstream) ?? unreadFiles(original, upstream, this.#workshop)
    from.set(upstream, unread)
    return unread
  }
}

function unreadFiles(original: SourcePackage, upstream: SourcePackage, { clones, scopes }: RenderContext): ReadonlySet<string> {
  const scope = original === upstream ? undefined : scopes.of(original, upstream)
  const contents = [...clones.of(original).contents]
  const unread = contents.filter(([path, content]) => scope?.has(path) !== true && !isLookedInto(path, content))
  return unread.length === 0 ? NONE : new Set(unread.map(([path]) => path))
}

/** Whether an update or a mutation may have to look into a file that upstream left alone. */
function isLookedInto(path: string, content: PackageContent): boolean {
  if (isKptfile(path) || path === CONTEXT_FILE) return true
  return !isBytes(content) && [CONTEXT_NAME, INJECTION_ANNOTATION].some((word) => mayHoldWord(content, word, (object) => object))
}

/** Whether what is to be done for a variant depends on which files of its package hold resources: a function is configured by one. */
export function asksForFiles({ pipeline }: PackageVariant): boolean {
  return [...pipeline.mutators, ...pipeline.validators].some(({ configPath = '' }) => configPath !== '')
}
