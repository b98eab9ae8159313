import { firstThat } from '../binary-search.ts'
import type { FieldPath } from '../field-path.ts'
import { COMMENT_NOT_SHOWN, looksLikeSecret, mayHoldSecret, withoutSecretsInComment } from '../secret-values.ts'
import { lineEnd } from '../yaml/read/lines.ts'
import type { Node } from '../yaml/read/node.ts'
import type { KrmObject } from './krm-object.ts'

/** A comment of a resource, and the entry that the comment is above or behind. */
export interface PlacedComment {
  readonly field: FieldPath
  readonly comment: string
}

/** A resource as people wrote it, and the state that they started from. */
export interface CommentedStates {
  readonly base: KrmObject | undefined
  readonly ours: KrmObject
}

/**
 * Returns comments that people wrote into a resource and that a later state of the resource lacks, since their entry was removed or
 * replaced.
 */
export function lostComments(after: KrmObject, { base, ours }: CommentedStates): readonly PlacedComment[] {
  const texts = [ours.toText(), base?.toText() ?? '', after.toText()] as const
  if (after === ours || !mayLose(...texts)) return []
  const here = readComments(ours.written())
  const before = countsOf(base === undefined ? [] : readComments(base.written()).comments)
  const there = countsOf(readComments(after.written()).comments)
  const left = new Map(
    Array.from(countsOf(here.comments), ([comment, count]) => [
      comment,
      count - Math.max(before.get(comment) ?? 0, there.get(comment) ?? 0),
    ]),
  )
  const lost = here.comments.filter(({ comment }) => {
    const count = left.get(comment) ?? 0
    left.set(comment, count - 1)
    return count > 0
  })
  return lost.map(({ comment, ...place }) => ({ comment, field: fieldAt(place, here.entries) }))
}

/** Returns a comment of an object as messages show it: that of a Secret may hold an earlier value, and is hidden. */
export function shownComment(object: KrmObject, comment: string): string {
  const text = object.toText()
  if (!mayHoldSecret(text)) return comment
  const isReadable = object.isMap() && object.aliases().every((alias) => alias.isReadable)
  if (isReadable) return withoutSecretsInComment(comment, object.toJson())
  return looksLikeSecret(text) ? COMMENT_NOT_SHOWN : comment
}

/** Returns the comments above and behind the entry at a path. */
export function commentsAt(object: KrmObject, field: FieldPath): readonly string[] {
  const { comments, entries } = readComments(object.written())
  const wanted = JSON.stringify(field)
  return comments.flatMap(({ comment, ...place }) => (JSON.stringify(fieldAt(place, entries)) === wanted ? [comment] : []))
}

/** Returns true if a line's comment, or text that looks like a comment, is less frequent in the merged text than people wrote it. */
function mayLose(here: string, before: string, after: string): boolean {
  if (!here.includes('#')) return false
  const [own, base, merged] = [countsOf(linesWith(here)), countsOf(linesWith(before)), countsOf(linesWith(after))]
  return [...own].some(([comment, count]) => count > (base.get(comment) ?? 0) && count > (merged.get(comment) ?? 0))
}

function linesWith(text: string): readonly Pick<Comment, 'comment'>[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const comment = /(?:^|\s)(#.*)$/.exec(line)?.[1]?.trimEnd()
    return comment === undefined ? [] : [{ comment }]
  })
}

function countsOf(comments: readonly Pick<Comment, 'comment'>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { comment } of comments) counts.set(comment, (counts.get(comment) ?? 0) + 1)
  return counts
}

interface Comment {
  readonly comment: string
  readonly start: number
  /** True if the comment is alone on its line. */
  readonly isAlone: boolean
}

/** Returns the comments of a text, each with the offset of its start. */
export function placedComments(written: ReturnType<KrmObject['written']>): readonly { readonly comment: string; readonly start: number }[] {
  return readComments(written).comments
}

interface EntryStart {
  readonly start: number
  readonly field: FieldPath
}

/** The entries and scalars of a text, in its order. A `#` inside a scalar is no comment, but one behind the `|` of a block is. */
interface Layout {
  readonly text: string
  readonly entries: EntryStart[]
  readonly scalars: { readonly start: number; readonly end: number }[]
}

function readComments({ text, node }: { readonly text: string; readonly node: Node }): {
  readonly comments: readonly Comment[]
  readonly entries: readonly EntryStart[]
} {
  const layout: Layout = { text, entries: [], scalars: [] }
  layOut(node, [], layout)
  const comments: Comment[] = []
  const mark = /(?<=^|\s)#.*/gm
  let scalar = 0
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const start = found.index
    while ((layout.scalars[scalar]?.end ?? Number.POSITIVE_INFINITY) <= start) scalar++
    const inside = layout.scalars[scalar]
    if (inside !== undefined && inside.start <= start) mark.lastIndex = inside.end
    else comments.push({ comment: found[0].trimEnd(), start, isAlone: isAlone(text, start) })
  }
  return { comments, entries: layout.entries }
}

function isAlone(text: string, start: number): boolean {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === ''
}

function layOut(node: Node, field: FieldPath, layout: Layout): void {
  if (node.type === 'map') {
    for (const { key, value } of node.entries) {
      layout.entries.push({ start: key.start, field: [...field, key.text] })
      layout.scalars.push(key)
      layOut(value, [...field, key.text], layout)
    }
  } else if (node.type === 'sequence') {
    for (const [at, { dash, value }] of node.items.entries()) {
      layout.entries.push({ start: dash, field: [...field, at] })
      layOut(value, [...field, at], layout)
    }
  } else layout.scalars.push({ start: contentStart(layout.text, node), end: node.end })
}

/** Returns the start of a value; of a block scalar the start of its lines, since a comment may stand behind its `|` or `>`. */
function contentStart(text: string, node: Node): number {
  const isBlock = node.type === 'scalar' && (node.style === 'literal' || node.style === 'folded')
  return isBlock ? lineEnd(text, node.start) : node.start
}

/** Returns the entry of a comment: the next entry for a comment alone on its line, else the entry before. */
function fieldAt({ start, isAlone }: Omit<Comment, 'comment'>, entries: readonly EntryStart[]): FieldPath {
  const next = firstThat(entries.length, (at) => (entries[at]?.start ?? 0) >= start)
  return entries[isAlone ? next : next - 1]?.field ?? []
}
