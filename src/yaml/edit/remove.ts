import type { FieldPath } from '../../field-path.ts'
import { findEntry, type MapNode, type Node, nodesAlong, type SequenceNode } from '../read/node.ts'
import { blockEnd, columnOf, isFirstOnLine, lineEnd, lineStart, ownCommentStart, placeOf } from './place.ts'
import { replace, type Sequences } from './put.ts'
import { applySplices } from './splice.ts'

/** The text without the value at a path and the comment lines of its own; the last member of a map or list leaves `{}` or `[]`. */
export function remove(text: string, root: Node, path: FieldPath, sequences: Sequences): string {
  const parentPath = path.slice(0, -1)
  const parent = nodesAlong(root, parentPath).at(-1)
  const step = path.at(-1)
  if (parent?.type === 'map') return removeEntry(text, root, parentPath, parent, String(step), sequences)
  if (parent?.type === 'sequence') return removeItem(text, root, parentPath, parent, Number(step), sequences)
  return text
}

function removeEntry(text: string, root: Node, path: FieldPath, map: MapNode, key: string, sequences: Sequences): string {
  const entry = findEntry(map, key)
  if (entry === undefined) return text
  if (map.entries.length === 1) return replace(text, placeOf(text, root, path), {}, sequences)
  const members = map.entries.map((other) => ({ start: other.key.start, end: other.value.end }))
  return removeMember(text, members, map.entries.indexOf(entry), isFlow(text, root, path, map))
}

function removeItem(text: string, root: Node, path: FieldPath, list: SequenceNode, index: number, sequences: Sequences): string {
  if (list.items[index] === undefined) return text
  if (list.items.length === 1) return replace(text, placeOf(text, root, path), [], sequences)
  const members = list.items.map((item) => ({ start: item.dash, end: item.value.end }))
  return removeMember(text, members, index, isFlow(text, root, path, list))
}

function isFlow(text: string, root: Node, path: FieldPath, node: MapNode | SequenceNode): boolean {
  return node.flow || placeOf(text, root, path).inFlow
}

interface Member {
  readonly start: number
  readonly end: number
}

function removeMember(text: string, members: readonly Member[], index: number, flow: boolean): string {
  const member = members[index]
  if (member === undefined) return text
  const span = flow ? flowSpan(members, index, member) : blockSpan(text, member, members[index - 1])
  return applySplices(text, [{ ...span, text: '' }])
}

/** A member and the comma on one side of it. */
function flowSpan(members: readonly Member[], index: number, member: Member): Member {
  const next = members[index + 1]
  return next === undefined ? { start: members[index - 1]?.end ?? member.start, end: member.end } : { start: member.start, end: next.start }
}

/** Whole lines; of a member behind a dash, up to what comes next, which then stands behind that dash. */
function blockSpan(text: string, member: Member, before: Member | undefined): Member {
  const end = blockEnd(text, member.end, columnOf(text, member.start))
  const below = text.indexOf('\n', end) + 1
  if (!isFirstOnLine(text, member.start)) return { start: member.start, end: below + (/^\s*/.exec(text.slice(below))?.[0].length ?? 0) }
  const start = ownCommentStart(text, member.start)
  if (below > 0) return { start, end: before !== undefined && keepsBlankLines(text, before) ? blankLinesEnd(text, below) : below }
  return { start: Math.max(0, start === 0 ? 0 : lineEnd(text, lineStart(text, start - 1))), end: text.length }
}

/** Whether a member holds a block scalar that takes in the blank lines behind it (`|+`). */
function keepsBlankLines(text: string, { start, end }: Member): boolean {
  return /[|>][1-9]?\+[1-9]?[ \t]*(#.*)?$/m.test(text.slice(start, end))
}

function blankLinesEnd(text: string, from: number): number {
  return from + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(from))?.[0].length ?? 0)
}
