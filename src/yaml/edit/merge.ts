import { equalJson, type JsonScalar } from '../../json.ts'
import { Copied, type EmittedValue } from '../emit/content.ts'
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
    return wanted.some(({ name }) => entries.has(name)) ? this.#mergeEntries(draft, entries, wanted) : undefined
  }

  #mergeEntries(draft: EditTree, entries: ReadonlyMap<string, EditTree>, wanted: readonly ContentEntry[]): EditTree {
    const merged = draft.type === 'edited-map' ? draft.copy() : new EditedMap(nodeOf(draft), draft.type === 'map' ? draft : undefined)
    const values = new Map(wanted.map((entry) => [entry.name, entry.value]))
    let isChanged = false
    for (const [name, child] of entries) {
      const value = values.get(name)
      const entry = value === undefined ? undefined : this.merge(child, value)
      isChanged ||= entry !== child
      if (entry === undefined) merged.delete(name)
      else if (entry !== merged.get(name)) merged.set(name, entry)
    }
    const added = wanted.filter(({ name }) => !entries.has(name))
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

function isScalar(content: EmittedValue): content is JsonScalar {
  return typeof content !== 'object' || content === null
}
