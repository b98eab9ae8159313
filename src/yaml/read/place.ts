import type { FieldPath } from '../../field-path.ts'
import { findEntry, type Node, nodesAlong } from './node.ts'

/** Where something stands in its text: the offset of itself, and that of its key where it has one. */
export interface NodePlace {
  readonly key: number | undefined
  readonly value: number
  readonly type: 'scalar' | 'block' | 'flow' | 'alias'
}

/** The place of what is at a path, or of its nearest ancestor that is there, and how many steps of the path lead to it. */
export interface FoundPlace {
  readonly place: NodePlace
  readonly steps: number
}

/** Finds a place in nodes. */
export function placeInTree(root: Node, path: FieldPath): FoundPlace {
  const nodes = nodesAlong(root, path)
  const steps = nodes.length - 1
  const [parent, node = root] = [nodes.at(-2), nodes.at(-1)]
  const key = parent?.type === 'map' ? findEntry(parent, String(path[steps - 1]))?.key.start : undefined
  return { place: { key, value: node.start, type: typeOf(node) }, steps }
}

function typeOf(node: Node): NodePlace['type'] {
  if (node.type === 'map' || node.type === 'sequence') return node.flow ? 'flow' : 'block'
  return node.type
}
