import { findEntry, type MapNode, type Node } from '../read/node.ts'
import { type EditTree, nodeOf } from './edit-tree.ts'

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
