import type { FieldPath } from '../field-path.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, memberOf, newRecord } from '../json.ts'
import { noteSecret } from '../known-secrets.ts'
import type { FileRef, ResourceRef } from '../result.ts'
import { YamlDocument } from '../yaml/document.ts'
import { EditError } from '../yaml/edit/edit-fault.ts'
import { withKey, withKeyComment } from '../yaml/edit/rename-key.ts'
import { copied } from '../yaml/emit/content.ts'
import { isTextMap, TEXTS, type Texts } from '../yaml/read/builder.ts'
import type { ObjectFrame } from '../yaml/read/fast-reader.ts'
import type { KeySelection } from '../yaml/read/key-selection.ts'
import { countLines } from '../yaml/read/lines.ts'
import { type DocumentOrigin, FilePositions, type Siblings } from './file-positions.ts'
import { HEAD, IDENTITY, type Identity, identityOf } from './identity.ts'
import { ObjectText } from './object-text.ts'
import { findNotPlain, notPlainFault } from './plain-value.ts'
import { refusalOf, refuseFieldsAsMembers, requirePath } from './refusal.ts'
import type { UsualStart } from './text-caches.ts'
import { holdsWire, keepWire, placeKeys, withoutWire } from './wire-annotations.ts'

/**
 * One object of a list, kept as text. Reading is lazy: only apiVersion, kind and metadata are read until more than the identity is
 * asked for. Writing changes parts of the text: everything else keeps its bytes, comments, quotes and number spelling. Functions of
 * others see the members that sdk/objects.ts has.
 */
export class KrmObject extends ObjectText {
  #identity: Identity | undefined
  /** apiVersion and kind of a text that begins as kpt writes every item; 'unusual' for a text that must be parsed for them. */
  #start: UsualStart | 'unusual' | undefined

  static {
    refuseFieldsAsMembers(KrmObject.prototype)
  }

  constructor(document: YamlDocument, positions: FilePositions) {
    super(document, positions)
    noteSecret(this, document.textAnyway)
  }

  /** Returns the object of a text that is read on demand. */
  static of(text: string, frame: ObjectFrame, origin?: DocumentOrigin): KrmObject {
    const positions = new FilePositions(frame, { origin })
    return new KrmObject(new YamlDocument(text, positions), positions)
  }

  /** Returns an object that a function adds to a list whose new objects share their positions. */
  static madeIn(text: string, positions: FilePositions): KrmObject {
    return new KrmObject(new YamlDocument(text, positions), positions)
  }

  /** Returns an object that a function adds. */
  static made(text: string, frame: ObjectFrame, origin?: DocumentOrigin): KrmObject {
    const positions = new FilePositions(frame, { origin, isMade: true })
    return new KrmObject(new YamlDocument(text, positions), positions)
  }

  /**
   * Returns the object of a text that is one YAML document. `origin` names the file, the index of the document, and the line of the
   * file on which the document begins, from 1.
   *
   * @throws WireError  when the text is not YAML
   */
  static fromDocument(text: string, origin?: DocumentOrigin): KrmObject {
    const object = KrmObject.of(text, 'document', origin)
    object.document.reading.head()
    return object
  }

  /** Returns the object as `fromDocument` does, but reads the whole text, so that every YAML fault throws here. */
  static ofWholeDocument(text: string, origin: DocumentOrigin): KrmObject {
    const object = KrmObject.of(text, 'document', origin)
    object.document.check()
    if (!object.document.reading.isUnusual()) object.document.forget()
    return object
  }

  /** Makes the object a member of a list. */
  join(siblings: Siblings): void {
    this.positions = this.positions.among(siblings)
    this.document.owner = this.positions
    if (!this.document.isUnread) siblings.recent.keep(this.document, this.document.textAnyway.length)
  }

