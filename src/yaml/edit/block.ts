import { blockEnd, columnOf, isFirstOnLine, lineEnd, lineStart, ownCommentStart } from '../read/lines.ts'
import { findEntry, type KeyedNode, type Node, type SequenceItem } from '../read/node.ts'
import type { Splice } from './apply-splices.ts'

/** An entry of a block map or list: its own comment lines, and its body from its key or dash to its end. */
export interface Block {
  readonly value: Node
  /**
   * The start of its own comment lines; equal to `body` if it has none. An entry after a dash on the same line has none: the comments
   * above belong to the list item.
   */
  readonly start: number
  readonly body: number
  /** The end of its last line. */
  readonly end: number
  readonly column: number
  /** The blanks and comment after its value, or after its key if the value is on the lines below; undefined where no comment can be. */
  readonly behind: BlockMember | undefined
}

export interface BlockMember {
  readonly start: number
  readonly end: number
}

/**
 * Returns the entry of a block map or list at a step of a path; undefined if there is none, in flow style, and after an anchor or tag.
 */
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

/** Returns true for a map or sequence in block style. */
export function isBlockCollection(node: Node): boolean {
  return (node.type === 'map' || node.type === 'sequence') && !node.flow
}

/** Returns the rest of a line if it has only blanks and a comment. */
function rest(text: string, start: number): BlockMember | undefined {
  const end = lineEnd(text, start)
  return /^[ \t]*(?:#.*)?$/.test(text.slice(start, end)) ? { start, end } : undefined
}

/** Returns true if the block begins its line, not after a dash. */
export function ownsLines(text: string, { body }: Block): boolean {
  return isFirstOnLine(text, body)
}

/** Returns the comment lines above the body without indentation, each with its line feed; '' when there are none. */
export function commentsAbove(text: string, { start, body, column }: Block): string {
  return start === body ? '' : outdent(text.slice(start, lineStart(text, body)), column)
}

/**
 * Returns the comment lines and blank lines between the previous entry and the body, without indentation, each with its line feed. Stops
 * at a comment line in another column.
 */
export function linesAbove(text: string, block: Block): string {
  return outdent(text.slice(linesStart(text, block), lineStart(text, block.body)), block.column)
}

/** Returns the splice that replaces the comment lines and blank lines above a block that begins its line. */
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

/** Returns the body; its lines after the first lose the indentation of the block. */
export function bodyText(text: string, { body, end, column }: Block): string {
  const written = text.slice(body, end)
  const below = written.indexOf('\n') + 1
  return below === 0 ? written : written.slice(0, below).replace('\r\n', '\n') + outdent(written.slice(below), column)
}

/** Returns the splice that replaces the comment lines above a block that begins its line. */
export function withCommentsAbove(text: string, { start, body, column }: Block, comments: string): Splice {
  return { start: Math.min(start, lineStart(text, body)), end: lineStart(text, body), text: indent(comments, column) }
}

/** Returns the splice that replaces the body. */
export function withBody({ body, end, column }: Block, written: string): Splice {
  const below = written.indexOf('\n') + 1
  return { start: body, end, text: below === 0 ? written : written.slice(0, below) + indent(written.slice(below), column) }
}

/** Returns comment lines and a body, indented to a column, without a final line feed. */
export function blockLines(comments: string, body: string, column: number): string {
  return indent(comments + body, column)
}

/** Removes up to `column` spaces at the start of each line. */
function outdent(lines: string, column: number): string {
  const unified = lines.replaceAll('\r\n', '\n')
  return column === 0 ? unified : unified.replaceAll(new RegExp(`(?<![^\\n]) {1,${column}}`, 'g'), '')
}

/** Adds `column` spaces at the start of each line; empty lines stay empty. */
function indent(lines: string, column: number): string {
  return column === 0 ? lines : lines.replaceAll(/(?<![^\n])(?=[^\r\n])/g, ' '.repeat(column))
}
