import type { FieldPath } from '../../field-path.ts'
import type { Node } from '../read/node.ts'
import { type Member, membersOf } from './members.ts'
import { isInOrder, isKept, rowsOf } from './rows.ts'
import { type EditTree, isNode } from './tree.ts'

/** An alias, and the path of its value. */
export interface Reference {
  readonly anchor: string
  readonly alias: FieldPath
  readonly target: FieldPath
}

/** The aliases of a text with their values. The last value with the anchor before the alias counts (YAML 1.2.2, 7.1). */
export class References {
  readonly #root: Node
  readonly #parents = new Map<Node, { readonly parent: Node; readonly step: string | number }>()
  readonly #anchored = new Map<string, Node>()
  readonly #aliases: { readonly alias: Node; readonly anchor: string; readonly target: Node }[] = []

  constructor(root: Node) {
    this.#root = root
    this.#walk(root)
  }

  /** Returns the first alias that a tree would keep but give another value. */
  brokenBy(tree: EditTree): Reference | undefined {
    if (this.#aliases.length === 0) return undefined
    const fates = new Fates(this.#root, tree)
    const broken = this.#aliases.find(({ alias, target }) => !this.#isGone(alias, fates) && this.#changes(target, fates))
    return broken && { anchor: broken.anchor, alias: this.#pathOf(broken.alias), target: this.#pathOf(broken.target) }
  }

  #walk(node: Node): void {
    if (node.anchor !== undefined) this.#note(node, node.anchor)
    for (const [index, { key, value }] of membersOf(node).entries()) {
      const step = key?.text ?? index
      for (const child of key === undefined ? [value] : [key, value]) {
        this.#parents.set(child, { parent: node, step })
        this.#walk(child)
      }
    }
  }

  #note(node: Node, anchor: string): void {
    const target = this.#anchored.get(anchor)
    if (node.type !== 'alias') this.#anchored.set(anchor, node)
    else if (target !== undefined) this.#aliases.push({ alias: node, anchor, target })
  }

  #isGone(node: Node, { gone }: Fates): boolean {
    return this.#upwards(node).some((each) => gone.has(each))
  }

  /** Returns true if a tree changes a node. A node in a reordered list counts too, because an alias may end up before its anchor. */
  #changes(node: Node, { gone, edited, reordered }: Fates): boolean {
    return edited.has(node) || this.#upwards(node).some((each) => gone.has(each) || reordered.has(each))
  }

  #upwards(node: Node): readonly Node[] {
    const nodes = [node]
    for (let up = this.#parents.get(node); up !== undefined; up = this.#parents.get(up.parent)) nodes.push(up.parent)
    return nodes
  }

  #pathOf(node: Node): FieldPath {
    const steps: (string | number)[] = []
    for (let up = this.#parents.get(node); up !== undefined; up = this.#parents.get(up.parent)) steps.push(up.step)
    return steps.reverse()
  }
}

/** The nodes of a text that a tree removes, changes or reorders. */
class Fates {
  /** Nodes that are replaced or removed. */
  readonly gone = new Set<Node>()
  /** Nodes with a change below them. */
  readonly edited = new Set<Node>()
  readonly reordered = new Set<Node>()

  constructor(root: Node, tree: EditTree) {
    this.#mark(root, tree)
  }

  #mark(node: Node, tree: EditTree): void {
    if (isNode(tree)) return
    const members = membersOf(node)
    const rows = tree.type === 'written' ? [] : rowsOf(tree, members)
    const kept = rows.filter(isKept)
    if (kept.length === 0) {
      this.gone.add(node)
      return
    }
    this.edited.add(node)
    if (!isInOrder(rows)) this.reordered.add(node)
    this.#markGone(members, new Set(kept.map(({ at }) => at)))
    for (const row of kept) this.#mark(row.member.value, row.tree)
  }

  #markGone(members: readonly Member[], kept: ReadonlySet<number>): void {
    for (const [at, { key, value }] of members.entries()) {
      if (kept.has(at)) continue
      this.gone.add(value)
      if (key !== undefined) this.gone.add(key)
    }
  }
}
