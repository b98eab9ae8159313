import type { FieldPath } from '../field-path.ts'
import type { FileRef, Position } from '../result.ts'
import { columnOf } from '../yaml/edit/place.ts'
import type { Texts } from '../yaml/read/builder.ts'
import type { Frame } from '../yaml/read/fast-reader.ts'
import type { Node } from '../yaml/read/node.ts'
import { type DuplicateKey, duplicateKeys, type WrittenAlias, writtenAliases } from '../yaml/read/written.ts'
import { wireLines } from './identity.ts'
import { type Standing, TextReading } from './text-reading.ts'
import { type UsualStart, usualStart } from './usual-start.ts'

/** The file a document came from, and the line on which it begins there, from 1. */
export type Origin = FileRef & { readonly line: number }

/** What the other texts of its list say of where one stands. */
export interface Siblings {
  /** Lines of its file before it. */
  linesBefore(text: ObjectText): number
  /** Lines of the list before it. */
  linesAbove(text: ObjectText): number
}

const NO_SIBLINGS: Siblings = { linesBefore: () => 0, linesAbove: () => 0 }

/** The text of one object, and where it stands in its file. */
export class ObjectText implements Standing {
  readonly #frame: Frame
  readonly #origin: Origin | undefined
  readonly #original: string
  siblings: Siblings = NO_SIBLINGS
  #text: string
  #glance: UsualStart | 'unusual' | undefined
  #reading: TextReading | undefined
  #duplicates: readonly DuplicateKey[] | undefined

  constructor(text: string, frame: Frame, origin?: Origin) {
    this.#text = text
    this.#original = text
    this.#frame = frame
    this.#origin = origin
  }

  /** A text that no file held before. */
  static made(text: string, frame: Frame, origin?: Origin): ObjectText {
    const made = new ObjectText('', frame, origin)
    made.#text = text
    return made
  }

  /** A text of its own that stands at the same place. */
  copy(): ObjectText {
    const copy = new ObjectText(this.#text, this.#frame, this.#origin)
    copy.siblings = { linesBefore: () => this.siblings.linesBefore(this), linesAbove: () => this.siblings.linesAbove(this) }
    copy.#reading = this.#reading
    return copy
  }

  get isDocument(): boolean {
    return this.#frame === 'document'
  }

  get text(): string {
    return this.#text
  }

  get changed(): boolean {
    return this.#text !== this.#original
  }

  get file(): FileRef | undefined {
    return this.#origin && { path: this.#origin.path, index: this.#origin.index }
  }

  get givenFile(): string {
    return this.#origin?.path ?? ''
  }

  get linesAbove(): number {
    return this.#origin === undefined ? this.siblings.linesAbove(this) : this.#origin.line - 1
  }

  /** apiVersion and kind where the text begins as kpt writes every item; undefined where only reading can tell. */
  glance(): UsualStart | undefined {
    if (this.#glance === undefined) this.#glance = (this.#frame === 'item' ? usualStart(this.#text) : undefined) ?? 'unusual'
    return this.#glance === 'unusual' ? undefined : this.#glance
  }

  /** What the readers make of the text as it stands. */
  get reading(): TextReading {
    this.#reading ??= this.#read()
    return this.#reading
  }

  /** The texts of what makes up an identity. Of most objects nothing more is ever asked, so no reading is kept for it. */
  identityTexts(): Texts {
    return (this.#reading ?? this.#read()).identityTexts()
  }

  #read(): TextReading {
    return new TextReading(this.#text, this.#frame, this)
  }

  edit(path: FieldPath, change: (text: string, root: Node) => string): void {
    this.replace(change(this.#text, this.reading.nodeFor(path)))
  }

  replace(text: string): void {
    this.#text = text
    this.#glance = undefined
    this.#reading = undefined
    this.#duplicates = undefined
  }

  /** Keys that stand twice in one map. The fast reader takes none. */
  duplicateKeys(): readonly DuplicateKey[] {
    const root = this.reading.root()
    if (!this.reading.isUnusual()) return []
    this.#duplicates ??= duplicateKeys(root, (offset) => this.positionAt(offset))
    return this.#duplicates
  }

  aliases(): readonly WrittenAlias[] {
    const root = this.reading.root()
    return this.reading.isUnusual() ? writtenAliases(root, (offset) => this.positionAt(offset)) : []
  }

  positionOf(path: FieldPath, of: 'key' | 'value'): Position {
    const { key, value, isScalar } = this.reading.placeOf(path)
    return this.positionAt(key === undefined || (of === 'value' && isScalar) ? value : key)
  }

  /** Line and column in the file of an offset in the text. */
  positionAt(offset: number): Position {
    const place = this.reading.positionAt(offset)
    if (this.#frame === 'document') return { line: place.line + (this.#origin === undefined ? 0 : this.linesAbove), column: place.column }
    const head = this.reading.head()
    const hidden = wireLines(head).filter((start) => start < offset).length + (this.#frame === 'entry' ? 1 : 0)
    return {
      line: this.siblings.linesBefore(this) + place.line - hidden,
      column: Math.max(1, place.column - columnOf(this.#text, head.start)),
    }
  }
}
