import { blockEnd, columnOf, isFirstOnLine, lineBelow, lineEnd, lineStart, ownCommentStart } from '../read/lines.ts'
import type { KeyedNode, Node, ScalarNode, SequenceItem } from '../read/node.ts'
import type { Span } from './apply-splices.ts'

/** An entry of a map or an item of a list, from its key or dash to the end of its value. */
export interface Member {
  readonly start: number
  readonly end: number
  readonly key: ScalarNode | undefined
  readonly value: Node
}

/** Adjacent members that are removed, and the members before and after them. */
export interface Run {
  readonly first: Member
  readonly last: Member
  readonly before: Member | undefined
  readonly after: Member | undefined
}

export function membersOf(node: Node): readonly Member[] {
  if (node.type === 'map') return node.entries.map(({ key, value }) => ({ start: key.start, end: value.end, key, value }))
  if (node.type !== 'sequence') return []
  return node.items.map(({ dash, value }) => ({ start: dash, end: value.end, key: undefined, value }))
}

/** Returns the value of a member with its key or dash. */
export function heldMember(text: string, { start, key, value }: Member, around: Pick<NodeInContext, 'inFlow'>): NodeInContext {
  return key === undefined ? heldItem(text, { dash: start, value }, around) : heldEntry(text, { key, value }, around)
}

/** Returns the span to remove for members of a flow collection: the members and the comma on one side of them. */
export function flowSpan({ first, last, before, after }: Run): Span {
  return after === undefined ? { start: before?.end ?? first.start, end: last.end } : { start: first.start, end: after.start }
}

/**
 * Returns the span to remove for members of a block collection: whole lines, with the members' own comments. For a member after a dash on
 * the same line, the span ends where the next content begins, which then follows the dash.
 */
export function blockSpan(text: string, { first, last, before }: Run): Span {
  const end = blockEnd(text, last.end, columnOf(text, first.start))
  const below = text.indexOf('\n', end) + 1
  if (!isFirstOnLine(text, first.start)) return { start: first.start, end: below + (/^\s*/.exec(text.slice(below))?.[0].length ?? 0) }
  const start = ownCommentStart(text, first.start)
  if (below > 0) return { start, end: before !== undefined && keepsBlankLines(text, before) ? blankLinesEnd(text, below) : below }
  if (before !== undefined && keepsBlankLines(text, before)) return { start, end: text.length }
  return { start: Math.max(0, start === 0 ? 0 : lineEnd(text, lineStart(text, start - 1))), end: text.length }
}

/** The whole lines of the members of a block collection: each member's lines begin at its own comments and end at those of the next. */
export interface MemberLines {
  readonly starts: readonly number[]
  readonly start: number
  /** The end of the last line, and the start of the line below. */
  readonly end: number
  readonly below: number
}

/** Returns the lines of members; undefined when a member does not begin its line. */
export function memberLines(text: string, members: readonly Member[]): MemberLines | undefined {
  const [first, last] = [members[0], members.at(-1)]
  if (first === undefined || last === undefined || !members.every(({ start }) => isFirstOnLine(text, start))) return undefined
  const starts = members.map(({ start }) => ownCommentStart(text, start))
  const end = blockEnd(text, last.end, columnOf(text, last.start))
  return { starts, start: starts[0] ?? first.start, end, below: lineBelow(text, end) }
}

/** Returns true if a span has a block scalar that keeps the blank lines after it (`|+`). */
export function keepsBlankLines(text: string, { start, end }: Span): boolean {
  return /[|>][1-9]?\+[1-9]?[ \t]*(#[^\n]*)?\r?(\n|$)/.test(text.slice(start, end))
}

function blankLinesEnd(text: string, from: number): number {
  return from + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(from))?.[0].length ?? 0)
}

/** A value and its holder: the key's colon, or the dash. */
export interface NodeInContext {
  readonly node: Node
  readonly holder: 'entry' | 'item'
  /** The offset after the colon or dash; the offset of the value where a flow map has no colon. */
  readonly lead: number
  /** The column of the key or dash; 0 in a flow collection, which needs no column. */
  readonly column: number
  /** True inside a flow collection: then the value cannot be in block style. */
  readonly inFlow: boolean
}

/** Returns the value of a map entry with its holder. */
export function heldEntry(text: string, { key, value }: KeyedNode, { inFlow }: Pick<NodeInContext, 'inFlow'>): NodeInContext {
  const colon = text.slice(key.end, value.start).indexOf(':')
  const lead = colon === -1 ? value.start : key.end + colon + 1
  return { node: value, holder: 'entry', lead, column: inFlow ? 0 : columnOf(text, key.start), inFlow }
}

/** Returns the value of a list item with its holder. */
function heldItem(text: string, { dash, value }: SequenceItem, { inFlow }: Pick<NodeInContext, 'inFlow'>): NodeInContext {
  return { node: value, holder: 'item', lead: dash + 1, column: inFlow ? 0 : columnOf(text, dash), inFlow }
}
