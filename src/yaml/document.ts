import type { FieldPath } from '../field-path.ts'
import { type JsonValue, memberOf } from '../json.ts'
import type { Position } from '../result.ts'
import { aliasFault, anchoredFault, EditError, layoutFault, UnsafeMaps } from './edit/edit-fault.ts'
import { Meanings } from './edit/meanings.ts'
import { mergeEdits } from './edit/merge.ts'
import { References } from './edit/references.ts'
import { changedPath } from './edit/rows.ts'
import { editedText } from './edit/splices.ts'
import { type EditTree, treeChild, treeValue } from './edit/tree.ts'
import { treeAfter, treeAfterMove, treeHas } from './edit/tree-change.ts'
import type { EmittedValue } from './emit/content.ts'
import type { Sequences } from './emit/emit.ts'
import { AliasError } from './read/alias-targets.ts'
import { type Builder, VALUES } from './read/builder.ts'
import { readFast } from './read/fast-reader.ts'
import { columnOf } from './read/lines.ts'
import { type Node, walk } from './read/node.ts'
import { type DocumentOwner, TextReading } from './read/text-reading.ts'
import type { Wanted } from './read/wanted.ts'
import { YamlError } from './read/yaml-error.ts'

/** The edits of a document that are not yet in its text. */
interface PendingEdits {
  readonly root: Node
  /** True if `root` has all entries of the text; false if it has only those of some root keys. */
  readonly isWhole: boolean
  /** True if the text has a layout that splices do not fully know, so that the result must be read again. */
  readonly isUnusual: boolean
  /** The root with all pending edits. */
  tree: EditTree
}

/** Texts shorter than this are read again for each value: that is cheaper than to cache what was read. */
export const SHORT_TEXT = 100

/**
 * A YAML document: its text, the nodes and values read from the text, and pending edits. The text is read on demand and edited by splices,
 * so that unchanged parts keep their bytes. The edits are collected as a tree and written in one pass when the text is asked for, or more
 * of it than values: the time grows with the text and the edits, not with their product. Values read in between contain the edits.
 */
export class YamlDocument {
  /** The file or list of the document; changes when the document becomes part of another list. */
  owner: DocumentOwner
  readonly #given: string
  #text: string
  #reading: TextReading | undefined
  #edits: PendingEdits | undefined
  #unsafe: UnsafeMaps | undefined
  #refused: EditError | undefined

  constructor(text: string, owner: DocumentOwner) {
    this.owner = owner
    this.#given = text
    this.#text = text
  }

  /** Returns a copy for separate edits; the copy shares what was read. Throws as `settle`. */
  copy(owner: DocumentOwner): YamlDocument {
    const copy = new YamlDocument(this.text, owner)
    copy.#reading = this.#reading
    return copy
  }

  /** The text with all edits. Throws as `settle`. */
  get text(): string {
    if (this.isEdited) this.settle()
    return this.#text
  }

  /** The text with all edits that can be written. */
  get textAnyway(): string {
    this.write()
    return this.#text
  }

  /** Replaces the whole text. */
  replace(text: string): void {
    this.#text = text
    this.#reading = undefined
    this.#edits = undefined
    this.#unsafe = undefined
    this.#refused = undefined
  }

  /** True if the document was edited, also when the edits change no byte. */
  get isEdited(): boolean {
    return this.#edits !== undefined || this.#refused !== undefined || this.#text !== this.#given
  }

  /** True if nothing that was read is cached, and no edit is pending. */
  get isUnread(): boolean {
    return this.#reading === undefined && this.#edits === undefined
  }

  /** The nodes and values of the text, with all edits that can be written. */
  get reading(): TextReading {
    this.write()
    return this.#known()
  }

