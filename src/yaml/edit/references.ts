import type { FieldPath } from '../../field-path.ts'
import { type Node, walk } from '../read/node.ts'
import type { Change } from './changes.ts'
import { isBelow } from './kept-paths.ts'

/** An alias, and the value it stands for. */
export interface Reference {
  readonly alias: FieldPath
  readonly anchor: string
  readonly target: FieldPath
}

/** The first alias that a step would leave in place and give another value. */
export function changedReference(root: Node, { op, path }: Change): Reference | undefined {
  if (op === 'insert') return references(root).find(({ target }) => isBelow(path.slice(0, -1), target))
  return references(root).find(({ alias, target }) => !isBelow(alias, path) && (isBelow(path, target) || isBelow(target, path)))
}

/** An alias stands for the value that had its anchor last before it (YAML 1.2.2, 7.1). */
function references(root: Node): readonly Reference[] {
  const anchors = new Map<string, FieldPath>()
  const found: Reference[] = []
  for (const { path, node, key } of walk(root)) {
    if (key?.anchor !== undefined) anchors.set(key.anchor, path)
    if (node.anchor === undefined) continue
    const target = anchors.get(node.anchor)
    if (node.type !== 'alias') anchors.set(node.anchor, path)
    else if (target !== undefined) found.push({ alias: path, anchor: node.anchor, target })
  }
  return found
}
