import type { FieldPath } from '../../field-path.ts'
import type { AliasNode, Node } from './node.ts'

/** An error for reading a value through an alias or a merge key (`<<: *anchor`) with an unknown value. */
export class AliasError extends Error {
  readonly anchor: string
  readonly path: FieldPath

  constructor(anchor: string, path: FieldPath) {
    super(`*${anchor} is an alias`)
    this.name = 'AliasError'
    this.anchor = anchor
    this.path = path
  }
}

type ValueNode = Exclude<Node, AliasNode>

/**
 * The most nodes of a text with every alias replaced by its value: aliases of aliases turn a few lines into gigabytes. A Kubernetes object
 * of 1 MB has fewer.
 */
const MAX_EXPANDED = 200_000

const targets = new WeakMap<AliasNode, ValueNode>()

/**
 * Records the value of each alias of a text: the last value with the anchor before the alias (YAML 1.2.2, 7.1). An alias of a value that
 * contains the alias has no known value, nor has an alias without an anchor in the text. If the text with every alias replaced would
 * be too large, no alias has a known value.
 */
export function linkAliases(root: Node): void {
  const links = new Links()
  if (links.sizeOf(root) > MAX_EXPANDED) return
  for (const [alias, target] of links.found) targets.set(alias, target)
}

/** Returns the first alias without its anchor above it; undefined if there is none. YAML parsers refuse such a text (YAML 1.2.2, 7.1). */
export function unknownAlias(root: Node): AliasNode | undefined {
  const links = new Links()
  links.sizeOf(root)
  return links.unknown
}

/** Returns the value of an alias; undefined when the value is unknown. */
export function targetOf(alias: AliasNode): ValueNode | undefined {
  return targets.get(alias)
}

interface Anchored {
  readonly node: ValueNode
  /** Undefined until the end of the value was read. */
  size: number | undefined
}

class Links {
  readonly found = new Map<AliasNode, ValueNode>()
  /** The first alias without an anchor. */
  unknown: AliasNode | undefined
  readonly #anchored = new Map<string, Anchored>()

  /** Returns the number of nodes with every alias replaced by its value. */
  sizeOf(node: Node): number {
    if (node.type === 'alias') return this.#sizeOfAlias(node)
    const known: Anchored = { node, size: undefined }
    if (node.anchor !== undefined) this.#anchored.set(node.anchor, known)
    known.size = 1 + this.#sizeBelow(node)
    return known.size
  }

  #sizeBelow(node: ValueNode): number {
    const children = node.type === 'map' ? node.entries : node.type === 'sequence' ? node.items : []
    let size = 0
    for (const child of children) {
      if ('key' in child) this.sizeOf(child.key)
      size += this.sizeOf(child.value)
    }
    return size
  }

  #sizeOfAlias(alias: AliasNode): number {
    const target = this.#anchored.get(alias.anchor ?? '')
    if (target === undefined) this.unknown ??= alias
    if (target?.size === undefined) return 1
    this.found.set(alias, target.node)
    return target.size
  }
}
