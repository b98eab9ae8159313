import type { FieldPath } from '../../field-path.ts'
import { type JsonValue, newRecord } from '../../json.ts'
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
import { AliasError, targetOf } from '../read/alias-targets.ts'
import { MERGE_KEY, type MergedEntries, mergedBy, mergeOf } from '../read/merge-keys.ts'
import { type AliasNode, findEntry, type KeyedNode, type MapNode, type Node, type ScalarNode } from '../read/node.ts'
import { nodeValue } from '../read/node-value.ts'

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
    for (const [key, tree] of entries) if (this.get(key) === undefined) this.set(key, tree)
  }

  copy(): EditedMap {
    const copy = new EditedMap(this.was, this.#base)
    for (const [key, tree] of this.#changes) copy.#changes.set(key, tree)
    return copy
  }

  get(key: string): EditTree | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#inBase(key)
  }

  #inBase(key: string): Node | undefined {
    return this.#base && findEntry(this.#base, key)?.value
  }

  /** Sets an entry. An entry that was removed before becomes the last. */
  set(key: string, tree: EditTree): void {
    if (this.#changes.get(key) === undefined) this.#changes.delete(key)
    this.#changes.set(key, tree)
  }

  delete(key: string): void {
    if (this.#inBase(key) === undefined) this.#changes.delete(key)
    else this.#changes.set(key, undefined)
  }

  /** Returns the entries after the edits: those of the base in its order, then the new ones. */
  entries(): ReadonlyMap<string, EditTree> {
    const entries = new Map<string, EditTree>()
    for (const { key, value } of this.#base?.entries ?? []) {
      const tree = this.get(key.text)
      if (tree !== undefined && nodeOf(tree) === value) entries.set(key.text, tree)
    }
    for (const [key, tree] of this.#changes) if (tree !== undefined && !entries.has(key)) entries.set(key, tree)
    return entries
  }

  /** Returns the changed and new entries if every entry of `map` stays in its place; otherwise undefined. */
  changesIn(map: MapNode): ReadonlyMap<string, EditTree> | undefined {
    if (map !== this.#base || map.entries.length === 0) return undefined
    const changes = new Map<string, EditTree>()
    for (const [key, tree] of this.#changes) {
      const there = this.#inBase(key)
      if (tree === undefined || (there !== undefined && nodeOf(tree) !== there)) return undefined
      changes.set(key, tree)
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

/** Returns the node that a tree keeps or replaces; undefined for a new value. */
export function nodeOf(tree: EditTree): Node | undefined {
  return isNode(tree) ? tree : tree.was
}

export function isNode(tree: EditTree): tree is Node {
  return tree.type !== 'written' && tree.type !== 'edited-map' && tree.type !== 'edited-list'
}

/** Returns the entries of a tree that is a map, the last of repeated keys; undefined for other trees. */
export function treeEntries(tree: EditTree): ReadonlyMap<string, EditTree> | undefined {
  if (tree.type === 'map') return new Map(tree.entries.map(({ key, value }) => [key.text, value]))
  if (tree.type === 'written') return newEntries(tree.content)
  return tree.type === 'edited-map' ? tree.entries() : undefined
}

/** Returns the entries of an edited map as readers see them: those that its merge key brings in, then its own. */
export function readEntries(map: EditedMap): ReadonlyMap<string, EditTree> {
  const { merge } = map
  const entries = map.entries()
  const { entries: merged, unknown } = merge === undefined ? NOTHING_MERGED : mergedBy(merge)
  if (merged.size === 0 || unknown !== undefined) return entries
  const inherited = [...merged].filter(([key]) => !entries.has(key)).map(([key, entry]) => [key, inheritedTree(entry)] as const)
  return new Map([...inherited, ...[...entries].filter(([key]) => key !== MERGE_KEY)])
}

const NOTHING_MERGED: MergedEntries = { entries: new Map() }

/** Returns the keys that the merge key of a tree brings in; none without one, or with one whose value is unknown. */
export function mergedKeys(tree: EditTree): ReadonlySet<string> {
  const merge = mergeIn(tree)
  const { entries, unknown } = merge === undefined ? NOTHING_MERGED : mergedBy(merge)
  return new Set(unknown === undefined ? entries.keys() : [])
}

/** Returns the value of the merge key of a tree; undefined without one. */
function mergeIn(tree: EditTree): Node | undefined {
  if (tree.type === 'map') return mergeOf(tree)
  return tree.type === 'edited-map' ? tree.merge : undefined
}

/** Returns the value of a key that the merge key of a tree brings in, as a value to write; undefined when there is none. */
export function inheritedChild(tree: EditTree, key: string): EmittedNode | undefined {
  const merge = mergeIn(tree)
  const entry = merge && mergedBy(merge).entries.get(key)
  return entry && inheritedTree(entry)
}

function inheritedTree({ key, value }: KeyedNode): EmittedNode {
  return { type: 'written', was: undefined, content: copied(value), key }
}

export function newEntries(content: EmittedValue): Map<string, EditTree> | undefined {
  const entries = contentEntries(content)
  return entries && new Map(entries.map(({ name, key, value }) => [name, { type: 'written', was: undefined, content: value, key }]))
}

/** Returns the items of a tree that is a list; undefined for other trees. */
export function treeItems(tree: EditTree): EditTree[] | undefined {
  if (tree.type === 'sequence') return tree.items.map(({ value }) => value)
  if (tree.type === 'edited-list') return tree.items
  if (tree.type !== 'written') return undefined
  return contentItems(tree.content)?.map((content): EditTree => ({ type: 'written', was: undefined, content }))
}

/** Returns the child of a tree at one step of a path, also through an alias or a merge key; undefined when there is none. */
export function treeChild(tree: EditTree, step: string | number): EditTree | undefined {
  return ownChild(tree, step) ?? inheritedChild(tree, String(step))
}

/** Returns the child of a tree as `treeChild` does, but none that a merge key brings in. */
export function ownChild(tree: EditTree, step: string | number): EditTree | undefined {
  switch (tree.type) {
    case 'map':
      return findEntry(tree, String(step))?.value
    case 'sequence':
      return typeof step === 'number' ? tree.items[step]?.value : undefined
    case 'edited-map':
      return tree.get(String(step))
    case 'edited-list':
      return typeof step === 'number' ? tree.items[step] : undefined
    case 'written':
      return childOfContent(tree.content, step)
    case 'alias':
      return childOfAlias(tree, step)
    default:
      return undefined
  }
}

function childOfAlias(alias: AliasNode, step: string | number): EditTree | undefined {
  const target = targetOf(alias)
  return target === undefined ? undefined : treeChild(target, step)
}

function childOfContent(content: EmittedValue, step: string | number): EditTree | undefined {
  const node = content instanceof Copied ? treeChild(content.node, step) : undefined
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

/** Returns the content that would write a tree anew. Throws AliasError for an alias with an unknown value. */
export function contentOf(tree: EditTree): EmittedValue {
  if (tree.type === 'written') return tree.content
  if (tree.type === 'edited-list') return tree.items.map(contentOf)
  if (tree.type !== 'edited-map') return copied(tree)
  const record: { [key: string]: EmittedValue } = Object.create(null)
  for (const [key, value] of readEntries(tree)) record[key] = contentOf(value)
  return record satisfies ContentRecord
}

/**
 * Returns the plain value at a path, undefined when there is none.
 *
 * @throws AliasError  when the path leads through an alias with an unknown value or a merge key, or the value contains one
 */
export function treeValue(root: EditTree, path: FieldPath): JsonValue | undefined {
  let tree = root
  for (const [depth, step] of path.entries()) {
    const child = treeChild(tree, step)
    if (child === undefined) {
      refuseMerged(tree, path, depth)
      return undefined
    }
    tree = child
  }
  return plainValueOf(tree, path)
}

/** Throws AliasError for an alias: nothing is read or changed below it. */
export function refuseAlias(tree: EditTree, path: FieldPath, depth: number): void {
  if (tree.type === 'alias') throw new AliasError(tree.anchor ?? '', path.slice(0, depth))
}

/** Throws AliasError if a missing member could be in an alias with an unknown value, or come from a merge key with one. */
function refuseMerged(tree: EditTree, path: FieldPath, depth: number): void {
  if (tree.type !== 'alias' || targetOf(tree) === undefined) refuseAlias(tree, path, depth)
  const merge = mergeIn(tree)
  const unknown = merge && mergedBy(merge).unknown
  if (unknown !== undefined) throw new AliasError(unknown, [...path.slice(0, depth), MERGE_KEY])
}

/**
 * Returns the plain value of a tree.
 *
 * @throws AliasError  when the tree is or contains an alias with an unknown value, or a merge key
 */
function plainValueOf(tree: EditTree, path: FieldPath): JsonValue {
  switch (tree.type) {
    case 'written':
      return contentValue(tree.content)
    case 'edited-list':
      return tree.items.map((item, index) => plainValueOf(item, [...path, index]))
    case 'edited-map':
      return record([...readEntries(tree)].map(([key, value]) => [key, plainValueOf(value, [...path, key])]))
    default:
      return nodeValue(tree, path)
  }
}

function contentValue(content: EmittedValue): JsonValue {
  if (content instanceof Copied) return nodeValue(content.node)
  if (isContentList(content)) return content.map(contentValue)
  return isContentRecord(content) ? record(Object.entries(content).map(([key, value]) => [key, contentValue(value)])) : content
}

function record(entries: readonly (readonly [string, JsonValue])[]): JsonValue {
  const made = newRecord()
  for (const [key, value] of entries) made[key] = value
  return made
}