  get apiVersion(): string | undefined {
    return (this.#usualStart() ?? this.#known()).apiVersion
  }

  get kind(): string | undefined {
    return (this.#usualStart() ?? this.#known()).kind
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

  /** Paths of labels and annotations without a value, such as `env:` or `env: null`: these count as absent. */
  get blanks(): readonly FieldPath[] {
    return this.#known().blanks
  }

  /** The file, and the index of the document in the file; undefined when the orchestrator named no file (kustomize). */
  override get file(): FileRef | undefined {
    return this.positions.file ?? this.#known().wire.file
  }

  /** The folder of the package on the orchestrator's disk, undefined when the orchestrator named none. */
  get packagePath(): string | undefined {
    return this.#known().wire.packagePath
  }

  /** The number of lines that the object has in its file, without edits that cannot be written. */
  get linesInFile(): number {
    const text = this.document.textAnyway
    return countLines(text) + (text.endsWith('\n') ? 0 : 1) - this.#known().wire.lineCount
  }

  /** The reference to the object for results. Missing parts are ''. */
  override get ref(): ResourceRef {
    const { apiVersion = '', kind = '', name = '', namespace } = this.#known()
    return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }
  }

  /** True if an edit changed a byte, and for an object that a function added. Throws as `settle`. */
  get changed(): boolean {
    this.settle()
    return this.positions.isMade || this.document.isEdited
  }

  /**
   * Writes the pending edits into the text. `toText` and `changed` do so too.
   *
   * @throws FunctionError  when the edits would change the meaning of other text or of an alias: then no edit is made
   */
  override settle(): void {
    if (!this.document.isEdited) return
    try {
      this.document.settle()
    } catch (error) {
      throw refusalOf(error, [], this)
    }
  }

  /** Returns a copy to edit, with the same text and place. */
  draft(): KrmObject {
    this.settle()
    return this.#copyAt(this.positions.ofCopy(this.document))
  }

  /** Returns a copy to edit of a document that is not edited, in a file of another path. All copies share what is read of the document. */
  copyIn(path: string): KrmObject {
    this.#known()
    // A document that was read is no longer cached: from here on it is.
    void this.document.reading
    return this.#copyAt(this.positions.inFile(path))
  }

  #copyAt(positions: FilePositions): KrmObject {
    const copy = new KrmObject(this.document.copy(positions), positions)
    copy.#identity = this.#identity
    return copy
  }

  /** Replaces the text, usually by the text of a draft of this object. */
  takeText(text: string): void {
    this.#identity = undefined
    this.#start = undefined
    this.document.replace(text)
  }

  /**
   * Writes a comment after the last key of a path when its value is on the lines below. An earlier comment there moves to a line above
   * the key.
   *
   * @param comment  with its `#`; undefined removes the comment after the key
   */
  setKeyComment(path: FieldPath, comment: string | undefined): void {
    this.takeText(withKeyComment(this.toText(), this.document.reading.nodeFor(path), path, comment))
  }

  /**
   * Renames the last key of a path and keeps everything else. Returns false and changes nothing when the key is missing or occurs
   * twice, or when the new key exists already. Throws as `get`.
   */
  renameKey(path: FieldPath, key: string): boolean {
    const renamed = withKey(this.toText(), this.document.reading.nodeFor(path.slice(0, -1)), path, key)
    if (renamed !== undefined) this.takeText(renamed)
    return renamed !== undefined
  }

  /** Replaces the annotations that say where the item is by those that `newWireAnnotations` returns. */
  setPlace(wire: JsonRecord): void {
    const annotations = ['metadata', 'annotations']
    this.#edit(annotations, (document) => {
      const others = placeKeys(document.reading.head()).filter((key) => !Object.hasOwn(wire, key))
      for (const [key, value] of Object.entries(wire)) document.set([...annotations, key], value)
      for (const key of others) document.delete([...annotations, key])
    })
  }

  /**
   * Returns the value at a path, undefined when there is none.
   *
   * @throws FunctionError  when the path leads through an alias or a merge key with an unknown value, or its value contains one
   */
  get(path: FieldPath): JsonValue | undefined {
    requirePath(path, this)
    try {
      const value = this.document.valueAt(path)
      return value === undefined ? undefined : withoutWire(path, value)
    } catch (error) {
      throw refusalOf(error, path, this)
    }
  }

  /**
   * Returns the values of some keys of some maps, as one record for each map. The other keys are not read, except in a flow map, and
   * nothing read is kept in memory.
   *
   * @throws FunctionError  as `get`, for these keys
   */
  pick({ parts, wanted }: KeySelection): readonly JsonRecord[] {
    const object = this.document.pick(wanted)
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
    return asRecord(this.get([]))
  }

  /**
   * Writes `value` at the path. Missing maps and lists on the way are created. Only the lines that must change do.
   *
   * @throws FunctionError  as `get`; when a key on the way or below occurs twice or uses `? `; when the value is not plain JSON
   */
  set(path: FieldPath, value: JsonValue): void {
    this.#edit(path, (document) => {
      const notPlain = findNotPlain(value)
      if (notPlain !== undefined) throw new EditError(notPlainFault(path, notPlain))
      document.set(path, holdsWire(path) ? keepWire(path, value, document.reading.head()) : value)
    })
  }

  /**
   * Copies the value that `source` has at `from` to the path, as `set` does; new text keeps the spelling of the source. Does nothing
   * when the source has no value there.
   *
   * @throws FunctionError  as `get` and `set`
   */
  copy(path: FieldPath, source: KrmObject, from: FieldPath = path): void {
    const value = source.get(from)
    const node = value === undefined || holdsWire(path) || holdsWire(from) ? undefined : source.nodeAt(from)
    if (node !== undefined) this.#edit(path, (document) => document.set(path, copied(node)))
    else if (value !== undefined) this.set(path, value)
  }

  /**
   * Moves the entry at `from` of a list to the position `to`, together with its comment lines.
   *
   * @throws FunctionError  as `get` and `set`
   */
  move(list: FieldPath, from: number, to: number): void {
    this.#edit(list, (document) => document.move(list, from, to))
  }

  /**
   * Removes the value at the path, with its key or dash and its own comment lines. Does nothing when there is no value.
   *
   * @throws FunctionError  as `set`
   */
  delete(path: FieldPath): void {
    this.#edit(path, (document) => document.delete(path))
  }

  /** @throws FunctionError  instead of an EditError or AliasError */
  #edit(path: FieldPath, edit: (document: YamlDocument) => void): void {
    requirePath(path, this)
    try {
      edit(this.document)
    } catch (error) {
      throw refusalOf(error, path, this)
    }
    const [key] = path
    if (typeof key === 'string' && !HEAD.has(key)) return
    this.#identity = undefined
    this.#start = undefined
  }

  /** Returns true if the object is a map: an item of a list may be any value. Reads no more than the identity. */
  isMap(): boolean {
    if (this.#usualStart() !== undefined || this.#identity?.kind !== undefined) return true
    const texts = this.#identityTexts()
    // Nothing is cached for items without a kind, of which a list may have a million.
    if (isTextMap(texts) && texts.has('kind')) this.#identity ??= identityOf(texts)
    return isTextMap(texts)
  }

  /** Returns apiVersion and kind if the text begins as kpt writes every item; undefined if the text must be parsed for them. */
  #usualStart(): UsualStart | undefined {
    this.#start ??= this.positions.starts?.of(this.document.textAnyway) ?? 'unusual'
    return this.#start === 'unusual' ? undefined : this.#start
  }

  #known(): Identity {
    this.#identity ??= identityOf(this.#identityTexts())
    return this.#identity
  }

  /** Returns the texts of the fields that make up an identity. */
  #identityTexts(): Texts {
    return this.document.readOnce(TEXTS, IDENTITY) ?? this.document.reading.texts(IDENTITY)
  }
}

/** Returns a function that gives the objects the texts back that they have now. */
export function textKeeper(objects: readonly KrmObject[]): () => void {
  const texts = objects.map((object) => object.toText())
  return () => {
    for (const [at, object] of objects.entries()) if (object.mayBeEdited) object.takeText(texts[at] ?? '')
  }
}
