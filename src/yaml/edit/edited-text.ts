import type { FieldPath } from '../../field-path.ts'
import { type JsonValue, newRecord } from '../../json.ts'
import { Copied, type EmittedValue, isContentList, isContentRecord } from '../emit/content.ts'
import type { Sequences } from '../emit/emit.ts'
import { targetOf } from '../read/alias-targets.ts'
import { type MapNode, type Node, sizeOfCollection } from '../read/node.ts'
import { AliasError, nodeValue } from '../read/node-value.ts'
import { applyAtEnd } from './close-block.ts'
import {
  contentEntries,
  draftChild,
  draftEntries,
  draftItems,
  type EditedList,
  type EditTree,
  type EmittedNode,
  isNode,
  newEntries,
  nodeOf,
} from './edit-tree.ts'
import { EditedMap } from './edited-map.ts'
import { mergeEdits } from './merge.ts'
import { heldRoot } from './node-in-context.ts'
import { Splicer } from './splicer.ts'

type MapDraft = MapNode | EmittedNode | EditedMap

/**
 * Edits of one text, collected on its nodes and written in one pass: time grows with the text and the edits, not with their product.
 * What is asked for in between is answered from what is collected.
 */
export class EditedText {
  readonly root: Node
  /** Whether `root` has all entries of the text; else only those of some root keys. */
  readonly isWhole: boolean
  /** Whether the text is one of which a splice does not know all, so that what it makes has to be read again. */
  readonly isUnusual: boolean
  #draft: EditTree

  constructor(root: Node, { isWhole, isUnusual }: { readonly isWhole: boolean; readonly isUnusual: boolean }) {
    this.root = root
    this.isWhole = isWhole
    this.isUnusual = isUnusual
    this.#draft = root
  }

  /** What is to become of the root. */
  get draft(): EditTree {
    return this.#draft
  }

  get isChanged(): boolean {
    return this.#draft !== this.root
  }

  /** Whether what is at a path is among the nodes. */
  knows([key]: FieldPath): boolean {
    return this.isWhole || (key !== undefined && draftChild(this.root, key) !== undefined)
  }

  /** Whether what is at a path can be changed with the nodes alone: an entry of the root needs all entries beside it. */
  canChange(path: FieldPath): boolean {
    return this.isWhole || (path.length > 1 && this.knows(path))
  }

  /**
   * The value at a path, undefined when there is none.
   *
   * @throws AliasError  when the path leads through an alias that stands for nothing known, or through a merge key, or its value holds one
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

  /** @throws AliasError  when the path leads through an alias */
  set(path: FieldPath, content: EmittedValue): void {
    this.#change(path, (draft) => mergeEdits(draft, content))
  }

  /** @throws AliasError  when the path leads through an alias */
  delete(path: FieldPath): void {
    if (path.length > 0 && this.#draftAt(path) !== undefined) this.#change(path, () => undefined)
  }

  /**
   * Moves an entry of a list before the one at `to`.
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

  /** What is at a path, through aliases too: an edit there is refused by whoever makes it. */
  #draftAt(path: FieldPath): EditTree | undefined {
    let draft: EditTree | undefined = this.#draft
    for (const [depth, step] of path.entries()) {
      if (draft === undefined) return undefined
      if (draft.type === 'alias' && targetOf(draft) === undefined) refuseAlias(draft, path, depth)
      draft = draftChild(draft, step)
    }
    return draft
  }

  /** @param change  undefined is for what is not there, and for what goes */
  #change(path: FieldPath, change: (draft: EditTree | undefined) => EditTree | undefined): void {
    this.#draft = changed(this.#draft, path, 0, change) ?? this.#draft
  }

  /** The text that all of it makes of the text of the nodes. */
  write(text: string, sequences: () => Sequences): string {
    const splicer = new Splicer(text, sequences)
    splicer.add(this.#draft, heldRoot(text, this.root))
    return applyAtEnd(text, this.root, splicer.splices)
  }
}

/** The draft after a change at a path; itself when nothing changes, and then nothing on the way is opened. */
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
  if (after === child && draft !== undefined) return draft
  const open = openDraft(draft, step)
  if (open.type === 'edited-map') putEntry(open, String(step), after)
  else putItem(open.items, Number(step), after)
  return open
}

function putEntry(map: EditedMap, key: string, draft: EditTree | undefined): void {
  if (draft === undefined) map.delete(key)
  else map.set(key, draft)
}

/** A position behind the last is the next one. */
function putItem(items: EditTree[], index: number, draft: EditTree | undefined): void {
  if (draft === undefined) items.splice(index, 1)
  else items.splice(Math.min(index, items.length), 1, draft)
}

function refuseAlias(draft: EditTree, path: FieldPath, depth: number): void {
  if (draft.type === 'alias') throw new AliasError(draft.anchor ?? '', path.slice(0, depth))
}

/** What a merge key may bring is not known to be missing, nor what an alias of something unknown has. */
function refuseMerged(draft: EditTree, path: FieldPath, depth: number): void {
  if (draft.type !== 'alias' || targetOf(draft) === undefined) refuseAlias(draft, path, depth)
  const merged = draftChild(draft, '<<')
  if (merged !== undefined && isNode(merged)) refuseAlias(merged, path, depth)
}

/**
 * The plain value of a draft.
 *
 * @throws AliasError  when it is or holds an alias
 */
function draftValue(draft: EditTree, path: FieldPath): JsonValue {
  switch (draft.type) {
    case 'written':
      return contentValue(draft.content)
    case 'edited-list':
      return draft.items.map((item, index) => draftValue(item, [...path, index]))
    case 'edited-map':
      return record([...draft.entries()].map(([key, value]) => [key, draftValue(value, [...path, key])]))
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
 * The draft as a map or list that a step of a path can lead into. What is neither, or is empty, becomes what the step asks for.
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
