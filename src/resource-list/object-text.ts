import type { FieldPath } from '../field-path.ts'
import type { FileRef, Position, ResourceRef } from '../result.ts'
import type { YamlDocument } from '../yaml/document.ts'
import { keyComment } from '../yaml/edit/rename-key.ts'
import { unknownAlias } from '../yaml/read/alias-targets.ts'
import { VALUES } from '../yaml/read/builder.ts'
import { type Node, nodesAlong } from '../yaml/read/node.ts'
import {
  type DuplicateKey,
  duplicateKeys,
  type WrittenAlias,
  type WrittenScalar,
  writtenAliases,
  writtenScalars,
} from '../yaml/read/written.ts'
import type { FilePositions } from './file-positions.ts'
import { requirePath } from './refusal.ts'

/**
 * The text of an object: comments, aliases, scalars as they are spelled, and the places of fields. Nothing here changes the text but
 * `settle`.
 */
export abstract class ObjectText {
  protected readonly document: YamlDocument
  protected positions: FilePositions

  constructor(document: YamlDocument, positions: FilePositions) {
    this.document = document
    this.positions = positions
  }

  abstract get file(): FileRef | undefined
  abstract get ref(): ResourceRef

  /** Writes the pending edits into the text. */
  abstract settle(): void

  /** True if the text is a document of a file; false for an item of a list, which has the annotations of the wire. */
  get isDocument(): boolean {
    return this.positions.frame === 'document'
  }

  /** False if the object was certainly not edited, as nearly all objects of a large list. */
  get mayBeEdited(): boolean {
    return this.document.isEdited
  }

  /** Returns the current text: of an item with its dash, of a document with its comments. Throws as `settle`. */
  toText(): string {
    this.settle()
    return this.document.text
  }

  /** Returns the text and its root node, with the annotations of the wire. Throws WireError when the text is not YAML. */
  written(): { readonly text: string; readonly node: Node } {
    return { text: this.toText(), node: this.document.reading.root() }
  }

  /**
   * Returns false if certainly no key or value of the object, nor the path of its file, contains the word. Searches the text without
   * parsing it. Returns true if an escape, or a line break or doubled quote inside the word, could hide the word.
   */
  mayHold(word: string): boolean {
    const text = this.toText()
    return text.includes(word) || text.includes('\\') || this.positions.file?.path.includes(word) === true || /['\s]/.test(word)
  }

  /**
   * Returns the comment after the last key of a path when its value is on the lines below: `spec: # note` → '# note'; undefined when
   * there is no comment.
   */
  keyComment(path: FieldPath): string | undefined {
    return keyComment(this.toText(), this.document.reading.nodeFor(path), path)
  }

  protected nodeAt(path: FieldPath): Node | undefined {
    return nodesAlong(this.document.reading.nodeFor(path), path)[path.length]
  }

  /**
   * Returns line and column in the object's file: of a scalar itself, of a map or list its key. When there is no value at the path,
   * returns the position of the nearest existing ancestor.
   */
  positionOf(path: FieldPath): Position {
    requirePath(path, this)
    const { place, steps } = this.document.reading.placeAt(path)
    const isOfValue = place.key === undefined || (steps === path.length && place.type === 'scalar')
    return this.document.locate(isOfValue ? place.value : place.key)
  }

  /** Returns line and column of the last key of the path. */
  keyPositionOf(path: FieldPath): Position {
    requirePath(path, this)
    const { place } = this.document.reading.placeAt(path)
    return this.document.locate(place.key ?? place.value)
  }

  /** Returns all scalar values below a path, in the order of the text. */
  scalars(path: FieldPath = []): readonly WrittenScalar[] {
    const node = nodesAlong(this.document.reading.root(), path)[path.length]
    return node === undefined ? [] : writtenScalars(node, path)
  }

  /** Returns the keys that occur twice in one map, each with all its positions. */
  duplicateKeys(): readonly DuplicateKey[] {
    if (this.document.readOnce(VALUES) !== undefined || !this.#isUnusual()) return []
    return duplicateKeys(this.document.reading.root(), (offset) => this.document.locate(offset))
  }

  /** Returns all aliases and merge keys. An edit expands a merge key only to remove one of its entries. */
  aliases(): readonly WrittenAlias[] {
    if (this.positions.isMade && !/\*|<</.test(this.document.textAnyway)) return []
    if (!this.#isUnusual()) return []
    return writtenAliases(this.document.reading.root(), (offset) => this.document.locate(offset))
  }

  /** Returns the first alias whose anchor is not above it, which YAML parsers refuse; undefined if there is none. */
  unknownAlias(): Pick<WrittenAlias, 'anchor' | 'position'> | undefined {
    const alias = this.#isUnusual() ? unknownAlias(this.document.reading.root()) : undefined
    return alias && { anchor: alias.anchor ?? '', position: this.document.locate(alias.start) }
  }

  /** True if what is cached of the text has a layout that kpt does not write, as after `ofWholeDocument`. */
  get isReadAsUnusual(): boolean {
    return !this.document.isUnread && this.document.reading.isUnusual()
  }

  /** Reads the whole text. Returns false for a text with neither repeated keys nor aliases. */
  #isUnusual(): boolean {
    const { reading } = this.document
    reading.check()
    return reading.isUnusual()
  }

  /** Reads all of the text. Throws WireError when the text is not YAML. */
  readAll(): void {
    this.document.check()
  }
}
