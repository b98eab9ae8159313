import { blockEnd, columnOf, isFirstOnLine, lineEnd, lineStart, ownCommentStart } from '../read/lines.ts'
import { findEntry, type KeyedNode, type Node, type SequenceItem } from '../read/node.ts'
import type { Splice } from './splice.ts'

/** An entry of a block map or list with its lines: comment lines of its own, and its body, from its key or dash to its end. */
export interface Block {
  readonly value: Node
  /** Where its own comment lines begin; where the body does when it has none. Behind a dash it has none: they are those of the list's entry. */
  readonly start: number
  readonly body: number
  /** The end of its last line. */
  readonly end: number
  readonly column: number
  /** The blanks and the comment behind its value, or behind its key where the value stands below; undefined where no comment can be. */
  readonly behind: BlockMember | undefined
}

export interface BlockMember {
  readonly start: number
  readonly end: number
}

/** The entry of a block map or list at a step; undefined where there is none, in flow style, and behind an anchor or tag. */
export function blockAt(text: string, parent: Node | undefined, step: string | number): Block | undefined {
  if (parent?.type === 'map' && !parent.flow) {
    const entry = findEntry(parent, String(step))
    return entry && block(text, entry.key.start, entry.value, behindEntry(text, entry))
  }
  const item = parent?.type === 'sequence' && !parent.flow ? parent.items[Number(step)] : undefined
  return item && block(text, item.dash, item.value, behindItem(text, item))
}

function block(text: string, body: number, value: Node, behind: BlockMember | undefined): Block | undefined {
  const column = columnOf(text, body)
  if (!/^ *(?:- +)*$/.test(text.slice(body - column, body))) return undefined
  const start = isFirstOnLine(text, body) ? ownCommentStart(text, body) : body
  return { value, start, body, end: blockEnd(text, value.end, column), column, behind }
}

function behindEntry(text: string, { key, value }: KeyedNode): BlockMember | undefined {
  if (!isBlockCollection(value)) return behindScalar(text, value)
  const colon = text.indexOf(':', key.end)
  return value.start > lineEnd(text, key.end) ? rest(text, colon + 1) : undefined
}

function behindItem(text: string, { value }: SequenceItem): BlockMember | undefined {
  return isBlockCollection(value) ? undefined : behindScalar(text, value)
}

function behindScalar(text: string, value: Node): BlockMember | undefined {
  const isBlockScalar = value.type === 'scalar' && (value.style === 'literal' || value.style === 'folded')
  return isBlockScalar ? undefined : rest(text, value.end)
}

function isBlockCollection(node: Node): boolean {
  return (node.type === 'map' || node.type === 'sequence') && !node.flow
}

/** The rest of a line that holds nothing but blanks and a comment. */
function rest(text: string, start: number): BlockMember | undefined {
  const end = lineEnd(text, start)
  return /^[ \t]*(?:#.*)?$/.test(text.slice(start, end)) ? { start, end } : undefined
}

/** Whether the block has its lines to itself, and does not begin behind a dash. */
export function ownsLines(text: string, { body }: Block): boolean {
  return isFirstOnLine(text, body)
}

/** The comment lines above the body, without indentation, each with its line feed; '' when there are none. */
export function commentsAbove(text: string, { start, body, column }: Block): string {
  return start === body ? '' : outdent(text.slice(start, lineStart(text, body)), column)
}

/**
 * The comment lines and blank lines above the body, up to the entry before, without indentation, each with its line feed. A comment line at
 * another column is no part of them.
 */
export function linesAbove(text: string, block: Block): string {
  return outdent(text.slice(linesStart(text, block), lineStart(text, block.body)), block.column)
}

/** Writes other comment lines and blank lines above a block that has its lines to itself. */
export function withLinesAbove(text: string, block: Block, lines: string): Splice {
  return { start: linesStart(text, block), end: lineStart(text, block.body), text: indent(lines, block.column) }
}

function linesStart(text: string, { body, column }: Block): number {
  let start = lineStart(text, body)
  while (start > 0 && isFirstOnLine(text, body)) {
    const above = lineStart(text, start - 1)
    const line = text.slice(above, start)
    const indent = line.search(/\S/)
    if (indent !== -1 && (indent !== column || line[indent] !== '#')) break
    start = above
  }
  return start
}

/** The body, its lines below the first without the indentation of the block. */
export function bodyText(text: string, { body, end, column }: Block): string {
  const written = text.slice(body, end)
  const below = written.indexOf('\n') + 1
  return below === 0 ? written : written.slice(0, below).replace('\r\n', '\n') + outdent(written.slice(below), column)
}

/** Writes other comment lines above a block that has its lines to itself. */
export function withCommentsAbove(text: string, { start, body, column }: Block, comments: string): Splice {
  return { start: Math.min(start, lineStart(text, body)), end: lineStart(text, body), text: indent(comments, column) }
}

/** Writes another body. */
export function withBody({ body, end, column }: Block, written: string): Splice {
  const below = written.indexOf('\n') + 1
  return { start: body, end, text: below === 0 ? written : written.slice(0, below) + indent(written.slice(below), column) }
}

/** Comment lines and a body as lines at a column, without a last line feed. */
export function blockLines(comments: string, body: string, column: number): string {
  return indent(comments + body, column)
}

/** Lines without so many spaces; odd ones that have fewer lose what they have. */
function outdent(lines: string, column: number): string {
  const unified = lines.replaceAll('\r\n', '\n')
  return column === 0 ? unified : unified.replaceAll(new RegExp(`(?<![^\\n]) {1,${column}}`, 'g'), '')
}

/** Lines with so many spaces before them; empty lines stay empty. */
function indent(lines: string, column: number): string {
  return column === 0 ? lines : lines.replaceAll(/(?<![^\n])(?=[^\r\n])/g, ' '.repeat(column))
}
