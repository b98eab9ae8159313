import type { AliasNode, Node } from './node.ts'

type ValueNode = Exclude<Node, AliasNode>

/**
 * How many nodes a text may have with every alias written out: aliases of aliases make gigabytes of a few lines. An object of Kubernetes of
 * 1 MB has fewer.
 */
const MAX_EXPANDED = 200_000

const targets = new WeakMap<AliasNode, ValueNode>()

/**
 * Notes for each alias of a text the value that the alias stands for: the one that had its anchor last before (YAML 1.2.2, 7.1). An alias
 * of a value that the alias is part of, or of nothing in the text, has none; nor has any where the text would be too large with every
 * alias written out.
 */
export function linkAliases(root: Node): void {
  const links = new Links()
  if (links.sizeOf(root) > MAX_EXPANDED) return
  for (const [alias, target] of links.found) targets.set(alias, target)
}

/** The value that an alias stands for; undefined where that is not known. */
export function targetOf(alias: AliasNode): ValueNode | undefined {
  return targets.get(alias)
}

interface Anchored {
  readonly node: ValueNode
  /** Undefined as long as the value is not read to its end. */
  size: number | undefined
}

class Links {
  readonly found = new Map<AliasNode, ValueNode>()
  readonly #anchored = new Map<string, Anchored>()

  /** How many nodes there are with every alias written out. */
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
    if (target?.size === undefined) return 1
    this.found.set(alias, target.node)
    return target.size
  }
}
