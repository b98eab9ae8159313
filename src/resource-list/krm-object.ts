import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, memberOf, newRecord } from '../json.ts'
import { type FileRef, FunctionError, type Position, type ResourceRef } from '../result.ts'
import { change, changeOrRefuse } from './change.ts'
import { type Change, changesTo } from './changes.ts'
import { aliasFault, EditError, type EditFault, unsafeFault } from './edit-fault.ts'
import { type Identity, identityOf } from './identity.ts'
import { moveItem } from './move.ts'
import { type Node, nodesAlong } from './node.ts'
import { AliasError, nodeValue } from './node-value.ts'
import { ObjectText, type Origin } from './object-text.ts'
import { respell } from './respell.ts'
import { keepWire, withoutWire } from './wire-annotations.ts'
import {
  type DuplicateKey,
  duplicateKeys,
  mergeAnchor,
  type WrittenAlias,
  type WrittenScalar,
  writtenAliases,
  writtenScalars,
} from './written.ts'

/**
 * One object of a list, kept as text. Reading is lazy: until more than its identity is asked for, only apiVersion, kind and
 * metadata are read. Writing splices the text: what is not changed keeps its bytes, comments, quotes and number spelling.
 */
export class KrmObject {
  readonly #source: ObjectText
  #identity: Identity | undefined
  /** Whoever asks once more will go on asking: then nodes are worth their price. */
  #asked = false

  constructor(source: ObjectText) {
    this.#source = source
  }

  /**
   * The object of a text that is one YAML document; `line` is where its first line stands in the file, from 1.
   *
   * @throws WireError  when the text is no YAML
   */
  static fromDocument(text: string, origin?: Origin): KrmObject {
    const object = new KrmObject(new ObjectText(text, 'document', origin))
    object.#source.head()
    return object
  }

