import { lineEnd } from '../read/lines.ts'

/** A stretch of a text; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A stretch of a text and the text that replaces it. */
export interface Splice extends Span {
  readonly text: string
}

/**
 * Returns the text, or the part between `start` and `end`, with all splices applied in one pass. Splices must not overlap, except that an
 * insertion may be inside a removed stretch: it is placed before the removal. If two splices start at the same offset, insertions come
 * first, in the order in which they were added.
 */
export function applySplices(
  text: string,
  splices: readonly Splice[],
  { start: from, end: to }: Span = { start: 0, end: text.length },
): string {
  const parts: string[] = []
  let at = from
  for (const { start, end, text: replacement } of inOrder(text, splices)) {
    parts.push(text.slice(at, start), replacement)
    at = end
  }
  parts.push(text.slice(at, to))
  return parts.join('')
}

function inOrder(text: string, splices: readonly Splice[]): readonly Splice[] {
  if (splices.length < 2) return splices
  const ordered = splices.toSorted(byStart)
  return movedOut(text, ordered)?.sort(byStart) ?? ordered
}

function byStart(a: Splice, b: Splice): number {
  return a.start - b.start || a.end - b.end
}

/**
 * Moves insertions inside a removed stretch before the stretch: to the end of the line before, if the stretch begins a line. Returns
 * undefined when there is nothing to move, the usual case.
 */
function movedOut(text: string, ordered: readonly Splice[]): Splice[] | undefined {
  let moved: Splice[] | undefined
  let gone: Splice | undefined
  for (const [index, splice] of ordered.entries()) {
    if (splice.start < splice.end) gone = splice.text === '' ? splice : undefined
    else if (gone !== undefined && splice.start > gone.start && splice.start < gone.end) {
      const at = text[gone.start - 1] === '\n' ? lineEndBefore(text, gone.start) : gone.start
      moved ??= [...ordered]
      moved[index] = { ...splice, start: at, end: at }
    }
  }
  return moved
}

function lineEndBefore(text: string, lineStart: number): number {
  return lineEnd(text, text[lineStart - 2] === '\r' ? lineStart - 2 : lineStart - 1)
}
