import type { FieldPath } from '../field-path.ts'
import { type JsonRecord, type JsonValue, memberOf } from '../json.ts'
import type { FileRef, Position } from '../result.ts'
import { keyComment, withKey, withKeyComment } from '../yaml/edit/rename-key.ts'
import type { EmittedValue } from '../yaml/emit/content.ts'
import { type Builder, TEXTS, type Texts, VALUES } from '../yaml/read/builder.ts'
import { type ObjectFrame, readFast } from '../yaml/read/fast-reader.ts'
import { countLines, positionAt } from '../yaml/read/lines.ts'
import { type Node, nodesAlong } from '../yaml/read/node.ts'
import { isOfPlainMaps } from '../yaml/read/plain-maps.ts'
import type { TextReading } from '../yaml/read/text-reading.ts'
import type { Wanted } from '../yaml/read/wanted.ts'
import { type DuplicateKey, duplicateKeys, type WrittenAlias, writtenAliases } from '../yaml/read/written.ts'
import { YamlError } from '../yaml/read/yaml-reader.ts'
import { type TextSurroundings, YamlText } from '../yaml/yaml-text.ts'
import { hiddenIn } from './hidden-lines.ts'
import { HEAD, IDENTITY, IDENTITY_KEYS } from './identity.ts'
import { type FullReads, LEAST_KEPT, type RecentTexts, type UsualStart, type UsualStarts } from './text-caches.ts'
import { placeKeys, seqindent } from './wire-annotations.ts'
import { WireError } from './wire-error.ts'

/** The file of a document, its index in the file, and the line of the file on which the document begins, from 1. */
export type DocumentOrigin = FileRef & { readonly line: number }

/** Data that the texts of a list share: caches and limits, and the lines before each text. */
export interface Siblings {
  readonly recent: RecentTexts
  readonly starts: UsualStarts
  readonly fullReads: FullReads
  /** Returns the number of lines before the text in its file. */
  linesBefore(text: ObjectText): number
  /** Returns the number of lines before the text in the list. */
  linesAbove(text: ObjectText): number
}

/** The text of one object, with its place in its file. */
export class ObjectText implements TextSurroundings {
  readonly frame: ObjectFrame
  readonly #origin: DocumentOrigin | undefined
  readonly #given: string
  /** True if a function added the object; false if the text was read. */
  readonly isMade: boolean
  /** The parsed text, created when more than the first lines or the identity is asked for. */
  #open: YamlText | undefined
  #siblings: Siblings | undefined
  #glance: UsualStart | 'unusual' | undefined
  /** True if the quick reader read the identity, which excludes repeated keys in it. */
  #hasUsualHead = false

  constructor(
    text: string,
    frame: ObjectFrame,
    { origin, isMade = false }: { readonly origin?: DocumentOrigin | undefined; readonly isMade?: boolean } = {},
  ) {
    this.frame = frame
    this.#origin = origin
    this.#given = text
    this.isMade = isMade
  }

  /** Returns the text of an object that a function adds. */
  static made(text: string, frame: ObjectFrame, origin?: DocumentOrigin): ObjectText {
    return new ObjectText(text, frame, { origin, isMade: true })
  }

  /** One constant for all objects, because a list may have a million. */
  get head(): Wanted {
    return HEAD
  }

