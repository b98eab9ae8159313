import type { FieldPath } from '../../field-path.ts'
import { type Node, nodesAlong, type SequenceNode } from '../read/node.ts'
import { blockEnd, columnOf, isFirstOnLine, ownCommentStart } from './place.ts'
import { changedReference } from './references.ts'

/**
 * The text with an entry of a block list moved before the entry that stands at `to`, its own comment lines with it;
 * undefined where the list is not laid out in whole lines (flow style, a list behind a dash), or an alias stands for something in it.
 */
export function moveItem(text: string, root: Node, path: FieldPath, from: number, to: number): string | undefined {
  const list = nodesAlong(root, path)[path.length]
  const fixed = changedReference(root, { op: 'delete', path }) !== undefined
  const lines = list?.type === 'sequence' && !list.flow && !fixed ? itemLines(text, list) : undefined
  const moved = lines?.parts[from]
  if (lines === undefined || moved === undefined) return undefined
  const others = lines.parts.filter((_, index) => index !== from)
  const ordered = [...others.slice(0, to), moved, ...others.slice(to)].map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('')
  const rest = text.slice(lines.end)
  return text.slice(0, lines.start) + (text.endsWith('\n') || rest !== '' ? ordered : ordered.slice(0, -1)) + rest
}

/** The whole lines of each entry: from its own comments to those of the next. */
function itemLines(text: string, { items }: SequenceNode): { start: number; end: number; parts: readonly string[] } | undefined {
  if (!items.every(({ dash }) => isFirstOnLine(text, dash))) return undefined
  const starts = items.map(({ dash }) => ownCommentStart(text, dash))
  const last = items.at(-1)
  const lastLine = last === undefined ? 0 : blockEnd(text, last.value.end, columnOf(text, last.dash))
  const lineFeed = text.indexOf('\n', lastLine)
  const end = lineFeed === -1 ? text.length : lineFeed + 1
  return { start: starts[0] ?? 0, end, parts: starts.map((start, index) => text.slice(start, starts[index + 1] ?? end)) }
}
