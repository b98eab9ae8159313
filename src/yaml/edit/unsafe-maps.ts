import type { FieldPath } from '../../field-path.ts'
import type { Position } from '../../result.ts'
import { type MapNode, type Node, nodesAlong } from '../read/node.ts'
import { duplicatesIn } from '../read/written.ts'
import { duplicateFault, type EditFault, explicitFault } from './edit-fault.ts'
import { membersOf } from './members.ts'

/** Maps that splices cannot edit: those with a repeated key or a `? ` key. Only unusual texts have such maps. */
export class UnsafeMaps {
  readonly #root: Node
  readonly #faults = new Map<Node, EditFault>()
  /** The first fault at or below each node. */
  readonly #below = new Map<Node, EditFault>()

  /** @param locate  returns the position in the file, for messages */
  constructor(root: Node, locate: (offset: number) => Position) {
    this.#root = root
    this.#find(root, [], locate)
  }

  #find(node: Node, path: FieldPath, locate: (offset: number) => Position): EditFault | undefined {
    const own = node.type === 'map' ? faultOf(node, path, locate) : undefined
    if (own !== undefined) this.#faults.set(node, own)
    let first = own
    const members = membersOf(node)
    for (const [index, { key, value }] of members.entries()) {
      const below = this.#find(value, [...path, key?.text ?? index], locate)
      first ??= below
    }
    if (first !== undefined) this.#below.set(node, first)
    return first
  }

  /** Returns the first fault on the way to a path, or below it. */
  faultAt(path: FieldPath): EditFault | undefined {
    if (this.#below.size === 0) return undefined
    const nodes = nodesAlong(this.#root, path)
    const onTheWay = nodes.map((node) => this.#faults.get(node)).find((fault) => fault !== undefined)
    const last = nodes.length > path.length ? nodes.at(-1) : undefined
    return onTheWay ?? (last && this.#below.get(last))
  }
}

function faultOf(map: MapNode, path: FieldPath, locate: (offset: number) => Position): EditFault | undefined {
  const [duplicate] = duplicatesIn(map, path, locate)
  if (duplicate !== undefined)
    return duplicateFault(
      duplicate.path,
      duplicate.positions.map(({ line }) => line),
    )
  return map.explicit === true ? explicitFault(path) : undefined
}
