import type { PackageDocument, PackageFile } from '../folder/package.ts'
import { readResources } from '../folder/read-whole-package.ts'
import { definedEntries } from '../group-by.ts'
import { sha256Hex } from '../kubernetes/truncated-name.ts'
import { isLocalConfig } from '../resource-list/applied-objects.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { placedComments, shownComment } from '../resource-list/lost-comments.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import type { Position, Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { positionAt } from '../yaml/read/lines.ts'

/** The files of a revision that hold resources, with the text around the resources. */
export type RevisionLayouts = ReadonlyMap<string, PackageFile>

/** Returns the layouts of files that are given as texts. */
export function layoutsOfTexts(files: ReadonlyMap<string, string | Uint8Array>): RevisionLayouts {
  return definedEntries(
    Array.from(files, ([path, text]) => [path, typeof text === 'string' ? readResources(path, Buffer.from(text)).layout : undefined]),
  )
}

/** A comment in a file of a revision. */
interface RevisionComment {
  readonly comment: string
  readonly path: string
  readonly position: Position
  /** The object of its document; undefined for a comment between objects. */
  readonly object: KrmObject | undefined
}

/** Matches the comments that an import carries by itself (setters), or writes anew for each revision (the template of a chart). */
const CARRIED = /^#\s*(?:kpt-set:|Source: )/

/** Returns the comments of a revision in the order of its files, without its Kptfile, which stays. */
function commentsOfRevision(layouts: RevisionLayouts): readonly RevisionComment[] {
  return [...layouts].flatMap(([path, { documents }]) =>
    path === KPTFILE
      ? []
      : documents.flatMap((document) => commentsIn(document).map((each) => ({ ...each, path, object: document.object }))),
  )
}

function commentsIn({ separator, text, after, line, object }: PackageDocument): readonly Pick<RevisionComment, 'comment' | 'position'>[] {
  const commented = (part: string, first: number, found: ReturnType<typeof placedComments>) =>
    found.map(({ comment, start }) => {
      const { line: below, column } = positionAt(part, start)
      return { comment, position: { line: first + below - 1, column } }
    })
  const own = object === undefined ? outsideOf(text) : placedComments(object.written())
  const end = line + text.split('\n').length - 1
  return [
    ...commented(separator, line - 1, outsideOf(separator)),
    ...commented(object?.written().text ?? text, line, own),
    ...commented(after, end, outsideOf(after)),
  ].filter(({ comment }) => !CARRIED.test(comment))
}

/** Returns the comments of a text without values. */
function outsideOf(text: string): ReturnType<typeof placedComments> {
  return Array.from(text.matchAll(/(?<=^|\s)#.*/gm), ({ 0: comment, index }) => ({ comment: comment.trimEnd(), start: index }))
}

/** Returns the digest of the comments of a revision, which shows later if people changed them. Their order makes no difference. */
export function digestOfComments(layouts: RevisionLayouts): string {
  const applied = commentsOfRevision(layouts).filter(({ object }) => object === undefined || !isLocalConfig(object))
  return sha256Hex(
    applied
      .map(({ comment }) => comment)
      .toSorted()
      .join('\n'),
  )
}

/**
 * Returns a warning for each comment of the last revision that the next one lacks. Comments of setters are not among them.
 *
 * @param place  the folder of the last revision, for findings
 */
export function commentsLeftOut(last: RevisionLayouts, next: RevisionLayouts, place: string): readonly Result[] {
  const left = new Map<string, number>()
  for (const { comment } of commentsOfRevision(next)) left.set(comment, (left.get(comment) ?? 0) + 1)
  return commentsOfRevision(last).flatMap(({ comment, path, position, object }): readonly Result[] => {
    const count = left.get(comment) ?? 0
    left.set(comment, count - 1)
    if (count > 0) return []
    const secret = object ?? secretIn(last.get(path))
    const shown = secret === undefined ? comment : shownComment(secret, comment)
    return [
      {
        severity: 'warning',
        message: `the comment ${quoteText(shown)} is not in the next revision`,
        ...(object && { resourceRef: object.ref }),
        file: { path: `${place}/${path}`, index: object?.file?.index ?? 0 },
        position,
        tags: { rule: 'import-edited' },
      },
    ]
  })
}

/** Returns an object of a file whose comments are hidden: a comment between objects may repeat its values. */
function secretIn(file: PackageFile | undefined): KrmObject | undefined {
  return file?.documents.find(({ object }) => object !== undefined && shownComment(object, '#') !== '#')?.object
}