  get #yaml(): YamlText {
    this.#open ??= new YamlText(this.#given, this)
    return this.#open
  }

  /** Returns an independent copy with the same place. Throws EditError when the pending edits cannot be written. */
  copy(): ObjectText {
    const copy = new ObjectText(this.text, this.frame, { origin: this.#origin })
    copy.#open = this.#open?.copy(copy)
    const siblings = this.#siblings
    copy.#siblings = siblings && {
      ...siblings,
      linesBefore: () => siblings.linesBefore(this),
      linesAbove: () => siblings.linesAbove(this),
    }
    return copy
  }

  /** Sets the siblings, and counts everything read so far in the list's cache. */
  set siblings(siblings: Siblings) {
    this.#siblings = siblings
    if (this.#open !== undefined) siblings.recent.keep(this, this.#given.length)
  }

  /** The given text, or undefined once the text was opened for more than its first lines or identity. */
  get untouched(): string | undefined {
    return this.#open === undefined ? this.#given : undefined
  }

  /** The text with all edits. Throws EditError when the edits cannot be written. */
  get text(): string {
    return this.#open?.text ?? this.#given
  }

  /** The number of lines, without edits that cannot be written. */
  get lineCount(): number {
    const text = this.#textAnyway
    return countLines(text) + (text.endsWith('\n') ? 0 : 1)
  }

  /** The text without edits that cannot be written: `settle` reports these. */
  get #textAnyway(): string {
    return this.#open?.textAnyway ?? this.#given
  }

  get changed(): boolean {
    return this.isMade || this.text !== this.#given
  }

  get file(): FileRef | undefined {
    return this.#origin && { path: this.#origin.path, index: this.#origin.index }
  }

  /** Returns apiVersion and kind if the text begins as kpt writes every item; undefined if the text must be parsed for them. */
  glance(): UsualStart | undefined {
    if (this.#glance === undefined)
      this.#glance = (this.frame === 'item' ? this.#siblings?.starts.of(this.#textAnyway) : undefined) ?? 'unusual'
    return this.#glance === 'unusual' ? undefined : this.#glance
  }

  /** Returns the texts of the fields that make up an identity. */
  identityTexts(): Texts {
    const texts = this.#passing(TEXTS, IDENTITY)
    this.#hasUsualHead = texts !== undefined
    return texts ?? this.#read((reading) => reading.texts(IDENTITY))
  }

  /**
   * Reads the text with the quick reader and caches nothing, because most objects of a large list are read once. Returns undefined
   * when the text is open already or has an unusual layout.
   */
  #passing<Value, OpenMap, OpenList>(builder: Builder<Value, OpenMap, OpenList>, wanted: Wanted | undefined): Value | undefined {
    return this.#open === undefined ? readFast(this.#given, builder, { frame: this.frame, wanted }) : undefined
  }

  /** Returns the value of a short text without caching it, undefined for others: a list may have a million short texts. */
  #short(): JsonValue | undefined {
    return this.#given.length < LEAST_KEPT ? this.#passing(VALUES, undefined) : undefined
  }

  /** Returns the root node, with at least apiVersion, kind and metadata. Throws WireError when the text is not YAML. */
  headNode(): Node {
    return this.#read((reading) => reading.head())
  }

  /** Returns the root node. Throws WireError when the text is not YAML. */
  rootNode(): Node {
    return this.#read((reading) => reading.root())
  }

  /** Reads all of the text, and frees the memory unless the layout is unusual. Throws WireError when the text is not YAML. */
  check(): void {
    this.readAll()
    if (!this.#read((reading) => reading.isUnusual())) this.forget()
  }

  /** Reads all of the text. Throws WireError when the text is not YAML. */
  readAll(): void {
    if (this.#short() === undefined) this.#read((reading) => reading.check())
  }

  /** Returns the node at a path, undefined when there is none. */
  nodeAt(path: FieldPath): Node | undefined {
    return this.#read((reading) => nodesAlong(reading.nodeFor(path), path)[path.length])
  }

  /** Returns the value at a path. Throws as the method of YamlText, like its neighbours, and WireError when the text is not YAML. */
  valueAt(path: FieldPath): JsonValue | undefined {
    const short = this.#short()
    return short === undefined ? this.#act(() => this.#yaml.valueAt(path)) : path.reduce<JsonValue | undefined>(memberOf, short)
  }

  pick(wanted: Wanted): JsonValue | undefined {
    return this.#open === undefined ? this.#passing(VALUES, wanted) : this.#open.pick(wanted)
  }

  set(path: FieldPath, content: EmittedValue): void {
    this.#act(() => this.#yaml.set(path, content))
    this.#glance = undefined
  }

  delete(path: FieldPath): void {
    this.#act(() => this.#yaml.delete(path))
    this.#glance = undefined
  }

  move(list: FieldPath, from: number, to: number): void {
    this.#act(() => this.#yaml.move(list, from, to))
  }

  /** Writes the annotations of an item's new place, and removes those of its old place. */
  setPlace(wire: JsonRecord): void {
    const annotations = ['metadata', 'annotations']
    const others = placeKeys(this.headNode()).filter((key) => !Object.hasOwn(wire, key))
    for (const [key, value] of Object.entries(wire)) this.set([...annotations, key], value)
    for (const key of others) this.delete([...annotations, key])
  }

  /** Replaces the whole text. */
  replace(text: string): void {
    this.#open = new YamlText(text, this)
    this.#glance = undefined
  }

  /** Returns the comment after the last key of a path when its value is on the lines below. */
  keyComment(path: FieldPath): string | undefined {
    const { text } = this
    return this.#read((reading) => keyComment(text, reading.nodeFor(path), path))
  }

  /** Writes a comment after a key, as KrmObject.setKeyComment. */
  setKeyComment(path: FieldPath, comment: string | undefined): void {
    const { text } = this
    this.replace(this.#read((reading) => withKeyComment(text, reading.nodeFor(path), path, comment)))
  }

  /** Renames a key, as KrmObject.renameKey. */
  renameKey(path: FieldPath, key: string): boolean {
    const { text } = this
    const renamed = this.#read((reading) => withKey(text, reading.nodeFor(path.slice(0, -1)), path, key))
    if (renamed !== undefined) this.replace(renamed)
    return renamed !== undefined
  }

  settle(): void {
    this.#open?.settle()
  }

  write(): void {
    this.#open?.write()
  }

  #read<T>(act: (reading: TextReading) => T): T {
    return this.#act(() => act(this.#yaml.reading))
  }

  #act<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      throw error instanceof YamlError ? this.#noYaml(error) : error
    }
  }

  #noYaml({ message, offset }: YamlError): WireError {
    const { line, column } = positionAt(this.#yaml.textAnyway, offset)
    const above = this.#origin === undefined ? (this.#siblings?.linesAbove(this) ?? 0) : this.#origin.line - 1
    const file = this.#origin === undefined ? '' : `${this.#origin.path}: `
    return new WireError(`${file}expected YAML, found a fault: ${message}`, { line: line + above, column })
  }

  /** Returns the keys that occur twice in one map. */
  duplicateKeys(): readonly DuplicateKey[] {
    if (this.#open === undefined && isOfPlainMaps(this.#given, this.#hasUsualHead ? IDENTITY_KEYS : undefined)) return []
    if (this.#passing(VALUES, undefined) !== undefined) return []
    return this.#ofUnusual((reading) => duplicateKeys(reading.root(), (offset) => this.locate(offset, reading)))
  }

  aliases(): readonly WrittenAlias[] {
    return this.#ofUnusual((reading) => writtenAliases(reading.root(), (offset) => this.locate(offset, reading)))
  }

  /** Returns what `find` finds in an unusual text, and [] for a usual one, which has neither repeated keys nor aliases. */
  #ofUnusual<Found>(find: (reading: TextReading) => readonly Found[]): readonly Found[] {
    return this.#read((reading) => {
      reading.check()
      return reading.isUnusual() ? find(reading) : []
    })
  }

  /** Returns line and column in the file: of the value if it is a scalar and asked for, otherwise of its key if it has one. */
  positionOf(path: FieldPath, of: 'key' | 'value'): Position {
    return this.#read((reading) => {
      const { place, steps } = reading.placeAt(path)
      const ofItself = of === 'value' && steps === path.length && place.type === 'scalar'
      return this.locate(place.key === undefined || ofItself ? place.value : place.key, reading)
    })
  }

  locate(offset: number, reading: TextReading): Position {
    const place = reading.positionAt(offset)
    if (this.frame === 'document') return { line: place.line + (this.#origin?.line ?? 1) - 1, column: place.column }
    const { columns, lines } = hiddenIn(reading)
    const hidden = lines.filter((start) => start < offset).length + (this.frame === 'entry' ? 1 : 0)
    const column = place.column - columns
    return { line: (this.#siblings?.linesBefore(this) ?? 0) + place.line - hidden, column: Math.max(1, column) }
  }

  sequences(head: Node): 'wide' | 'compact' | undefined {
    return seqindent(head)
  }

  keep(length: number): void {
    this.#siblings?.recent.keep(this, length)
  }

  readFully(length: number): void {
    this.#siblings?.fullReads.count(this, length)
  }

  edited(): void {
    this.#siblings?.recent.edited(this)
  }

  /** Frees parsed nodes and values, which can be read again. */
  forget(): void {
    this.#open?.forget()
    if (this.#open?.isBlank(this.#given) === true) this.#open = undefined
  }
}
