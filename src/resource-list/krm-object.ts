import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, memberOf, newRecord } from '../json.ts'
import type { FileRef, Position, ResourceRef } from '../result.ts'
import { EditError } from '../yaml/edit/edit-fault.ts'
import { copied } from '../yaml/emit/content.ts'
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
 * One object of a list, kept as text. Reading is lazy: only apiVersion, kind and metadata are read until more than the identity is
 * asked for. Writing changes parts of the text: everything else keeps its bytes, comments, quotes and number spelling.
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
   * Returns the object of a text that is one YAML document. `origin` names the file, the index of the document, and the line of the
   * file on which the document begins, from 1.
   *
   * @throws WireError  when the text is not YAML
   */
  static fromDocument(text: string, origin?: DocumentOrigin): KrmObject {
    const object = new KrmObject(new ObjectText(text, 'document', { origin }))
    object.#source.headNode()
    return object
  }

  /** Returns the object as `fromDocument` does, but reads the whole text, so that every YAML fault throws here. @internal */
  static ofWholeDocument(text: string, origin: DocumentOrigin): KrmObject {
    const source = new ObjectText(text, 'document', { origin })
    source.check()
    return new KrmObject(source)
  }

  /** Makes the object a member of a list. @internal */
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

  /** The annotations in the object's file, without those of the wire. */
  get annotations(): ReadonlyMap<string, string> {
    return this.#known().annotations
  }

  /** Paths of labels and annotations without a value, such as `env:` or `env: null`: these count as absent. @internal */
  get blanks(): readonly FieldPath[] {
    return this.#known().blanks
  }

  /** The file, and the index of the document in the file; undefined when the orchestrator named no file (kustomize). */
  get file(): FileRef | undefined {
    return this.#source.file ?? this.#known().wire.file
  }

  /** True if the text is a document of a file; false for an item of a list, which has the annotations of the wire. @internal */
  get isDocument(): boolean {
    return this.#source.frame === 'document'
  }

  /** The folder of the package on the orchestrator's disk, undefined when the orchestrator named none. */
  get packagePath(): string | undefined {
    return this.#known().wire.packagePath
  }

  /** The number of lines that the object has in its file. @internal */
  get linesInFile(): number {
    return this.#source.lineCount - this.#known().wire.lineCount
  }

  /** The reference to the object for results. Missing parts are ''. */
  get ref(): ResourceRef {
    const { apiVersion = '', kind = '', name = '', namespace } = this.#known()
    return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
  }

  /** True if an edit changed a byte. Throws as `settle`. */
  get changed(): boolean {
    return this.mayBeEdited ? this.#refusing([], () => this.#source.changed) : this.#source.isMade
  }

  /** Returns the current text: of an item with its dash, of a document with its comments. Throws as `settle`. */
  toText(): string {
    return this.#source.untouched ?? this.#refusing([], () => this.#source.text)
  }

  /**
   * Writes the pending edits into the text. `toText` and `changed` do so too.
   *
   * @throws FunctionError  when the edits would change the meaning of other text or of an alias: then no edit is made
   * @internal
   */
  settle(): void {
    if (this.mayBeEdited) this.#refusing([], () => this.#source.settle())
  }

  /** False if the object was certainly not edited, as nearly all objects of a large list. @internal */
  get mayBeEdited(): boolean {
    return this.#source.untouched === undefined
  }

  /** Returns a copy to edit, with the same text and place. @internal */
  draft(): KrmObject {
    return this.#refusing([], () => new KrmObject(this.#source.copy()))
  }

  /** Replaces the text, usually by the text of a draft of this object. @internal */
  takeText(text: string): void {
    this.#edit([], () => this.#source.replace(text))
  }

  /** Returns the text and its root node, with the annotations of the wire. Throws WireError when the text is not YAML. @internal */
  written(): { readonly text: string; readonly node: Node } {
    return this.#refusing([], () => ({ text: this.#source.text, node: this.#source.rootNode() }))
  }

  /**
   * Returns the comment after the last key of a path when its value is on the lines below: `spec: # note` → '# note'; undefined when
   * there is no comment.
   *
   * @internal
   */
  keyComment(path: FieldPath): string | undefined {
    return this.#refusing(path, () => this.#source.keyComment(path))
  }

  /**
   * Writes a comment after the last key of a path when its value is on the lines below. An earlier comment there moves to a line above
   * the key.
   *
   * @param comment  with its `#`; undefined removes the comment after the key
   * @internal
   */
  setKeyComment(path: FieldPath, comment: string | undefined): void {
    this.#edit(path, () => this.#source.setKeyComment(path, comment))
  }

  /**
   * Renames the last key of a path and keeps everything else. Returns false and changes nothing when the key is missing or occurs
   * twice, or when the new key exists already. Throws as `get`.
   *
   * @internal
   */
  renameKey(path: FieldPath, key: string): boolean {
    this.#identity = undefined
    return this.#refusing(path, () => this.#source.renameKey(path, key))
  }

  /** Replaces the annotations that say where the item is by those that `newWireAnnotations` returns. @internal */
  setPlace(wire: JsonRecord): void {
    this.#edit(['metadata', 'annotations'], () => this.#source.setPlace(wire))
  }

  /**
   * Returns false if certainly no key or value of the object, nor the path of its file, contains the word. Searches the text without
   * parsing it. Returns true if an escape, or a line break or doubled quote inside the word, could hide the word.
   *
   * @internal
   */
  mayHold(word: string): boolean {
    const text = this.toText()
    const { file } = this.#source
    return text.includes(word) || text.includes('\\') || file?.path.includes(word) === true || /['\s]/.test(word)
  }

  /**
   * Returns the value at a path, undefined when there is none.
   *
   * @throws FunctionError  when the path leads through an alias or a merge key with an unknown value, or its value contains one
   */
  get(path: FieldPath): JsonValue | undefined {
    const value = this.#refusing(path, () => this.#source.valueAt(path))
    return value === undefined ? undefined : withoutWire(path, value)
  }

  /**
   * Returns the values of some keys of some maps, as one record for each map. The other keys are not read, except in a flow map, and
   * nothing read is kept in memory.
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

  /** Returns the whole object, without the annotations of the wire; {} when the object is not a map. Throws as `get`. */
  toJson(): JsonRecord {
    const value = this.get([])
    return isRecord(value) ? value : {}
  }

  /**
   * Writes `value` at the path. Missing maps and lists on the way are created. Only the lines that must change do.
   *
   * @throws FunctionError  as `get`; when a key on the way or below occurs twice or uses `? `; when the value is not plain JSON
   */
  set(path: FieldPath, value: JsonValue): void {
    this.#edit(path, () => {
      const notPlain = findNotPlain(value)
      if (notPlain !== undefined) throw new EditError(notPlainFault(path, notPlain))
      this.#source.set(path, keepWire(path, value, this.#source))
    })
  }

  /**
   * Copies the value that `source` has at `from` to the path, as `set` does; new text keeps the spelling of the source. Does nothing
   * when the source has no value there.
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
   * Moves the entry at `from` of a list to the position `to`, together with its comment lines.
   *
   * @throws FunctionError  as `get` and `set`
   * @internal
   */
  move(list: FieldPath, from: number, to: number): void {
    this.#edit(list, () => this.#source.move(list, from, to))
  }

  /**
   * Removes the value at the path, with its key or dash and its own comment lines. Does nothing when there is no value.
   *
   * @throws FunctionError  as `set`
   */
  delete(path: FieldPath): void {
    this.#edit(path, () => this.#source.delete(path))
  }

  /**
   * Returns line and column in the object's file: of a scalar itself, of a map or list its key. When there is no value at the path,
   * returns the position of the nearest existing ancestor.
   */
  positionOf(path: FieldPath): Position {
    return this.#source.positionOf(path, 'value')
  }

  /** Returns line and column of the last key of the path. */
  keyPositionOf(path: FieldPath): Position {
    return this.#source.positionOf(path, 'key')
  }

  /** Returns all scalar values below a path, in the order of the text. @internal */
  scalars(path: FieldPath = []): readonly WrittenScalar[] {
    const node = nodesAlong(this.#source.rootNode(), path)[path.length]
    return node === undefined ? [] : writtenScalars(node, path)
  }

  /** Returns the keys that occur twice in one map, each with all its positions. @internal */
  duplicateKeys(): readonly DuplicateKey[] {
    return this.#source.duplicateKeys()
  }

  /** Returns all aliases and merge keys. An edit expands a merge key only to remove one of its entries. @internal */
  aliases(): readonly WrittenAlias[] {
    return this.#source.aliases()
  }

  /** Returns true if the object is a map: an item of a list may be any value. Reads no more than the identity. @internal */
  isMap(): boolean {
    if (this.#source.glance() !== undefined) return true
    const texts = this.#source.identityTexts()
    // Nothing is cached for items without a kind, of which a list may have a million.
    if (isTextMap(texts) && texts.has('kind')) this.#identity ??= identityOf(texts)
    return isTextMap(texts)
  }

  /** Reads all of the text. Throws WireError when the text is not YAML. @internal */
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

  /** @throws FunctionError  instead of an EditError or AliasError */
  #refusing<T>(path: FieldPath, act: () => T): T {
    try {
      return act()
    } catch (error) {
      throw refusalOf(error, path, this)
    }
  }
}
