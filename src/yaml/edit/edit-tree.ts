import {
  type ContentRecord,
  Copied,
  copied,
  copiedEntries,
  copiedItems,
  type EmittedValue,
  isContentList,
  isContentRecord,
} from '../emit/content.ts'
import { targetOf } from '../read/alias-targets.ts'
import { MERGE_KEY, type MergedEntries, mergedBy, mergeOf } from '../read/merge-keys.ts'
import { type AliasNode, findEntry, type KeyedNode, type MapNode, type Node, type ScalarNode } from '../read/node.ts'

/** A map with pending edits: changed and removed entries, and new ones in the order in which they were added. All others stay. */
export class EditedMap {
  readonly type = 'edited-map'
  /** The node that the map replaces; undefined for a new map. */
  readonly was: Node | undefined
  readonly #base: MapNode | undefined
  /** The edits by key; undefined removes the entry. */
  readonly #changes = new Map<string, EditTree | undefined>()

  /** @param base  the map with the entries before the edits */
  constructor(was: Node | undefined, base: MapNode | undefined) {
    this.was = was
    this.#base = base
  }

  /** The value of the merge key, unless an edit removed it. */
  get merge(): Node | undefined {
    const merge = this.#base && mergeOf(this.#base)
    return merge !== undefined && this.get(MERGE_KEY) === merge ? merge : undefined
  }

  /** Replaces the merge key by the entries that it brings in, so that one of them can be removed. */
  spreadMerge(): void {
    if (this.merge === undefined) return
    const entries = readEntries(this)
    this.delete(MERGE_KEY)
    for (const [key, draft] of entries) if (this.get(key) === undefined) this.set(key, draft)
  }

  copy(): EditedMap {
    const copy = new EditedMap(this.was, this.#base)
    for (const [key, draft] of this.#changes) copy.#changes.set(key, draft)
    return copy
  }

  get(key: string): EditTree | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#inBase(key)
  }

  #inBase(key: string): Node | undefined {
    return this.#base && findEntry(this.#base, key)?.value
  }