  #known(): TextReading {
    this.#reading ??= new TextReading(this.#text, this)
    return this.#reading
  }

  /** Frees nodes and values, which can be read again. */
  forget(): void {
    this.#reading?.forget()
    if (this.#edits !== undefined) return
    this.#unsafe = undefined
    if (this.#reading?.isBlank() === true) this.#reading = undefined
  }

  /** Returns the position of an offset in the file. */
  locate(offset: number): Position {
    return this.owner.locate(this, offset, this.#known())
  }

  /**
   * Reads the text with the quick reader and caches nothing, because most objects of a large list are read once. Returns undefined for
   * an unusual layout, and when something of the text is cached.
   */
  readOnce<Value, OpenMap, OpenList>(builder: Builder<Value, OpenMap, OpenList>, wanted?: Wanted): Value | undefined {
    return this.isUnread ? readFast(this.#text, builder, { frame: this.owner.frame, wanted }) : undefined
  }

  /**
   * Returns the value at a path, undefined when there is none.
   *
   * @throws AliasError  when the path leads through an alias with an unknown value or a merge key, or the value contains one
   */
  valueAt(path: FieldPath): JsonValue | undefined {
    if (this.#edits !== undefined) {
      if (this.#hasEntry(this.#edits, path)) return treeValue(this.#edits.tree, path)
      if (path.length === 0) this.write()
    } else if (this.#text.length < SHORT_TEXT) {
      const value = this.readOnce(VALUES)
      if (value !== undefined) return path.reduce<JsonValue | undefined>(memberOf, value)
    }
    return this.#known().valueAt(path)
  }

  /** Reads all of the text, and caches nothing of a short one. Throws the owner's error when the text is not YAML. */
  check(): void {
    if (this.#text.length >= SHORT_TEXT || this.readOnce(VALUES) === undefined) this.reading.check()
  }

  /** Returns the wanted parts of the object without caching them; undefined when `valueAt` must be used instead. */
  pick(wanted: Wanted): JsonValue | undefined {
    if (this.#edits !== undefined) return undefined
    return this.#reading === undefined ? this.readOnce(VALUES, wanted) : this.#reading.pick(wanted)
  }

  /**
   * Writes `content` at the path. Missing maps and lists on the way are created.
   *
   * @throws EditError   when a key on the way or below occurs twice or uses `? `
   * @throws AliasError  when the path leads through an alias
   */
  set(path: FieldPath, content: EmittedValue): void {
    const edits = this.#editsAt(path)
    this.#keep(
      edits,
      treeAfter(edits.tree, path, (tree) => mergeEdits(tree, content)),
    )
  }

  /** Removes the value at the path, with its own comment lines. Does nothing when there is no value. Throws as `set`. */
  delete(path: FieldPath): void {
    const edits = this.#editsAt(path)
    if (path.length > 0 && treeHas(edits.tree, path))
      this.#keep(
        edits,
        treeAfter(edits.tree, path, () => undefined),
      )
  }

  /** Moves the entry at `from` of a list to the position `to`. Throws as `set`. */
  move(list: FieldPath, from: number, to: number): void {
    const edits = this.#editsAt(list)
    if (from !== to && treeHas(edits.tree, [...list, from])) this.#keep(edits, treeAfterMove(edits.tree, list, from, to))
  }

  /** Returns the pending edits, or none yet, on nodes that suffice to change the value at a path. Throws as `set`. */
  #editsAt(path: FieldPath): PendingEdits {
    if (this.#edits !== undefined && !this.#edits.isWhole && (path.length < 2 || !this.#hasEntry(this.#edits, path))) this.settle()
    let edits = this.#edits
    if (edits === undefined) {
      const reading = this.#known()
      const root = reading.nodeFor(path)
      edits = { root, isWhole: reading.isRoot(root), isUnusual: reading.isUnusual(), tree: root }
    }
    if (!edits.isUnusual) return edits
    this.#unsafe ??= new UnsafeMaps(edits.root, (offset) => this.locate(offset))
    const fault = this.#unsafe.faultAt(path)
    if (fault !== undefined) throw new EditError(fault)
    return edits
  }

  /** Returns true if the nodes of the edits have the root entry of a path. A change of a root entry needs all entries of the root. */
  #hasEntry({ root, isWhole }: PendingEdits, [key]: FieldPath): boolean {
    return isWhole || (key !== undefined && treeChild(root, key) !== undefined)
  }

  #keep(edits: PendingEdits, tree: EditTree | undefined): void {
    edits.tree = tree ?? edits.tree
    if (edits.tree === edits.root) return
    this.#edits = edits
    this.owner.edited(this)
  }

  /**
   * Writes the pending edits, all of them or none. Throws once for edits that were refused.
   *
   * @throws EditError  when an alias would get another value, or the text would mean something else than the edits ask for
   */
  settle(): void {
    this.write()
    const refused = this.#refused
    this.#refused = undefined
    if (refused !== undefined) throw refused
  }

  /** Writes the pending edits like `settle`, but leaves a refusal for the next call of `settle` to throw. */
  write(): void {
    const edits = this.#edits
    this.#edits = undefined
    if (edits === undefined) return
    try {
      const after = editedText(this.#text, edits, () => this.#sequences())
      const reading = edits.isUnusual ? this.#readAgain(after, edits) : undefined
      this.#text = after
      this.#reading = reading
      this.#unsafe = undefined
    } catch (error) {
      const refusal = error instanceof AliasError ? new EditError(aliasFault(error, changedIn(edits))) : error
      if (!(refusal instanceof EditError)) throw refusal
      this.#refused ??= refusal
    }
  }

  /**
   * Reads the edited text and compares it with the edits, because splices do not know all of YAML, and an alias may have got another
   * value. Throws EditError on a difference.
   */
  #readAgain(after: string, edits: PendingEdits): TextReading {
    const reading = new TextReading(after, this)
    const meanings = new Meanings({ tags: false })
    const root = reading.rootOrFault()
    if (!(root instanceof YamlError) && meanings.of(root) === meanings.of(edits.tree)) return reading
    const broken = new References(edits.root).brokenBy(edits.tree)
    throw new EditError(broken === undefined ? layoutFault(changedIn(edits)) : anchoredFault(broken))
  }

  /** Returns the indentation of lists below a key: the one specified, otherwise that of the first such list. */
  #sequences(): Sequences {
    const reading = this.#known()
    return this.owner.sequences(reading.head()) ?? (firstListIsWide(this.#text, reading.root()) ? 'wide' : 'compact')
  }
}

function changedIn({ tree, root }: PendingEdits): FieldPath {
  return changedPath(tree, root) ?? []
}

/** Returns true if the dashes of the first block list below a key are indented more than the key. */
function firstListIsWide(text: string, root: Node): boolean {
  for (const { key, node } of walk(root)) {
    if (key !== undefined && node.type === 'sequence' && !node.flow) return columnOf(text, node.start) > columnOf(text, key.start)
  }
  return false
}
