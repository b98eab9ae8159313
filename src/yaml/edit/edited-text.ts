import type { FieldPath } from '../../field-path.ts'
import { type JsonValue, newRecord } from '../../json.ts'
import { Copied, type EmittedValue, isContentList, isContentRecord } from '../emit/content.ts'
import type { Sequences } from '../emit/emit.ts'
import { AliasError, targetOf } from '../read/alias-targets.ts'
import { MERGE_KEY, mergedBy } from '../read/merge-keys.ts'
import { type MapNode, type Node, sizeOfCollection } from '../read/node.ts'
import { nodeValue } from '../read/node-value.ts'
import {
  contentEntries,
  draftChild,
  draftEntries,
  draftItems,
  type EditedList,
  EditedMap,
  type EditTree,
  type EmittedNode,
  inheritedChild,
  mergedKeys,
  mergeIn,
  newEntries,
  nodeOf,
  ownChild,
  readEntries,
} from './edit-tree.ts'
import { Meanings } from './meanings.ts'
import { heldRoot } from './members.ts'
import { mergeEdits } from './merge.ts'
import { applyAtEnd } from './splice.ts'
import { Splicer } from './splicer.ts'

type MapDraft = MapNode | EmittedNode | EditedMap

/**
 * The pending edits of one text. They are collected on its nodes and written in one pass, so that the time grows with the text and the
 * edits, not with their product. Values read in between contain the pending edits.
 */
export class EditedText {
  readonly root: Node
  /** True if `root` has all entries of the text; false if it has only those of some root keys. */
  readonly isWhole: boolean
  /** True if the text has a layout that splices do not fully know, so that the result must be read again. */
  readonly isUnusual: boolean
  #draft: EditTree

  constructor(root: Node, { isWhole, isUnusual }: { readonly isWhole: boolean; readonly isUnusual: boolean }) {
    this.root = root
    this.isWhole = isWhole
    this.isUnusual = isUnusual
    this.#draft = root
  }

  /** The root with all pending edits. */
  get draft(): EditTree {
    return this.#draft
  }

  get isChanged(): boolean {
    return this.#draft !== this.root
  }

  /** Returns true if the nodes contain the value at a path. */
  knows([key]: FieldPath): boolean {
    return this.isWhole || (key !== undefined && draftChild(this.root, key) !== undefined)
  }

  /** Returns true if the nodes suffice to change the value at a path. A change of a root entry needs all entries of the root. */
  canChange(path: FieldPath): boolean {
    return this.isWhole || (path.length > 1 && this.knows(path))
  }

  /**
   * Returns the value at a path with the pending edits, undefined when there is none.
   *
   * @throws AliasError  when the path leads through an alias with an unknown value or a merge key, or the value contains one
   */
  valueAt(path: FieldPath): JsonValue | undefined {
    let draft = this.#draft
    for (const [depth, step] of path.entries()) {
      const child = draftChild(draft, step)
      if (child === undefined) {
        refuseMerged(draft, path, depth)
        return undefined
      }
      draft = child
    }
    return draftValue(draft, path)
  }

  /**
   * Writes `content` at the path. Missing maps and lists on the way are created.
   *
   * @throws AliasError  when the path leads through an alias
   */
  set(path: FieldPath, content: EmittedValue): void {
    this.#change(path, (draft) => mergeEdits(draft, content))
  }

  /**
   * Removes the value at the path. Does nothing when there is no value.
   *
   * @throws AliasError  when the path leads through an alias
   */
  delete(path: FieldPath): void {
    if (path.length > 0 && this.#draftAt(path) !== undefined) this.#change(path, () => undefined)
  }

  /**
   * Moves the entry at `from` of a list to the position `to`.
   *
   * @throws AliasError  when the path leads through an alias
   */
  move(path: FieldPath, from: number, to: number): void {
    if (from === to || this.#draftAt([...path, from]) === undefined) return
    this.#change(path, (draft) => {
      const list = openDraft(draft, from)
      if (list.type === 'edited-list') list.items.splice(to, 0, ...list.items.splice(from, 1))
      return list
    })
  }

  /** Returns the draft at a path, also through aliases: `#change` then refuses an edit there. */
  #draftAt(path: FieldPath): EditTree | undefined {
    let draft: EditTree | undefined = this.#draft
    for (const [depth, step] of path.entries()) {
      if (draft === undefined) return undefined
      if (draft.type === 'alias' && targetOf(draft) === undefined) refuseAlias(draft, path, depth)
      draft = draftChild(draft, step)
    }
    return draft
  }

  /** @param change  gets undefined for a missing value; returns undefined to remove the value */
  #change(path: FieldPath, change: (draft: EditTree | undefined) => EditTree | undefined): void {
    this.#draft = changed(this.#draft, path, 0, change) ?? this.#draft
  }

  /** Returns the text with all pending edits; `text` is the text of the nodes. */
  write(text: string, sequences: () => Sequences): string {
    const splicer = new Splicer(text, sequences)
    splicer.add(this.#draft, heldRoot(text, this.root))
    return applyAtEnd(text, this.root, splicer.splices)
  }
}