  /** Sets an entry. An entry that was removed before becomes the last. */
  set(key: string, draft: EditTree): void {
    if (this.#changes.get(key) === undefined) this.#changes.delete(key)
    this.#changes.set(key, draft)
  }

  delete(key: string): void {
    if (this.#inBase(key) === undefined) this.#changes.delete(key)
    else this.#changes.set(key, undefined)
  }

  /** Returns the entries after the edits: those of the base in its order, then the new ones. */
  entries(): ReadonlyMap<string, EditTree> {
    const entries = new Map<string, EditTree>()
    for (const { key, value } of this.#base?.entries ?? []) {
      const draft = this.get(key.text)
      if (draft !== undefined && nodeOf(draft) === value) entries.set(key.text, draft)
    }
    for (const [key, draft] of this.#changes) if (draft !== undefined && !entries.has(key)) entries.set(key, draft)
    return entries
  }

  /** Returns the changed and new entries if every entry of `map` stays in its place; otherwise undefined. */
  changesIn(map: MapNode): ReadonlyMap<string, EditTree> | undefined {
    if (map !== this.#base || map.entries.length === 0) return undefined
    const changes = new Map<string, EditTree>()
    for (const [key, draft] of this.#changes) {
      const there = this.#inBase(key)
      if (draft === undefined || (there !== undefined && nodeOf(draft) !== there)) return undefined
      changes.set(key, draft)
    }
    return changes
  }
}

/** The pending edit of a node: the node itself stays, or a new value replaces it, or its members change. */
export type EditTree = Node | EmittedNode | EditedMap | EditedList

interface Edited {
  /** The node that the edit replaces; undefined for a new value. */
  readonly was: Node | undefined
}

export interface EmittedNode extends Edited {
  readonly type: 'written'
  readonly content: EmittedValue
  /** The key in the spelling of its source, for a copied entry. */
  readonly key?: ScalarNode | undefined
}

/** The items in their new order: items of the text, and new ones. */
export interface EditedList extends Edited {
  readonly type: 'edited-list'
  readonly items: EditTree[]
}

/** Returns the node that a draft keeps or replaces; undefined for a new value. */
export function nodeOf(draft: EditTree): Node | undefined {
  return isNode(draft) ? draft : draft.was
}

export function isNode(draft: EditTree): draft is Node {
  return draft.type !== 'written' && draft.type !== 'edited-map' && draft.type !== 'edited-list'
}

/** Returns the entries of a draft that is a map, the last of repeated keys; undefined for other drafts. */
export function draftEntries(draft: EditTree): ReadonlyMap<string, EditTree> | undefined {
  if (draft.type === 'map') return new Map(draft.entries.map(({ key, value }) => [key.text, value]))
  if (draft.type === 'written') return newEntries(draft.content)
  return draft.type === 'edited-map' ? draft.entries() : undefined
}

/** Returns the entries of an edited map as readers see them: those that its merge key brings in, then its own. */
export function readEntries(map: EditedMap): ReadonlyMap<string, EditTree> {
  const { merge } = map
  const entries = map.entries()
  const { entries: merged, unknown } = merge === undefined ? NOTHING_MERGED : mergedBy(merge)
  if (merged.size === 0 || unknown !== undefined) return entries
  const inherited = [...merged].filter(([key]) => !entries.has(key)).map(([key, entry]) => [key, inheritedDraft(entry)] as const)
  return new Map([...inherited, ...[...entries].filter(([key]) => key !== MERGE_KEY)])
}

const NOTHING_MERGED: MergedEntries = { entries: new Map() }

/** Returns the keys that the merge key of a draft brings in; none without one, or with one whose value is unknown. */
export function mergedKeys(draft: EditTree): ReadonlySet<string> {
  const merge = mergeIn(draft)
  const { entries, unknown } = merge === undefined ? NOTHING_MERGED : mergedBy(merge)
  return new Set(unknown === undefined ? entries.keys() : [])
}

/** Returns the value of the merge key of a draft; undefined without one. */
export function mergeIn(draft: EditTree): Node | undefined {
  if (draft.type === 'map') return mergeOf(draft)
  return draft.type === 'edited-map' ? draft.merge : undefined
}

/** Returns the value of a key that the merge key of a draft brings in, as a value to write; undefined when there is none. */
export function inheritedChild(draft: EditTree, key: string): EmittedNode | undefined {
  const merge = mergeIn(draft)
  const entry = merge && mergedBy(merge).entries.get(key)
  return entry && inheritedDraft(entry)
}

function inheritedDraft({ key, value }: KeyedNode): EmittedNode {
  return { type: 'written', was: undefined, content: copied(value), key }
}

export function newEntries(content: EmittedValue): Map<string, EditTree> | undefined {
  const entries = contentEntries(content)
  return entries && new Map(entries.map(({ name, key, value }) => [name, { type: 'written', was: undefined, content: value, key }]))
}

/** Returns the items of a draft that is a list; undefined for other drafts. */
export function draftItems(draft: EditTree): EditTree[] | undefined {
  if (draft.type === 'sequence') return draft.items.map(({ value }) => value)
  if (draft.type === 'edited-list') return draft.items
  if (draft.type !== 'written') return undefined
  return contentItems(draft.content)?.map((content): EditTree => ({ type: 'written', was: undefined, content }))
}

/** Returns the child of a draft at one step of a path, also through an alias or a merge key; undefined when there is none. */
export function draftChild(draft: EditTree, step: string | number): EditTree | undefined {
  return ownChild(draft, step) ?? inheritedChild(draft, String(step))
}

/** Returns the child of a draft as `draftChild` does, but none that a merge key brings in. */
export function ownChild(draft: EditTree, step: string | number): EditTree | undefined {
  switch (draft.type) {
    case 'map':
      return findEntry(draft, String(step))?.value
    case 'sequence':
      return typeof step === 'number' ? draft.items[step]?.value : undefined
    case 'edited-map':
      return draft.get(String(step))
    case 'edited-list':
      return typeof step === 'number' ? draft.items[step] : undefined
    case 'written':
      return childOfContent(draft.content, step)
    case 'alias':
      return childOfAlias(draft, step)
    default:
      return undefined
  }
}

function childOfAlias(alias: AliasNode, step: string | number): EditTree | undefined {
  const target = targetOf(alias)
  return target === undefined ? undefined : draftChild(target, step)
}

function childOfContent(content: EmittedValue, step: string | number): EditTree | undefined {
  const node = content instanceof Copied ? draftChild(content.node, step) : undefined
  if (node !== undefined && isNode(node)) return { type: 'written', was: undefined, content: copied(node) }
  const child = isContentList(content) && typeof step === 'number' ? content[step] : ownEntry(content, String(step))
  return child === undefined ? undefined : { type: 'written', was: undefined, content: child }
}

function ownEntry(content: EmittedValue, key: string): EmittedValue | undefined {
  return isContentRecord(content) && Object.hasOwn(content, key) ? content[key] : undefined
}

/** A map entry to write. */
export interface ContentEntry {
  readonly name: string
  readonly key?: ScalarNode
  readonly value: EmittedValue
}

/** Returns the entries of content that is a map; undefined for other content. */
export function contentEntries(content: EmittedValue): readonly ContentEntry[] | undefined {
  if (isContentRecord(content)) return Object.entries(content).map(([name, value]) => ({ name, value }))
  if (!(content instanceof Copied) || content.node.type !== 'map') return undefined
  return copiedEntries(content.node).map(({ key, value }) => ({ name: key.text, key, value }))
}

/** Returns the items of content that is a list; undefined for other content. */
export function contentItems(content: EmittedValue): readonly EmittedValue[] | undefined {
  if (isContentList(content)) return content
  return content instanceof Copied && content.node.type === 'sequence' ? copiedItems(content.node) : undefined
}

/** Returns the content that would write a draft anew. Throws AliasError for an alias with an unknown value. */
export function contentOf(draft: EditTree): EmittedValue {
  if (draft.type === 'written') return draft.content
  if (draft.type === 'edited-list') return draft.items.map(contentOf)
  if (draft.type !== 'edited-map') return copied(draft)
  const record: { [key: string]: EmittedValue } = Object.create(null)
  for (const [key, value] of readEntries(draft)) record[key] = contentOf(value)
  return record satisfies ContentRecord
}
