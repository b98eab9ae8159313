import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { Position } from '../result.ts'
import { aliasFault, anchoredFault, EditError, layoutFault, UnsafeMaps } from './edit/edit-fault.ts'
import { EditedText } from './edit/edited-text.ts'
import { Meanings } from './edit/meanings.ts'
import { References } from './edit/references.ts'
import { changedPath } from './edit/rows.ts'
import type { EmittedValue } from './emit/content.ts'
import type { Sequences } from './emit/emit.ts'
import { AliasError } from './read/alias-targets.ts'
import { columnOf } from './read/lines.ts'
import { type Node, walk } from './read/node.ts'
import { type ReadingOptions, TextReading } from './read/text-reading.ts'
import type { Wanted } from './read/wanted.ts'
import { YamlError } from './read/yaml-reader.ts'

/** The data about a text that its owner provides. */
export interface TextSurroundings extends ReadingOptions {
  /** Returns the position in the file of an offset in the text that was read, for messages. */
  locate(offset: number, reading: TextReading): Position
  /** Returns the indentation of lists below a key if something besides the text specifies it. */
  sequences(head: Node): Sequences | undefined
  /** Called when there are pending edits. */
  edited(): void
}

/**
 * One text, read on demand and edited by splices, so that unchanged parts keep their bytes. Edits stay pending until the text is asked
 * for, or more of it than values.
 */
export class YamlText {
  readonly #surroundings: TextSurroundings
  #text: string
  #reading: TextReading | undefined
  #edits: EditedText | undefined
  #unsafe: UnsafeMaps | undefined
  #refused: EditError | undefined

  constructor(text: string, surroundings: TextSurroundings) {
    this.#text = text
    this.#surroundings = surroundings
  }

  /** Returns a copy of the text for separate edits; the copy shares what was read. Throws as `settle`. */
  copy(surroundings: TextSurroundings): YamlText {
    const copy = new YamlText(this.text, surroundings)
    copy.#reading = this.#reading
    return copy
  }

  /** The text with all edits. Throws as `settle`. */
  get text(): string {
    this.settle()
    return this.#text
  }

  /** The text with all edits that can be written. */
  get textAnyway(): string {
    this.write()
    return this.#text
  }

  /** The readings of the text with all edits that can be written. */
  get reading(): TextReading {
    this.write()
    return this.#known()
  }

  #known(): TextReading {
    this.#reading ??= new TextReading(this.#text, this.#surroundings)
    return this.#reading
  }

  /** Frees nodes and values, which can be read again. */
  forget(): void {
    this.#reading?.forget()
    if (this.#edits === undefined) this.#unsafe = undefined
  }

  /** Returns true if nothing is stored besides this text: no edits, and no offsets that were read. */
  isBlank(text: string): boolean {
    return this.#edits === undefined && this.#refused === undefined && this.#text === text && this.#reading?.isBlank() !== false
  }

  /**
   * Returns the value at a path, undefined when there is none.
   *
   * @throws AliasError  when the path leads through an alias with an unknown value or a merge key, or the value contains one
   */
  valueAt(path: FieldPath): JsonValue | undefined {
    if (this.#edits?.knows(path) === true) return this.#edits.valueAt(path)
    return (path.length === 0 ? this.reading : this.#known()).valueAt(path)
  }

  /** Returns the wanted parts of the object without caching them; undefined when `valueAt` must be used instead. */
  pick(wanted: Wanted | undefined): JsonValue | undefined {
    return this.#edits === undefined ? this.#known().pick(wanted) : undefined
  }

  /**
   * Writes `content` at the path. Missing maps and lists on the way are created.
   *
   * @throws EditError   when a key on the way or below occurs twice or uses `? `
   * @throws AliasError  when the path leads through an alias
   */
  set(path: FieldPath, content: EmittedValue): void {
    this.#edit(path, (edits) => edits.set(path, content))
  }

  /** Removes the value at the path, with its own comment lines. Throws as `set`. */
  delete(path: FieldPath): void {
    this.#edit(path, (edits) => edits.delete(path))
  }

  /** Moves the entry at `from` of a list to the position `to`. Throws as `set`. */
  move(list: FieldPath, from: number, to: number): void {
    this.#edit(list, (edits) => edits.move(list, from, to))
  }

  #edit(path: FieldPath, act: (edits: EditedText) => void): void {
    if (this.#edits?.canChange(path) === false) this.settle()
    const edits = this.#edits ?? this.#editsAt(path)
    if (edits.isUnusual) this.#refuseUnsafe(path, edits.root)
    act(edits)
    if (!edits.isChanged) return
    this.#edits = edits
    this.#surroundings.edited()
  }

  #editsAt(path: FieldPath): EditedText {
    const reading = this.#known()
    const root = reading.nodeFor(path)
    return new EditedText(root, { isWhole: reading.isRoot(root), isUnusual: reading.isUnusual() })
  }

  #refuseUnsafe(path: FieldPath, root: Node): void {
    this.#unsafe ??= new UnsafeMaps(root, (offset) => this.#surroundings.locate(offset, this.#known()))
    const fault = this.#unsafe.faultAt(path)
    if (fault !== undefined) throw new EditError(fault)
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
      this.#write(edits)
    } catch (error) {
      this.#refused ??= error instanceof AliasError ? new EditError(aliasFault(error, changedIn(edits))) : asRefusal(error)
    }
  }

  #write(edits: EditedText): void {
    const after = edits.write(this.#text, () => this.#sequences())
    const reading = edits.isUnusual ? this.#readAgain(after, edits) : undefined
    this.#text = after
    this.#reading = reading
    this.#unsafe = undefined
  }

  /**
   * Reads the edited text and compares it with the edits, because splices do not know all of YAML, and an alias may have got another
   * value. Throws EditError on a difference.
   */
  #readAgain(after: string, edits: EditedText): TextReading {
    const reading = new TextReading(after, this.#surroundings)
    const meanings = new Meanings({ tags: false })
    if (isRead(reading) && meanings.of(reading.root()) === meanings.of(edits.draft)) return reading
    const broken = new References(edits.root).brokenBy(edits.draft)
    throw new EditError(broken === undefined ? layoutFault(changedIn(edits)) : anchoredFault(broken))
  }

  /** Returns the indentation of lists below a key: the one specified, otherwise that of the first such list. */
  #sequences(): Sequences {
    const reading = this.#known()
    return this.#surroundings.sequences(reading.head()) ?? (firstListIsWide(this.#text, reading.root()) ? 'wide' : 'compact')
  }
}

function changedIn({ draft, root }: EditedText): FieldPath {
  return changedPath(draft, root) ?? []
}

function asRefusal(error: unknown): EditError {
  if (error instanceof EditError) return error
  throw error
}

function isRead(reading: TextReading): boolean {
  try {
    reading.root()
    return true
  } catch (error) {
    if (error instanceof YamlError) return false
    throw error
  }
}

/** Returns true if the dashes of the first block list below a key are indented more than the key. */
function firstListIsWide(text: string, root: Node): boolean {
  for (const { key, node } of walk(root)) {
    if (key !== undefined && node.type === 'sequence' && !node.flow) return columnOf(text, node.start) > columnOf(text, key.start)
  }
  return false
}
