import { equalJson } from '../../json.ts'
import { Copied, type EmittedValue } from '../emit/content.ts'
import { MERGE_KEY } from '../read/merge-keys.ts'
import { type AliasNode, type Node, sizeOfCollection } from '../read/node.ts'
import { scalarValue } from '../read/node-value.ts'
import { Meanings } from './meanings.ts'
import { type PairedEntry, pairMembers } from './pair-entries.ts'
import {
  type ContentEntry,
  contentEntries,
  contentItems,
  EditedMap,
  type EditTree,
  inheritedChild,
  mergedKeys,
  nodeOf,
  treeChild,
  treeEntries,
  treeItems,
} from './tree.ts'

/**
 * Merges a new value into a tree, child by child. Children that already have the wanted value are not touched, so they keep their bytes
 * and comments.
 */
export function mergeEdits(tree: EditTree | undefined, content: EmittedValue): EditTree {
  return new Merge({ isCopy: content instanceof Copied }).merge(tree, content)
}

/** The own entries of a map, and the keys that its merge key brings in. */
interface OpenEntries {
  readonly own: ReadonlyMap<string, EditTree>
  readonly inherited: ReadonlySet<string>
}

class Merge {
  readonly #isCopy: boolean
  #meanings: Meanings | undefined

  constructor({ isCopy }: { readonly isCopy: boolean }) {
    this.#isCopy = isCopy
  }

  merge(tree: EditTree | undefined, content: EmittedValue): EditTree {
    if (tree === undefined) return { type: 'written', was: undefined, content }
    const was = nodeOf(tree)
    if (was !== undefined && this.#isSameLeaf(was, content)) return was
    if (tree.type === 'alias' && this.#isSameAlias(tree, content)) return tree
    return this.#mergeMap(tree, content) ?? this.#mergeList(tree, content) ?? { type: 'written', was, content }
  }

  /** Returns true if an alias already has the wanted value: the alias then stays. */
  #isSameAlias(alias: AliasNode, content: EmittedValue): boolean {
    this.#meanings ??= new Meanings({ tags: this.#isCopy })
    return this.#meanings.of(alias) === this.#meanings.ofContent(content)
  }

  /** Returns true if both are scalars, or both empty maps or lists, and are equal. */
  #isSameLeaf(node: Node, content: EmittedValue): boolean {
    const copied = content instanceof Copied ? content.node : undefined
    if (copied !== undefined && copied.tag !== node.tag) return false
    if (node.type === 'map') return sizeOfCollection(node) === 0 && contentEntries(content)?.length === 0
    if (node.type === 'sequence') return sizeOfCollection(node) === 0 && contentItems(content)?.length === 0
    if (node.type !== 'scalar') return false
    if (copied !== undefined) return copied.type === 'scalar' && equalJson(scalarValue(node), scalarValue(copied))
    return (typeof content !== 'object' || content === null) && equalJson(scalarValue(node), content)
  }

  /** Merges maps; returns undefined when one of the two is not a map, or they have no key in common. */
  #mergeMap(tree: EditTree, content: EmittedValue): EditTree | undefined {
    const wanted = contentEntries(content)
    const entries = wanted && treeEntries(tree)
    if (wanted === undefined || entries === undefined || this.#hasOtherTag(tree, content)) return undefined
    const inherited = mergedKeys(tree)
    const hasCommon = wanted.some(({ name }) => entries.has(name) || inherited.has(name))
    return hasCommon ? this.#mergeEntries(tree, { own: entries, inherited }, wanted) : undefined
  }

  /** Returns true if the merge key of a map brings in an equal value. */
  #isInherited(tree: EditTree, { name, value }: ContentEntry): boolean {
    const inherited = inheritedChild(tree, name)
    this.#meanings ??= new Meanings({ tags: this.#isCopy })
    return inherited !== undefined && this.#meanings.of(inherited) === this.#meanings.ofContent(value)
  }

  /**
   * A merge key stays if every key that it brings in is wanted: values that differ are written beside it. A key that is not wanted needs
   * the merge key to be written out.
   */
  #mergeEntries(tree: EditTree, { own: entries, inherited }: OpenEntries, wanted: readonly ContentEntry[]): EditTree {
    const merged = openMap(tree)
    const values = new Map(wanted.map((entry) => [entry.name, entry.value]))
    const keepsMerge = inherited.size > 0 && [...inherited].every((name) => values.has(name))
    const own = keepsMerge ? [...entries].filter(([name]) => name !== MERGE_KEY) : entries
    let isChanged = false
    for (const [name, child] of own) {
      const value = values.get(name)
      const entry = value === undefined ? undefined : this.merge(child, value)
      isChanged ||= entry !== child
      if (entry === undefined) merged.delete(name)
      else if (entry !== merged.get(name)) merged.set(name, entry)
    }
    const others = wanted.filter(({ name }) => !entries.has(name))
    const added = keepsMerge ? others.filter((entry) => !this.#isInherited(tree, entry)) : others
    for (const { name, key, value } of added) merged.set(name, { type: 'written', was: undefined, content: value, key })
    return isChanged || added.length > 0 ? merged : tree
  }

  /** Merges lists; returns undefined when one of the two is not a list, or is empty. */
  #mergeList(tree: EditTree, content: EmittedValue): EditTree | undefined {
    const wanted = contentItems(content)
    const items = wanted && treeItems(tree)
    if (wanted === undefined || items === undefined || items.length === 0 || wanted.length === 0 || this.#hasOtherTag(tree, content))
      return undefined
    const [before, after] = [items.map((item) => this.#pairedTree(item)), wanted.map((item) => this.#pairedContent(item))]
    if (before.length === after.length && before.every(({ meaning }, at) => meaning === after[at]?.meaning)) return tree
    const origins = new Map(pairMembers(before, after).map(([from, to]) => [to, items[from]]))
    return { type: 'edited-list', was: nodeOf(tree), items: wanted.map((item, at) => this.merge(origins.get(at), item)) }
  }

  /** Returns true if a copied map or list has another tag than the tree. A plain value has no tag and is not compared. */
  #hasOtherTag(tree: EditTree, content: EmittedValue): boolean {
    return content instanceof Copied && content.node.tag !== nodeOf(tree)?.tag
  }

  #pairedTree(tree: EditTree): PairedEntry {
    this.#meanings ??= new Meanings({ tags: this.#isCopy })
    const name = treeChild(tree, 'name')
    return { meaning: this.#meanings.of(tree), name: name && this.#meanings.of(name) }
  }

  #pairedContent(content: EmittedValue): PairedEntry {
    this.#meanings ??= new Meanings({ tags: this.#isCopy })
    const name = contentEntries(content)?.find((entry) => entry.name === 'name')?.value
    return { meaning: this.#meanings.ofContent(content), name: name === undefined ? undefined : this.#meanings.ofContent(name) }
  }
}

function openMap(tree: EditTree): EditedMap {
  return tree.type === 'edited-map' ? tree.copy() : new EditedMap(nodeOf(tree), tree.type === 'map' ? tree : undefined)
}
