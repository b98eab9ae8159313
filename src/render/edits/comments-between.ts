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

/** The layouts of the files of an update. */
interface UpdatedLayouts {
  readonly base: Layouts
  readonly theirs: Layouts
  readonly ours: Layouts
}

/**
 * Returns a warning for each file of which an update loses comments that people wrote between objects, since upstream removed or replaced all
 * of its objects, or changed their order; and for each edited file that lacks comments between objects that upstream wrote.
 *
 * @param textOf  returns the text of a file after the update; undefined for a file that is gone
 */
export function lostCommentsBetween(
  { base, theirs, ours }: UpdatedLayouts,
  textOf: (path: string) => string | undefined,
): readonly Result[] {
  return [...ours].flatMap(([path, file]) => {
    const own = ownCommentsBetween(file, base.get(path))
    const news = ownCommentsBetween(theirs.get(path), base.get(path))
    if (own.length + news.length === 0) return []
    const text = textOf(path)
    const lost = own.filter((comment) => text?.includes(comment) !== true)
    const missing = news.filter((comment) => text?.includes(comment) === false)
    const warning = (rule: 'comment-lost' | 'change-passed-over', message: string): Result => ({
      severity: 'warning',
      message,
      file: { path: file.path, index: 0 },
      tags: { rule },
    })
    const gone = `has the comments ${quoted(lost, file)} between its objects, which are lost: upstream removed or replaced the objects`
    const passed = `keeps its own lines between objects, and lacks upstream's comments there: ${quoted(missing, file)}`
    return [
      ...(lost.length === 0 ? [] : [warning('comment-lost', gone)]),
      ...(missing.length === 0 ? [] : [warning('change-passed-over', passed)]),
    ]
  })
}

function quoted(comments: readonly string[], { documents }: PackageFile): string {
  const secret = documents.find(({ object }) => object !== undefined && shownComment(object, '#') !== '#')?.object
  return quoteNames([...new Set(secret === undefined ? comments : comments.map((comment) => shownComment(secret, comment)))])
}
