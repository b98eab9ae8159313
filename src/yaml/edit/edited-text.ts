import type { FieldPath } from '../../field-path.ts'
import type { JsonValue } from '../../json.ts'
import type { Content } from '../emit/content.ts'
import type { Sequences } from '../emit/emit.ts'
import { targetOf } from '../read/alias-targets.ts'
import type { Node } from '../read/node.ts'
import { AliasError } from '../read/node-value.ts'
import { applyAtEnd } from './close-block.ts'
import { childOf, type Draft, isNode } from './draft.ts'
import { draftValue } from './draft-value.ts'
import type { EditedMap } from './edited-map.ts'
import { heldRoot } from './held.ts'
import { merge } from './merge.ts'
import { openDraft } from './open-draft.ts'
import { Splicer } from './splicer.ts'

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
  #draft: Draft

  constructor(root: Node, { isWhole, isUnusual }: { readonly isWhole: boolean; readonly isUnusual: boolean }) {
    this.root = root
    this.isWhole = isWhole
    this.isUnusual = isUnusual
    this.#draft = root
  }

  /** What is to become of the root. */
  get draft(): Draft {
    return this.#draft
  }

  get isChanged(): boolean {
    return this.#draft !== this.root
  }

  /** Whether what is at a path is among the nodes. */
  knows([key]: FieldPath): boolean {
    return this.isWhole || (key !== undefined && childOf(this.root, key) !== undefined)
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
      const child = childOf(draft, step)
      if (child === undefined) {
        refuseMerged(draft, path, depth)
        return undefined
      }
      draft = child
    }
    return draftValue(draft, path)
  }

  /** @throws AliasError  when the path leads through an alias */
  set(path: FieldPath, content: Content): void {
    this.#change(path, (draft) => merge(draft, content))
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
  #draftAt(path: FieldPath): Draft | undefined {
    let draft: Draft | undefined = this.#draft
    for (const [depth, step] of path.entries()) {
      if (draft === undefined) return undefined
      if (draft.type === 'alias' && targetOf(draft) === undefined) refuseAlias(draft, path, depth)
      draft = childOf(draft, step)
    }
    return draft
  }

  /** @param change  undefined is for what is not there, and for what goes */
  #change(path: FieldPath, change: (draft: Draft | undefined) => Draft | undefined): void {
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
  draft: Draft | undefined,
  path: FieldPath,
  depth: number,
  change: (draft: Draft | undefined) => Draft | undefined,
): Draft | undefined {
  const step = path[depth]
  if (step === undefined) return change(draft)
  if (draft !== undefined) refuseAlias(draft, path, depth)
  const child = draft && childOf(draft, step)
  const after = changed(child, path, depth + 1, change)
  if (after === child && draft !== undefined) return draft
  const open = openDraft(draft, step)
  if (open.type === 'edited-map') putEntry(open, String(step), after)
  else putItem(open.items, Number(step), after)
  return open
}

function putEntry(map: EditedMap, key: string, draft: Draft | undefined): void {
  if (draft === undefined) map.delete(key)
  else map.set(key, draft)
}

/** A position behind the last is the next one. */
function putItem(items: Draft[], index: number, draft: Draft | undefined): void {
  if (draft === undefined) items.splice(index, 1)
  else items.splice(Math.min(index, items.length), 1, draft)
}

function refuseAlias(draft: Draft, path: FieldPath, depth: number): void {
  if (draft.type === 'alias') throw new AliasError(draft.anchor ?? '', path.slice(0, depth))
}

/** What a merge key may bring is not known to be missing, nor what an alias of something unknown has. */
function refuseMerged(draft: Draft, path: FieldPath, depth: number): void {
  if (draft.type !== 'alias' || targetOf(draft) === undefined) refuseAlias(draft, path, depth)
  const merged = childOf(draft, '<<')
  if (merged !== undefined && isNode(merged)) refuseAlias(merged, path, depth)
}
