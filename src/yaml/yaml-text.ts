import type { FieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { Position } from '../result.ts'
import { changedPath } from './edit/changed-path.ts'
import { aliasFault, anchoredFault, EditError, layoutFault } from './edit/edit-fault.ts'
import { EditedText } from './edit/edited-text.ts'
import { Meanings } from './edit/meanings.ts'
import { References } from './edit/references.ts'
import { UnsafeMaps } from './edit/unsafe-maps.ts'
import type { EmittedValue } from './emit/content.ts'
import type { Sequences } from './emit/emit.ts'
import { columnOf } from './read/lines.ts'
import { type Node, walk } from './read/node.ts'
import { AliasError } from './read/node-value.ts'
import { type ReadingOptions, TextReading } from './read/text-reading.ts'
import type { Wanted } from './read/wanted.ts'
import { YamlError } from './read/yaml-reader.ts'

/** What is known of a text besides itself. */
export interface TextSurroundings extends ReadingOptions {
  /** The place in its file of an offset of what was read, for messages. */
  locate(offset: number, reading: TextReading): Position
  /** How lists below a key are indented, where something else than their look says so. */
  sequences(head: Node): Sequences | undefined
  /** Called when there are edits to be written. */
  edited(): void
}

/**
 * One text: read as far as somebody asks, and edited by splices, so that what is not changed keeps its bytes. Edits are collected, and
 * written when somebody asks for the text, or for more of it than values.
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

  /** The same text with edits of its own; what was read of it is read once. Throws as `settle`. */
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

  /** What the readers make of that. */
  get reading(): TextReading {
    this.write()
    return this.#known()
  }

  #known(): TextReading {
    this.#reading ??= new TextReading(this.#text, this.#surroundings)
    return this.#reading
  }

  /** Lets go of what takes much room and can be read again. */
  forget(): void {
    this.#reading?.forget()
    if (this.#edits === undefined) this.#unsafe = undefined
  }

  /** Whether nothing is known of it but that it is this text. */
  isBlank(text: string): boolean {
    return this.#edits === undefined && this.#refused === undefined && this.#text === text && this.#reading?.isBlank() !== false
  }

  /**
   * The value at a path, undefined when there is none.
   *
   * @throws AliasError  when the path leads through an alias or a merge key, or its value holds an alias
   */
  valueAt(path: FieldPath): JsonValue | undefined {
    if (this.#edits?.knows(path) === true) return this.#edits.valueAt(path)
    return (path.length === 0 ? this.reading : this.#known()).valueAt(path)
  }

  /** The object with what is wanted of it, read for this once; undefined when `valueAt` has to tell. */
  pick(wanted: Wanted | undefined): JsonValue | undefined {
    return this.#edits === undefined ? this.#known().pick(wanted) : undefined
  }

  /**
   * Makes `content` of what is at the path; maps and lists on the way are made where they are missing.
   *
   * @throws EditError   when a key on the way or below stands twice or behind `? `
   * @throws AliasError  when the path leads through an alias
   */
  set(path: FieldPath, content: EmittedValue): void {
    this.#edit(path, (edits) => edits.set(path, content))
  }

  /** Takes away what is at the path, with the comment lines of its own. Throws as `set`. */
  delete(path: FieldPath): void {
    this.#edit(path, (edits) => edits.delete(path))
  }

  /** Moves an entry of a list before the one at `to`. Throws as `set`. */
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
   * Writes the edits that were collected: all of them, or none, and then it is told once.
   *
   * @throws EditError  when an alias would stand for another value, or the text would mean something else than what was asked for
   */
  settle(): void {
    this.write()
    const refused = this.#refused
    this.#refused = undefined
    if (refused !== undefined) throw refused
  }

  /** As `settle`, but what is refused is told to whoever settles next. */
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
    const broken = edits.isUnusual ? new References(edits.root).brokenBy(edits.draft) : undefined
    if (broken !== undefined) throw new EditError(anchoredFault(broken))
    const after = edits.write(this.#text, () => this.#sequences())
    const reading = edits.isUnusual ? this.#readAgain(after, edits) : undefined
    this.#text = after
    this.#reading = reading
    this.#unsafe = undefined
  }

  /** Much of what YAML allows a splice does not know, so what it made is read. */
  #readAgain(after: string, edits: EditedText): TextReading {
    const reading = new TextReading(after, this.#surroundings)
    const meanings = new Meanings({ tags: false })
    if (!isRead(reading) || meanings.of(reading.root()) !== meanings.of(edits.draft)) throw new EditError(layoutFault(changedIn(edits)))
    return reading
  }

  /** As somebody noted, else as the first such list stands. */
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

/** Whether the first block list below a key stands further right than its key. */
function firstListIsWide(text: string, root: Node): boolean {
  for (const { key, node } of walk(root)) {
    if (key !== undefined && node.type === 'sequence' && !node.flow) return columnOf(text, node.start) > columnOf(text, key.start)
  }
  return false
}