/** Returns the draft after a change at a path. When nothing changes, returns the draft itself and opens no map or list on the way. */
function changed(
  draft: EditTree | undefined,
  path: FieldPath,
  depth: number,
  change: (draft: EditTree | undefined) => EditTree | undefined,
): EditTree | undefined {
  const step = path[depth]
  if (step === undefined) return change(draft)
  if (draft !== undefined) refuseAlias(draft, path, depth)
  const child = draft && draftChild(draft, step)
  const after = changed(child, path, depth + 1, change)
  if (draft !== undefined && (after === child || inheritsAlready(draft, step, after))) return draft
  const open = openDraft(draft, step)
  if (open.type === 'edited-map') putEntry(open, String(step), after)
  else putItem(open.items, Number(step), after)
  return open
}

/** Returns true if a map gets the value from its merge key already, so that the value need not be written. */
function inheritsAlready(draft: EditTree, step: string | number, after: EditTree | undefined): boolean {
  if (after === undefined || ownChild(draft, step) !== undefined) return false
  const inherited = inheritedChild(draft, String(step))
  if (inherited === undefined) return false
  const meanings = new Meanings({ tags: true })
  return meanings.of(inherited) === meanings.of(after)
}

function putEntry(map: EditedMap, key: string, draft: EditTree | undefined): void {
  if (draft === undefined && mergedKeys(map).has(key)) map.spreadMerge()
  if (draft === undefined) map.delete(key)
  else map.set(key, draft)
}

/** Replaces or removes an item. A position after the last appends. */
function putItem(items: EditTree[], index: number, draft: EditTree | undefined): void {
  if (draft === undefined) items.splice(index, 1)
  else items.splice(Math.min(index, items.length), 1, draft)
}

function refuseAlias(draft: EditTree, path: FieldPath, depth: number): void {
  if (draft.type === 'alias') throw new AliasError(draft.anchor ?? '', path.slice(0, depth))
}

/** Throws AliasError if a missing member could be in an alias with an unknown value, or come from a merge key with one. */
function refuseMerged(draft: EditTree, path: FieldPath, depth: number): void {
  if (draft.type !== 'alias' || targetOf(draft) === undefined) refuseAlias(draft, path, depth)
  const merge = mergeIn(draft)
  const unknown = merge && mergedBy(merge).unknown
  if (unknown !== undefined) throw new AliasError(unknown, [...path.slice(0, depth), MERGE_KEY])
}

/**
 * Returns the plain value of a draft.
 *
 * @throws AliasError  when the draft is or contains an alias with an unknown value, or a merge key
 */
function draftValue(draft: EditTree, path: FieldPath): JsonValue {
  switch (draft.type) {
    case 'written':
      return contentValue(draft.content)
    case 'edited-list':
      return draft.items.map((item, index) => draftValue(item, [...path, index]))
    case 'edited-map':
      return record([...readEntries(draft)].map(([key, value]) => [key, draftValue(value, [...path, key])]))
    default:
      return nodeValue(draft, path)
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

/**
 * Returns the draft as an editable map or list for the next step of a path: a map for a text, a list for a number. A map that is not
 * empty stays a map for a number too. Any other value is replaced by an empty map or list.
 */
function openDraft(draft: EditTree | undefined, step: string | number): EditedMap | EditedList {
  const was = draft && nodeOf(draft)
  if (isMap(draft) && (typeof step === 'string' || !isEmpty(draft))) return asMap(draft)
  if (typeof step === 'number')
    return draft?.type === 'edited-list' ? draft : { type: 'edited-list', was, items: (draft && draftItems(draft)) ?? [] }
  return new EditedMap(was, undefined)
}

function isMap(draft: EditTree | undefined): draft is MapDraft {
  return draft?.type === 'map' || draft?.type === 'edited-map' || (draft?.type === 'written' && contentEntries(draft.content) !== undefined)
}

function isEmpty(draft: MapDraft): boolean {
  return draft.type === 'map' ? sizeOfCollection(draft) === 0 : draftEntries(draft)?.size === 0
}

function asMap(draft: MapDraft): EditedMap {
  if (draft.type === 'edited-map') return draft
  const edited = new EditedMap(nodeOf(draft), draft.type === 'map' ? draft : undefined)
  if (draft.type === 'written') for (const [key, entry] of newEntries(draft.content) ?? []) edited.set(key, entry)
  return edited
}
