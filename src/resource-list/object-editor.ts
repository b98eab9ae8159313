import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import { change, changeOrRefuse } from '../yaml/edit/change.ts'
import { type Change, changesTo } from '../yaml/edit/changes.ts'
import { EditError, unsafeFault } from '../yaml/edit/edit-fault.ts'
import { withKeyComment } from '../yaml/edit/key-comment.ts'
import { moveItem } from '../yaml/edit/move.ts'
import { respell } from '../yaml/edit/respell.ts'
import type { Node } from '../yaml/read/node.ts'
import { nodeValue } from '../yaml/read/node-value.ts'
import type { ObjectText } from './object-text.ts'
import { keepWire } from './wire-annotations.ts'

/**
 * Edits the text of one object by splices: what is not changed keeps its bytes. Every edit is made whole, or refused with the text
 * as it was.
 *
 * @throws EditError   where a splice would not know its place, or the text would mean something else than what was asked for
 * @throws AliasError  where an alias is in the way
 */
export class ObjectEditor {
  readonly #source: ObjectText

  constructor(source: ObjectText) {
    this.#source = source
  }

  set(path: FieldPath, value: JsonValue): void {
    this.#atomically(path, () => this.#set(path, value))
  }

  /** As `set`; new numbers in the value are spelled as in its node. */
  copy(path: FieldPath, value: JsonValue, node: Node): void {
    this.#atomically(path, () => {
      const nodes = this.#source.reading.nodesTo(path)
      const before = nodes.length > path.length ? nodeValue(nodes.at(-1) ?? this.#source.reading.root(), path) : undefined
      this.#set(path, value)
      this.#source.edit(path, (text, root) => respell(text, root, path, node, before))
    })
  }

  /** Moves an entry of a list before the one at `to`. */
  move(list: FieldPath, entries: readonly JsonValue[], from: number, to: number): void {
    this.#atomically(list, () => {
      const moved = moveItem(this.#source.text, this.#source.reading.nodeFor(list), list, from, to)
      if (moved === undefined) this.#set(list, entries.toSpliced(from, 1).toSpliced(to, 0, entries[from] ?? null))
      else this.#source.replace(moved)
    })
  }

  setKeyComment(path: FieldPath, comment: string | undefined): void {
    this.#source.edit(path, (text, root) => withKeyComment(text, root, path, comment))
  }

  delete(path: FieldPath): void {
    this.#atomically(path, () => {
      if (this.#source.reading.nodesTo(path).length > path.length) this.#apply({ op: 'delete', path })
    })
  }

  #set(path: FieldPath, value: JsonValue): void {
    const nodes = this.#source.reading.nodesTo(path)
    const wanted = keepWire(path, value, this.#source.reading.head())
    const target = nodes.length > path.length ? nodes.at(-1) : undefined
    const changes = target === undefined ? [{ op: 'put', path, value: wanted } as const] : changesTo(target, wanted, path)
    for (const step of changes) this.#apply(step)
  }

  #apply(step: Change): void {
    const sequences = mayEmitList(step) ? this.#source.reading.sequences() : 'compact'
    this.#source.edit(step.path, (text, root) => {
      const make = this.#source.reading.isUnusual() ? changeOrRefuse : change
      return make(text, root, step, sequences)
    })
  }

  #atomically(path: FieldPath, act: () => void): void {
    this.#refuseUnsafe(path)
    const before = this.#source.text
    try {
      act()
    } catch (error) {
      this.#source.replace(before)
      throw error
    }
  }

  /** Maps in which a splice would not know its place; only the full parser lets them pass. */
  #refuseUnsafe(path: FieldPath): void {
    const root = this.#source.reading.nodeFor(path)
    const fault = this.#source.reading.isUnusual() ? unsafeFault(root, path, this.#source.duplicateKeys()) : undefined
    if (fault !== undefined) throw new EditError(fault)
  }
}

/** Whether the step may write a list, whose indentation the rest of the text decides. */
function mayEmitList(step: Change): boolean {
  return (
    step.path.some((part) => typeof part === 'number') || (step.op !== 'delete' && typeof step.value === 'object' && step.value !== null)
  )
}
