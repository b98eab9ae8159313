import { columnOf } from '../read/lines.ts'
import type { KeyedNode, Node, SequenceItem } from '../read/node.ts'

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

/** Returns the root as if it were the item of a dash two columns before it. */
export function heldRoot(text: string, root: Node): NodeInContext {
  return { node: root, holder: 'item', lead: root.start, column: columnOf(text, root.start) - 2, inFlow: false }
}

/** Returns the value of a map entry with its holder. */
export function heldEntry(text: string, { key, value }: KeyedNode, { inFlow }: Pick<NodeInContext, 'inFlow'>): NodeInContext {
  const colon = text.slice(key.end, value.start).indexOf(':')
  const lead = colon === -1 ? value.start : key.end + colon + 1
  return { node: value, holder: 'entry', lead, column: inFlow ? 0 : columnOf(text, key.start), inFlow }
}

/** Returns the value of a list item with its holder. */
export function heldItem(text: string, { dash, value }: SequenceItem, { inFlow }: Pick<NodeInContext, 'inFlow'>): NodeInContext {
  return { node: value, holder: 'item', lead: dash + 1, column: inFlow ? 0 : columnOf(text, dash), inFlow }
}
