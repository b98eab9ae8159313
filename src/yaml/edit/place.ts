import type { FieldPath } from '../../field-path.ts'
import { findEntry, type Node } from '../read/node.ts'

/** Where a value hangs: behind the colon of its key, or behind its dash. */
export interface Place {
  readonly node: Node
  readonly holder: 'entry' | 'item'
  /** The offset behind the colon or dash; that of the value where a flow map has no colon. */
  readonly lead: number
  /** The column of the key or dash. */
  readonly column: number
  /** Whether a flow collection is around it: then it cannot be block style. */
  readonly inFlow: boolean
}

/** The place of the value at a path that exists. The root hangs where a dash would be, two columns before it. */
export function placeOf(text: string, root: Node, path: FieldPath): Place {
  let place: Place = { node: root, holder: 'item', lead: root.start, column: columnOf(text, root.start) - 2, inFlow: false }
  for (const step of path) place = childPlace(text, place.node, step, place.inFlow)
  return place
}

function childPlace(text: string, parent: Node, step: string | number, inFlow: boolean): Place {
  if (parent.type === 'sequence' && typeof step === 'number') {
    const item = parent.items[step]
    if (item !== undefined) {
      return { node: item.value, holder: 'item', lead: item.dash + 1, column: columnOf(text, item.dash), inFlow: inFlow || parent.flow }
    }
  }
  const entry = parent.type === 'map' ? findEntry(parent, String(step)) : undefined
  if (parent.type !== 'map' || entry === undefined) throw new Error(`no value at ${step}`)
  const colon = text.slice(entry.key.end, entry.value.start).indexOf(':')
  const lead = colon === -1 ? entry.value.start : entry.key.end + colon + 1
  return { node: entry.value, holder: 'entry', lead, column: columnOf(text, entry.key.start), inFlow: inFlow || parent.flow }
}

/** UTF-16 units between the line start and the offset. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}

export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** The offset of the line feed that ends the line, or of the end of the text. A carriage return before it belongs to the line's end. */
export function lineEnd(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  const end = lineFeed === -1 ? text.length : lineFeed
  return end > offset && text[end - 1] === '\r' ? end - 1 : end
}

/** Whether only spaces stand before the offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^ *$/.test(text.slice(lineStart(text, offset), offset))
}

/**
 * Where a block value ends whose last scalar ends at `offset`: at the end of that line, or of the last of the comment lines
 * below it that are deeper than `column`, which is the column of the key or dash that holds the value.
 */
export function blockEnd(text: string, offset: number, column: number): number {
  let end = lineEnd(text, offset)
  for (let next = lineBelow(text, end); next < text.length; next = lineBelow(text, next)) {
    const line = text.slice(next, lineEnd(text, next))
    const indent = line.search(/[^ \t]/)
    if (indent === -1) continue
    if (line[indent] !== '#' || indent <= column) break
    end = next + line.length
  }
  return end
}

function lineBelow(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  return lineFeed === -1 ? text.length : lineFeed + 1
}

/** The start of the comment lines directly above a line, at its own column; the line's start when there are none. */
export function ownCommentStart(text: string, offset: number): number {
  const column = columnOf(text, offset)
  let start = lineStart(text, offset)
  while (start > 0) {
    const above = lineStart(text, start - 1)
    if (text.slice(above, above + column).trim() !== '' || text[above + column] !== '#') break
    start = above
  }
  return start
}
