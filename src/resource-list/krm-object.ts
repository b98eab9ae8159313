import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, memberOf, newRecord } from '../json.ts'
import type { FileRef, Position, ResourceRef } from '../result.ts'
import { EditError } from '../yaml/edit/edit-fault.ts'
import { copied } from '../yaml/emit/copied.ts'
import { isTextMap } from '../yaml/read/builder.ts'
import { type Node, nodesAlong } from '../yaml/read/node.ts'
import type { KeySelection } from '../yaml/read/wanted.ts'
import { type DuplicateKey, type WrittenAlias, type WrittenScalar, writtenScalars } from '../yaml/read/written.ts'
import { HEAD, type Identity, identityOf } from './identity.ts'
import { type DocumentOrigin, ObjectText, type Siblings } from './object-text.ts'
import { findNotPlain, notPlainFault } from './plain-value.ts'
import { refusalOf } from './refusal.ts'
import { holdsWire, keepWire, withoutWire } from './wire-annotations.ts'

/**
 * One object of a list, kept as text. Reading is lazy: until more than its identity is asked for, only apiVersion, kind and
 * metadata are read. Writing splices the text: what is not changed keeps its bytes, comments, quotes and number spelling.
 *
 * @example
 * ```ts
 * import { KrmObject } from 'krm-variants/sdk'
 *
 * const object = KrmObject.fromDocument('kind: Deployment\nspec:\n  replicas: 1 # grows at night\n')
 * object.set(['spec', 'replicas'], 3)
 * console.log(object.get(['spec', 'replicas'])) // 3
 * console.log(object.toText().includes('replicas: 3 # grows at night')) // true
 * console.log(object.positionOf(['spec', 'replicas']).line) // 3
 * ```
 */
export class KrmObject {
  readonly #source: ObjectText
  #identity: Identity | undefined

  /** @internal */
  constructor(source: ObjectText) {
    this.#source = source
  }

  /**
   * The object of a text that is one YAML document; `line` is where its first line stands in the file, from 1.
   *
   * @throws WireError  when the text is no YAML
   */
  static fromDocument(text: string, origin?: DocumentOrigin): KrmObject {
    const object = new KrmObject(new ObjectText(text, 'document', { origin }))
    object.#source.headNode()
    return object
  }

  /** The same, read to its end: whatever is no YAML is found here. @internal */
  static ofWholeDocument(text: string, origin: DocumentOrigin): KrmObject {
    const source = new ObjectText(text, 'document', { origin })
    source.check()
    return new KrmObject(source)
  }

  /** Makes it one of the objects of a list. @internal */
  join(siblings: Siblings): void {
    this.#source.siblings = siblings
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

  /** Where a label or annotation has no value, as `env:` or `env: null`: it counts as absent. @internal */
  get blanks(): readonly FieldPath[] {
    return this.#known().blanks
  }

  /** The file and the document in it, undefined where the orchestrator named none (kustomize). */
  get file(): FileRef | undefined {
    return this.#source.file ?? this.#known().wire.file
  }

  /** Whether its text is that of a document in a file, and not of an item of a list with the annotations of the wire. @internal */
  get isDocument(): boolean {
    return this.#source.frame === 'document'
  }

  /** The folder of the package on the orchestrator's disk, when it said so. */
  get packagePath(): string | undefined {
    return this.#known().wire.packagePath
  }

  /** How many lines of its file it takes. @internal */
  get linesInFile(): number {
    return this.#source.lineCount - this.#known().wire.lineCount
  }

  /** For results; parts that are missing are ''. */
  get ref(): ResourceRef {
    const { apiVersion = '', kind = '', name = '', namespace } = this.#known()
    return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
  }

  /** Whether an edit changed a byte. Throws as `settle`. */
  get changed(): boolean {
    return this.mayBeEdited ? this.#refusing([], () => this.#source.changed) : this.#source.isMade
  }

  /** The text as it stands now: of an item with its dash, of a document with its comments. Throws as `settle`. */
  toText(): string {
    return this.#source.untouched ?? this.#refusing([], () => this.#source.text)
  }

  /**
   * Writes the edits that were collected; whoever asks for the text does it too.
   *
   * @throws FunctionError  when they would make the text or an alias mean something else than what was asked for: then none is made
   * @internal
   */
  settle(): void {
    if (this.mayBeEdited) this.#refusing([], () => this.#source.settle())
  }

  /** Whether somebody may have edited it: nearly all objects of a large list were looked at in passing. @internal */
  get mayBeEdited(): boolean {
    return this.#source.untouched === undefined
  }

  /** A copy to be edited: the same text at the same place. @internal */
  draft(): KrmObject {
    return this.#refusing([], () => new KrmObject(this.#source.copy()))
  }

  /** Takes another text: that of a draft of it. @internal */
  takeText(text: string): void {
    this.#edit([], () => this.#source.replace(text))
  }

  /** Its text with what the reader makes of it, wire annotations and all. Throws WireError when it is no YAML. @internal */
  written(): { readonly text: string; readonly node: Node } {
    return this.#refusing([], () => ({ text: this.#source.text, node: this.#source.rootNode() }))
  }

  /** The comment behind the key that ends a path, where its value stands below; undefined when there is none. @internal */
  keyComment(path: FieldPath): string | undefined {
    return this.#refusing(path, () => this.#source.keyComment(path))
  }

  /**
   * Puts a comment behind the key that ends a path, where its value stands below; one that was there goes to a line above the key.
   *
   * @param comment  with its `#`; undefined takes the one that is there away
   * @internal
   */
  setKeyComment(path: FieldPath, comment: string | undefined): void {
    this.#edit(path, () => this.#source.setKeyComment(path, comment))
  }

  /**
   * Puts another key in the place of the one that ends a path, and keeps all else. False, and nothing is done, where that key is not there
   * or stands twice, or the new one is there already; throws as `get`.
   *
   * @internal
   */
  renameKey(path: FieldPath, key: string): boolean {
    this.#identity = undefined
    return this.#refusing(path, () => this.#source.renameKey(path, key))
  }

  /** Says where an item is from now on: annotations of the wire, as `newWireAnnotations` gives them. @internal */
  setPlace(wire: JsonRecord): void {
    this.#edit(['metadata', 'annotations'], () => this.#source.setPlace(wire))
  }

  /**
   * Whether a key or value of the object, or the path of its file, may hold the word, which is quick to see: false is certain. Only
   * an escape, or a line break or doubled quote inside the word, could hide it.
   *
   * @internal
   */
  mayHold(word: string): boolean {
    const text = this.toText()
    const { file } = this.#source
    return text.includes(word) || text.includes('\\') || file?.path.includes(word) === true || /['\s]/.test(word)
  }

  /**
   * The value at a path, undefined when there is none.
   *
   * @throws FunctionError  when the path leads through an alias or a merge key, or its value holds an alias
   */
  get(path: FieldPath): JsonValue | undefined {
    const value = this.#refusing(path, () => this.#source.valueAt(path))
    return value === undefined ? undefined : withoutWire(path, value)
  }

  /**
   * The values of some keys of some maps, a record for each map. The others are not read, unless the map stands in braces, and nothing of
   * it is kept.
   *
   * @throws FunctionError  as `get`, for these keys
   * @internal
   */
  pick({ parts, wanted }: KeySelection): readonly JsonRecord[] {
    const object = this.#source.pick(wanted)
    return parts.map(({ path, keys }) => {
      if (object === undefined) return this.#values(path, keys)
      const map = path.reduce<JsonValue | undefined>(memberOf, object)
      return isRecord(map) ? map : newRecord()
    })
  }

  #values(path: FieldPath, keys: readonly string[]): JsonRecord {
    const values = newRecord()
    for (const key of keys) {
      const value = this.get([...path, key])
      if (value !== undefined) values[key] = value
    }
    return values
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
   * @throws FunctionError  as `get`; when a key on the way or below stands twice or behind `? `; when the value is no plain JSON
   */
  set(path: FieldPath, value: JsonValue): void {
    this.#edit(path, () => {
      const notPlain = findNotPlain(value)
      if (notPlain !== undefined) throw new EditError(notPlainFault(path, notPlain))
      this.#source.set(path, keepWire(path, value, this.#source))
    })
  }

