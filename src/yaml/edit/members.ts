import { blockEnd, columnOf, isFirstOnLine, lineBelow, lineEnd, lineStart, ownCommentStart } from '../read/lines.ts'
import type { Node, ScalarNode } from '../read/node.ts'
import { heldEntry, heldItem, type NodeInContext } from './node-in-context.ts'
import type { Span } from './splice.ts'

/** An entry of a map or an item of a list, from its key or dash to the end of its value. */
export interface Member {
  readonly start: number
  readonly end: number
  readonly key: ScalarNode | undefined
  readonly value: Node
}

/** Members that go, and those that stand beside them. */
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

/** The value of a member, and what holds it. */
export function heldMember(text: string, { start, key, value }: Member, around: Pick<NodeInContext, 'inFlow'>): NodeInContext {
  return key === undefined ? heldItem(text, { dash: start, value }, around) : heldEntry(text, { key, value }, around)
}

/** What goes with members of a flow collection: they and the comma on one side of them. */
export function flowSpan({ first, last, before, after }: Run): Span {
  return after === undefined ? { start: before?.end ?? first.start, end: last.end } : { start: first.start, end: after.start }
}

/**
 * What goes with members of a block collection: whole lines, and comments of their own; of a member behind a dash, up to what
 * comes next, which then stands behind that dash.
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

/** The whole lines of the members of a block collection, each from its own comments to those of the next. */
export interface MemberLines {
  readonly starts: readonly number[]
  readonly start: number
  /** Where the last line ends, and where the line below it starts. */
  readonly end: number
  readonly below: number
}

/** undefined when a member stands behind a dash. */
export function memberLines(text: string, members: readonly Member[]): MemberLines | undefined {
  const [first, last] = [members[0], members.at(-1)]
  if (first === undefined || last === undefined || !members.every(({ start }) => isFirstOnLine(text, start))) return undefined
  const starts = members.map(({ start }) => ownCommentStart(text, start))
  const end = blockEnd(text, last.end, columnOf(text, last.start))
  return { starts, start: starts[0] ?? first.start, end, below: lineBelow(text, end) }
}

/** Whether a part of a text holds a block scalar that takes in the blank lines behind it (`|+`). */
export function keepsBlankLines(text: string, { start, end }: Span): boolean {
  return /[|>][1-9]?\+[1-9]?[ \t]*(#[^\n]*)?\r?(\n|$)/.test(text.slice(start, end))
}

function blankLinesEnd(text: string, from: number): number {
  return from + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(from))?.[0].length ?? 0)
}
