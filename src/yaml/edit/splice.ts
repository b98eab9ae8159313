import { lineEnd } from '../read/lines.ts'

/** A stretch of text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A stretch of text and what comes in its place. */
export interface Splice extends Span {
  readonly text: string
}

/**
 * The text, or a part of it, with all splices made, in one pass. They must not overlap, but for text that is put in where lines go: it comes where these
 * begin. Of two at one offset the one that takes text away comes last, else the one that was named later.
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

/** What is put in below a line that goes comes below the line before. undefined: there is nothing to move, as nearly always. */
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
