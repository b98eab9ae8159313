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

/** The text around the objects of the files of a package, by path. */
type Layouts = ReadonlyMap<string, PackageFile>

/**
 * Returns a warning for each file of which an update loses comments that people wrote between objects, since upstream removed or replaced
 * all of its objects, or changed their order; and for each edited or deleted file that lacks comments between objects that upstream wrote.
 *
 * @param bytesOf  returns the bytes of a file after the update; undefined for a file that is gone
 */
export function lostCommentsBetween(
  { base, theirs, ours }: { readonly base: Layouts; readonly theirs: Layouts; readonly ours: Layouts },
  { folder, downstream }: { readonly folder: string; readonly downstream: { has(path: string): boolean } },
  bytesOf: (path: string) => Uint8Array | undefined,
): readonly Result[] {
  const deleted = [...theirs.keys()].filter((path) => base.has(path) && !downstream.has(path))
  return [...ours.keys(), ...deleted].flatMap((path) => {
    const own = ownCommentsBetween(ours.get(path), base.get(path))
    const news = ownCommentsBetween(theirs.get(path), base.get(path))
    if (own.length + news.length === 0) return []
    const bytes = bytesOf(path)
    const text = bytes && Buffer.from(bytes).toString()
    const lost = own.filter((comment) => text?.includes(comment) !== true)
    const missing = theirs.has(path) ? news.filter((comment) => text?.includes(comment) !== true) : []
    const warning = (rule: 'comment-lost' | 'change-passed-over', message: string): Result => ({
      severity: 'warning',
      message,
      file: { path: `${folder}/${path}`, index: 0 },
      tags: { rule },
    })
    const gone = `has the comments ${quoted(lost, ours.get(path))} between its objects, which are lost: upstream removed or replaced the objects`
    const comments = quoted(missing, theirs.get(path))
    const passed =
      text === undefined
        ? `is gone here, and stays so; upstream wrote comments between its objects: ${comments}`
        : `keeps its own lines between objects, and lacks upstream's comments there: ${comments}`
    return [
      ...(lost.length === 0 ? [] : [warning('comment-lost', gone)]),
      ...(missing.length === 0 ? [] : [warning('change-passed-over', passed)]),
    ]
  })
}

function quoted(comments: readonly string[], file: PackageFile | undefined): string {
  const secret = file?.documents.find(({ object }) => object !== undefined && shownComment(object, '#') !== '#')?.object
  return quoteNames([...new Set(secret === undefined ? comments : comments.map((comment) => shownComment(secret, comment)))])
}
