import { equalJson, type JsonScalar } from '../../json.ts'
import { Copied, type EmittedValue } from '../emit/content.ts'
import { MERGE_KEY } from '../read/merge-keys.ts'
import { type AliasNode, type Node, sizeOfCollection } from '../read/node.ts'
import { scalarValue } from '../read/node-value.ts'
import {
  type ContentEntry,
  contentEntries,
  contentItems,
  draftChild,
  draftEntries,
  draftItems,
  EditedMap,
  type EditTree,
  inheritedChild,
  mergedKeys,
  nodeOf,
} from './edit-tree.ts'
import { Meanings } from './meanings.ts'
import { type PairedEntry, pairMembers } from './pair-entries.ts'

/**
 * Merges a new value into a draft, child by child. Children that already have the wanted value are not touched, so they keep their bytes
 * and comments.
 */
export function mergeEdits(draft: EditTree | undefined, content: EmittedValue): EditTree {
  return new Merge({ isCopy: content instanceof Copied }).merge(draft, content)
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

  merge(draft: EditTree | undefined, content: EmittedValue): EditTree {
    if (draft === undefined) return { type: 'written', was: undefined, content }
    const was = nodeOf(draft)
    if (was !== undefined && this.#isSameLeaf(was, content)) return was
    if (draft.type === 'alias' && this.#isSameAlias(draft, content)) return draft
    return this.#mergeMap(draft, content) ?? this.#mergeList(draft, content) ?? { type: 'written', was, content }
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
    return isScalar(content) && equalJson(scalarValue(node), content)
  }

  /** Merges maps; returns undefined when one of the two is not a map, or they have no key in common. */
  #mergeMap(draft: EditTree, content: EmittedValue): EditTree | undefined {
    const wanted = contentEntries(content)
    const entries = wanted && draftEntries(draft)
    if (wanted === undefined || entries === undefined || this.#hasOtherTag(draft, content)) return undefined
    const inherited = mergedKeys(draft)
    const hasCommon = wanted.some(({ name }) => entries.has(name) || inherited.has(name))
    return hasCommon ? this.#mergeEntries(draft, { own: entries, inherited }, wanted) : undefined
  }

  /** Returns true if the merge key of a map brings in an equal value. */
  #isInherited(draft: EditTree, { name, value }: ContentEntry): boolean {
    const inherited = inheritedChild(draft, name)
    this.#meanings ??= new Meanings({ tags: this.#isCopy })
    return inherited !== undefined && this.#meanings.of(inherited) === this.#meanings.ofContent(value)
  }

  /**
   * A merge key stays if every key that it brings in is wanted: values that differ are written beside it. A key that is not wanted needs
   * the merge key to be written out.
   */
  #mergeEntries(draft: EditTree, { own: entries, inherited }: OpenEntries, wanted: readonly ContentEntry[]): EditTree {
    const merged = openMap(draft)
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
    const added = keepsMerge ? others.filter((entry) => !this.#isInherited(draft, entry)) : others
    for (const { name, key, value } of added) merged.set(name, { type: 'written', was: undefined, content: value, key })
    return isChanged || added.length > 0 ? merged : draft
  }

  /** Merges lists; returns undefined when one of the two is not a list, or is empty. */
  #mergeList(draft: EditTree, content: EmittedValue): EditTree | undefined {
    const wanted = contentItems(content)
    const items = wanted && draftItems(draft)
    if (wanted === undefined || items === undefined || items.length === 0 || wanted.length === 0 || this.#hasOtherTag(draft, content))
      return undefined
    const [before, after] = [items.map((item) => this.#pairedDraft(item)), wanted.map((item) => this.#pairedContent(item))]
    if (before.length === after.length && before.every(({ meaning }, at) => meaning === after[at]?.meaning)) return draft
    const origins = new Map(pairMembers(before, after).map(([from, to]) => [to, items[from]]))
    return { type: 'edited-list', was: nodeOf(draft), items: wanted.map((item, at) => this.merge(origins.get(at), item)) }
  }

  /** Returns true if a copied map or list has another tag than the draft. A plain value has no tag and is not compared. */
  #hasOtherTag(draft: EditTree, content: EmittedValue): boolean {
    return content instanceof Copied && content.node.tag !== nodeOf(draft)?.tag
  }

  #pairedDraft(draft: EditTree): PairedEntry {
    this.#meanings ??= new Meanings({ tags: this.#isCopy })
    const name = draftChild(draft, 'name')
    return { meaning: this.#meanings.of(draft), name: name && this.#meanings.of(name) }
  }

  #pairedContent(content: EmittedValue): PairedEntry {
    this.#meanings ??= new Meanings({ tags: this.#isCopy })
    const name = contentEntries(content)?.find((entry) => entry.name === 'name')?.value
    return { meaning: this.#meanings.ofContent(content), name: name === undefined ? undefined : this.#meanings.ofContent(name) }
  }
}

function openMap(draft: EditTree): EditedMap {
  return draft.type === 'edited-map' ? draft.copy() : new EditedMap(nodeOf(draft), draft.type === 'map' ? draft : undefined)
}

function isScalar(content: EmittedValue): content is JsonScalar {
  return typeof content !== 'object' || content === null
}
