import type { FieldPath } from '../../field-path.ts'
import { findEntry, type Node, nodesAlong } from './node.ts'

/** The offset of a value in its text, and that of its key if it has one. */
export interface NodePlace {
  readonly key: number | undefined
  readonly value: number
  readonly type: 'scalar' | 'block' | 'flow' | 'alias'
}

/** The place at a path, or of its nearest existing ancestor, and the number of steps of the path that lead there. */
export interface FoundPlace {
  readonly place: NodePlace
  readonly steps: number
}

/** Finds the place at a path among nodes. */
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
