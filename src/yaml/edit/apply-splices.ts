import { attempt } from '../../attempt.ts'
import { NODES } from '../read/builder.ts'
import { readFast } from '../read/fast-reader.ts'
import { lineBreakAt, lineEnd } from '../read/lines.ts'
import type { Node, ScalarNode } from '../read/node.ts'
import { YamlError } from '../read/yaml-error.ts'
import { readYaml } from '../read/yaml-reader.ts'

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

const HEADER = /[|>]([1-9]?)([-+]?)([1-9]?)/y

/**
 * Returns a text without a final line break so that adding one changes no value. If the text ends inside a block scalar, the header of
 * the scalar gets `-` (strip): `a: |⏎  b` → `a: |-⏎  b`.
 */
export function closeBlock(text: string): string {
  return applySplices(text, closing(text, read(text)))
}

/**
 * Applies splices to a text that may end inside a block scalar. A text added after the end must not give the scalar a final line break,
 * and a removal at the end must not take the final line break of the scalar that then ends the text.
 *
 * @param root  the root node of the text, read to its end where a splice changes the end
 */
export function applyAtEnd(text: string, root: Node, splices: readonly Splice[]): string {
  const lastEnd = text.trimEnd().length
  if (text.endsWith('\n') || splices.every(({ end }) => end < lastEnd)) return applySplices(text, splices)
  const closed = closingBeside(text, root, splices)
  const isFollowed = splices.some(({ start, text: added }) => start >= lastEnd && added !== '')
  const after = applySplices(text, isFollowed ? [...splices, ...closed] : splices)
  return closed.length > 0 && !isFollowed ? after : withLastBreak(after)
}

/** Returns the splices that close the block scalar at the end of a text, without those that overlap other splices. */
export function closingBeside(text: string, node: Node, splices: readonly Splice[]): readonly Splice[] {
  return closing(text, node).filter((each) => splices.every((other) => isApart(each, other)))
}

/**
 * Returns the splices that close an open block scalar: `-` in its header, or the removal of blanks at its end, which become a line of
 * the scalar only with a line break.
 */
function closing(text: string, node: Node | undefined): readonly Splice[] {
  const last = node && openBlock(text, node)
  if (last === undefined) return []
  HEADER.lastIndex = last.start
  const [header = '', before = '', chomping = '', behind = ''] = HEADER.exec(text) ?? []
  if (header === '' || chomping === '-' || (chomping === '' && last.text === '')) return []
  const blanks = last.text.endsWith('\n') ? /\r?\n *$/.exec(text) : undefined
  if (blanks === undefined)
    return [{ start: last.start, end: last.start + header.length, text: `${header.slice(0, 1)}${before}${behind}-` }]
  return blanks === null || chomping !== '+' ? [] : [{ start: blanks.index, end: text.length, text: '' }]
}

function isApart(one: Splice, other: Splice): boolean {
  return one.end <= other.start || other.end <= one.start
}

/** Keeps the final line break of a block scalar that used to be followed by other text. */
function withLastBreak(text: string): string {
  const root = text.endsWith('\n') ? undefined : read(text)
  return closing(text, root).length === 0 ? text : `${text}${lineBreakAt(text, text.length)}`
}

/** Returns the block scalar whose lines end the text without a line break; undefined for a scalar without lines. */
function openBlock(text: string, node: Node): ScalarNode | undefined {
  const last = lastScalar(node)
  if (last === undefined || text.endsWith('\n') || (last.style !== 'literal' && last.style !== 'folded')) return undefined
  return lineEnd(text, last.start) === text.length || text.slice(last.end).trim() !== '' ? undefined : last
}

function lastScalar(node: Node | undefined): ScalarNode | undefined {
  if (node?.type === 'map') return lastScalar(node.entries.at(-1)?.value)
  if (node?.type === 'sequence') return lastScalar(node.items.at(-1)?.value)
  return node?.type === 'scalar' ? node : undefined
}

/** Returns the root node of a text; undefined if the text is not YAML by itself, as with an alias of an anchor above the text. */
function read(text: string): Node | undefined {
  return attempt(() => readFast(text, NODES, { frame: 'document' }) ?? readYaml(text), YamlError)
}