  /**
   * Makes what is at the path the same as what `source` has at `from`: as `set`, and what is new is spelled as it is there.
   *
   * @throws FunctionError  as `get` and `set`
   * @internal
   */
  copy(path: FieldPath, source: KrmObject, from: FieldPath = path): void {
    const value = source.get(from)
    const node = value === undefined || holdsWire(path) || holdsWire(from) ? undefined : source.#source.nodeAt(from)
    if (node !== undefined) this.#edit(path, () => this.#source.set(path, copied(node)))
    else if (value !== undefined) this.set(path, value)
  }

  /**
   * Moves an entry of a list before the one at `to`, its own comment lines with it.
   *
   * @throws FunctionError  as `get` and `set`
   * @internal
   */
  move(list: FieldPath, from: number, to: number): void {
    this.#edit(list, () => this.#source.move(list, from, to))
  }

  /**
   * Takes away what is at the path, with the comment lines of its own. Nothing there: nothing happens.
   *
   * @throws FunctionError  as `set`
   */
  delete(path: FieldPath): void {
    this.#edit(path, () => this.#source.delete(path))
  }

  /** Line and column in the object's file: of a scalar itself, of a map or list its key; of the nearest ancestor when there is nothing. */
  positionOf(path: FieldPath): Position {
    return this.#source.positionOf(path, 'value')
  }

  /** Line and column of the key that ends the path. */
  keyPositionOf(path: FieldPath): Position {
    return this.#source.positionOf(path, 'key')
  }

  /** Every scalar value below a path, in the order of the text. @internal */
  scalars(path: FieldPath = []): readonly WrittenScalar[] {
    const node = nodesAlong(this.#source.rootNode(), path)[path.length]
    return node === undefined ? [] : writtenScalars(node, path)
  }

  /** Keys that stand twice in one map, with the places of all of them. @internal */
  duplicateKeys(): readonly DuplicateKey[] {
    return this.#source.duplicateKeys()
  }

  /** Aliases and merge keys, none of which is ever expanded. @internal */
  aliases(): readonly WrittenAlias[] {
    return this.#source.aliases()
  }

  /** Whether it is a map at all: a list may hold anything. Reads no more than the identity. @internal */
  isMap(): boolean {
    if (this.#source.glance() !== undefined) return true
    const texts = this.#source.identityTexts()
    // Of what is no object, of which a list may hold a million, nothing is kept.
    if (isTextMap(texts) && texts.has('kind')) this.#identity ??= identityOf(texts)
    return isTextMap(texts)
  }

  /** Reads all of the text. Throws WireError when it is no YAML. @internal */
  readAll(): void {
    this.#source.readAll()
  }

  #known(): Identity {
    this.#identity ??= identityOf(this.#source.identityTexts())
    return this.#identity
  }

  #edit(path: FieldPath, edit: () => void): void {
    this.#refusing(path, edit)
    const [key] = path
    if (typeof key !== 'string' || HEAD.has(key)) this.#identity = undefined
  }

  /** @throws FunctionError  in the place of a fault of the edits */
  #refusing<T>(path: FieldPath, act: () => T): T {
    try {
      return act()
    } catch (error) {
      throw refusalOf(error, path, this)
    }
  }
}
