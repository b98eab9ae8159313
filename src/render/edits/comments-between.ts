import type { PackageFile } from '../../folder/package.ts'
import { shownComment } from '../../resource-list/lost-comments.ts'
import type { Result } from '../../result.ts'
import { quoteNames } from '../../schema/describe-value.ts'

/** The comments of a file that belong to no object: behind separators, behind the end of documents, and in documents of their own. */
function commentsBetween(file: PackageFile | undefined): readonly string[] {
  const texts = file?.documents.map(({ separator, text, after, object }) => separator + (object === undefined ? text : '') + after) ?? []
  return texts.flatMap((text) => text.match(/#.*/g) ?? []).map((comment) => comment.trimEnd())
}

/** Returns the comments between the objects of a file that the file of its upstream does not have. */
export function ownCommentsBetween(file: PackageFile | undefined, upstream: PackageFile | undefined): readonly string[] {
  const there = commentsBetween(upstream)
  return commentsBetween(file).filter((comment) => !there.includes(comment))
}

/**
 * Returns a warning for each file of which an update loses comments that people wrote between objects: upstream removed or replaced all of its
 * objects, or changed their order.
 *
 * @param textOf  returns the text of a file after the update; undefined for a file that is gone
 */
export function lostCommentsBetween(
  layouts: ReadonlyMap<string, PackageFile>,
  upstream: ReadonlyMap<string, PackageFile>,
  textOf: (path: string) => string | undefined,
): readonly Result[] {
  return [...layouts].flatMap(([path, file]) => {
    const own = ownCommentsBetween(file, upstream.get(path))
    if (own.length === 0) return []
    const text = textOf(path) ?? ''
    const lost = own.filter((comment) => !text.includes(comment))
    if (lost.length === 0) return []
    const secret = file.documents.find(({ object }) => object !== undefined && shownComment(object, '#') !== '#')?.object
    const shown = secret === undefined ? lost : lost.map((comment) => shownComment(secret, comment))
    const message = `has the comments ${quoteNames([...new Set(shown)])} between its objects, which are lost: upstream removed or replaced the objects`
    return [{ severity: 'warning', message, file: { path: file.path, index: 0 }, tags: { rule: 'comment-lost' } } satisfies Result]
  })
}
