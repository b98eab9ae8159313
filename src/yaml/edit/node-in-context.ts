import { columnOf } from '../read/lines.ts'
import type { KeyedNode, Node, SequenceItem } from '../read/node.ts'

/** A value and what holds it: the colon of its key, or its dash. */
export interface NodeInContext {
  readonly node: Node
  readonly holder: 'entry' | 'item'
  /** The offset behind the colon or dash; that of the value where a flow map has no colon. */
  readonly lead: number
  /** The column of the key or dash. Nothing in a flow collection asks for it: finding it means looking for the start of the line. */
  readonly column: number
  /** Whether a flow collection is around it: then it cannot be block style. */
  readonly inFlow: boolean
}

/** The root, held where a dash would be, two columns before it. */
export function heldRoot(text: string, root: Node): NodeInContext {
  return { node: root, holder: 'item', lead: root.start, column: columnOf(text, root.start) - 2, inFlow: false }
}

/** The value of a map's entry. */
export function heldEntry(text: string, { key, value }: KeyedNode, { inFlow }: Pick<NodeInContext, 'inFlow'>): NodeInContext {
  const colon = text.slice(key.end, value.start).indexOf(':')
  const lead = colon === -1 ? value.start : key.end + colon + 1
  return { node: value, holder: 'entry', lead, column: inFlow ? 0 : columnOf(text, key.start), inFlow }
}

/** The value of a list's item. */
export function heldItem(text: string, { dash, value }: SequenceItem, { inFlow }: Pick<NodeInContext, 'inFlow'>): NodeInContext {
  return { node: value, holder: 'item', lead: dash + 1, column: inFlow ? 0 : columnOf(text, dash), inFlow }
}