  get apiVersion(): string | undefined {
    return (this.#source.glance() ?? this.#known()).apiVersion
  }

  get kind(): string | undefined {
    return (this.#source.glance() ?? this.#known()).kind
  }

  get name(): string | undefined {
    return this.#known().name
  }

  get namespace(): string | undefined {
    return this.#known().namespace
  }

  get labels(): ReadonlyMap<string, string> {
    return this.#known().labels
  }

  /** Without those of the wire: they are not in the object's file. */
  get annotations(): ReadonlyMap<string, string> {
    return this.#known().annotations
  }

  /** The file and the document in it, undefined where the orchestrator named none (kustomize). */
  get file(): FileRef | undefined {
    return this.#source.file ?? this.#known().file
  }

  /** The folder of the package on the orchestrator's disk, when it said so. */
  get packagePath(): string | undefined {
    return this.#known().packagePath
  }

  /** For results; parts that are missing are ''. */
  get ref(): ResourceRef {
    const { apiVersion = '', kind = '', name = '', namespace } = this.#known()
    return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
  }

  /** Whether an edit changed a byte. */
  get changed(): boolean {
    return this.#source.changed
  }

  /** The text as it stands now: of an item with its dash, of a document with its comments. */
  toText(): string {
    return this.#source.text
  }

  /**
   * Whether a key or value of the object, or the path of its file, may hold the word, which is quick to see: false is certain. Only
   * an escape, or a line break or doubled quote inside the word, could hide it.
   */
  mayHold(word: string): boolean {
    const { text, file } = this.#source
    return text.includes(word) || text.includes('\\') || file?.path.includes(word) === true || /['\s]/.test(word)
  }

  /**
   * The value at a path, undefined when there is none.
   *
   * @throws FunctionError  when the path leads through an alias or a merge key, or its value holds an alias
   */
  get(path: FieldPath): JsonValue | undefined {
    const read = (this.#asked ? undefined : this.#source.valueAtOnce(path)) ?? { value: this.#nodeValue(path) }
    this.#asked = true
    return read.value === undefined ? undefined : withoutWire(path, read.value)
  }

  /**
   * The values of some keys of the map at a path; the others are not read.
   *
   * @throws FunctionError  as `get`, for these keys
   */
  pick(path: FieldPath, keys: readonly string[]): JsonRecord {
    const read = this.#source.valueAtOnce(path, keys)
    const picked = newRecord()
    for (const key of keys) {
      const value = read === undefined ? this.#nodeValue([...path, key]) : memberOf(read.value, key)
      const own = value === undefined ? undefined : withoutWire([...path, key], value)
      if (own !== undefined) picked[key] = own
    }
    return picked
  }

  #nodeValue(path: FieldPath): JsonValue | undefined {
    return this.#refusingAliases(path, () => {
      const nodes = this.#nodes(path)
      return nodes.length > path.length ? nodeValue(nodes.at(-1) ?? this.#source.root(), path) : undefined
    })
  }

  /** The whole object, without the annotations of the wire. */
  toJson(): JsonRecord {
    const value = this.get([])
    return isRecord(value) ? value : {}
  }

  /**
   * Makes `value` of what is at the path; maps and lists on the way are made where they are missing. Only the lines that must
   * change do.
   *
   * @throws FunctionError  as `get`; when a key on the way stands twice or behind `? `; when the text or an alias would mean something else
   */
  set(path: FieldPath, value: JsonValue): void {
    this.#refuseUnsafe(path)
    this.#refusingAliases(path, () => {
      const nodes = this.#nodes(path)
      const wanted = keepWire(path, value, this.#source.head())
      const target = nodes.length > path.length ? nodes.at(-1) : undefined
      const changes = target === undefined ? [{ op: 'put', path, value: wanted } as const] : changesTo(target, wanted, path)
      for (const step of changes) this.#apply(step)
    })
  }

  /**
   * Makes what is at the path the same as what `source` has at `from`: as `set`, and new numbers are spelled as the source has them.
   *
   * @throws FunctionError  as `get` and `set`
   */
  copy(path: FieldPath, source: KrmObject, from: FieldPath = path): void {
    const value = source.get(from)
    const node = nodesAlong(source.#source.nodeFor(from), from)[from.length]
    if (value === undefined || node === undefined) return
    const before = this.get(path)
    this.set(path, value)
    this.#edit(path, (text, root) => respell(text, root, path, node, before))
  }

  /**
   * Moves an entry of a list before the one at `to`, its own comment lines with it.
   *
   * @throws FunctionError  as `get` and `set`
   */
  move(list: FieldPath, from: number, to: number): void {
    this.#refuseUnsafe(list)
    const entries = this.get(list)
    const entry = Array.isArray(entries) ? entries[from] : undefined
    if (!Array.isArray(entries) || entry === undefined || from === to) return
    const moved = moveItem(this.#source.text, this.#source.nodeFor(list), list, from, to)
    const others = entries.filter((_, index) => index !== from)
    if (moved === undefined) this.set(list, [...others.slice(0, to), entry, ...others.slice(to)])
    else this.#edit(list, () => moved)
  }

  /** Takes away what is at the path, with the comment lines of its own. Nothing there: nothing happens. */
  delete(path: FieldPath): void {
    this.#refuseUnsafe(path)
    this.#refusingAliases(path, () => {
      if (this.#nodes(path).length <= path.length) return
      this.#apply({ op: 'delete', path })
    })
  }

  /** Line and column in the object's file: of a scalar itself, of a map or list its key; of the nearest ancestor when there is nothing. */
  positionOf(path: FieldPath): Position {
    return this.#source.positionOf(path, 'value')
  }

  /** Line and column of the key that ends the path. */
  keyPositionOf(path: FieldPath): Position {
    return this.#source.positionOf(path, 'key')
  }

  /** Every scalar value below a path, in the order of the text. */
  scalars(path: FieldPath = []): readonly WrittenScalar[] {
    const nodes = nodesAlong(this.#source.root(), path)
    const node = nodes[path.length]
    return node === undefined ? [] : writtenScalars(node, path)
  }

  /** Keys that stand twice in one map, with the places of all of them. */
  duplicateKeys(): readonly DuplicateKey[] {
    const root = this.#source.root()
    return this.#source.isUnusual() ? duplicateKeys(root, (offset) => this.#source.positionAt(offset)) : []
  }

  /** Aliases and merge keys, none of which is ever expanded. */
  aliases(): readonly WrittenAlias[] {
    const root = this.#source.root()
    return this.#source.isUnusual() ? writtenAliases(root, (offset) => this.#source.positionAt(offset)) : []
  }

  /** Whether it is a map at all: a list may hold anything. Reads no more than the identity. */
  isMap(): boolean {
    return this.#source.glance() !== undefined || this.#source.head().type === 'map'
  }

  /** Reads all of the text. Throws WireError when it is no YAML. */
  readAll(): void {
    this.#source.root()
  }

  #known(): Identity {
    this.#identity ??= identityOf(this.#source.identityTexts())
    return this.#identity
  }

  /** The nodes along a path, read no further than needed. */
  #nodes(path: FieldPath): readonly Node[] {
    const root = this.#source.nodeFor(path)
    const nodes = nodesAlong(root, path)
    const last = nodes.at(-1) ?? root
    const anchor = nodes.length <= path.length ? mergeAnchor(last) : undefined
    if (anchor !== undefined) throw new AliasError(anchor, path.slice(0, nodes.length - 1))
    return nodes
  }

  #apply(step: Change): void {
    const sequences = mayEmitList(step) ? this.#source.sequences() : 'compact'
    const make = this.#source.isUnusual() ? changeOrRefuse : change
    this.#edit(step.path, (text, root) => make(text, root, step, sequences))
  }

  #edit(path: FieldPath, edit: (text: string, root: Node) => string): void {
    this.#source.edit(path, edit)
    this.#identity = undefined
    this.#asked = false
  }

  #refusingAliases<T>(path: FieldPath, act: () => T): T {
    const before = this.#source.text
    try {
      return act()
    } catch (error) {
      if (this.#source.text !== before) this.#edit([], () => before)
      if (error instanceof EditError) throw this.#refusal(error.fault)
      if (error instanceof AliasError) throw this.#refusal(aliasFault(error, path))
      throw error
    }
  }

  /** Maps in which a splice would not know its place; only the full parser lets them pass. */
  #refuseUnsafe(path: FieldPath): void {
    const root = this.#source.nodeFor(path)
    const fault = this.#source.isUnusual() ? unsafeFault(root, path, this.duplicateKeys()) : undefined
    if (fault !== undefined) throw this.#refusal(fault)
  }

  #refusal({ rule, path, message }: EditFault): FunctionError {
    const { file, ref: resourceRef } = this
    const position = this.positionOf(path)
    return new FunctionError([
      { severity: 'error', message, resourceRef, field: { path }, ...(file && { file }), position, tags: { rule } },
    ])
  }
}

/** Whether the step may write a list, whose indentation the rest of the text decides. */
function mayEmitList(step: Change): boolean {
  return (
    step.path.some((part) => typeof part === 'number') || (step.op !== 'delete' && typeof step.value === 'object' && step.value !== null)
  )
}
