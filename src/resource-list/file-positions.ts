import { groupBy } from '../group-by.ts'
import { remember } from '../remember.ts'
import type { FileRef, Position } from '../result.ts'
import type { ObjectFrame } from '../yaml/read/fast-reader.ts'
import { countLines } from '../yaml/read/lines.ts'
import type { Node } from '../yaml/read/node.ts'
import type { DocumentOwner, OpenDocument, TextReading } from '../yaml/read/text-reading.ts'
import type { Wanted } from '../yaml/read/wanted.ts'
import type { Cut } from './cut.ts'
import { HEAD, wireLines } from './identity.ts'
import { FullReads, RecentTexts, UsualStarts } from './text-caches.ts'
import { seqindent } from './wire-annotations.ts'
import { WireError } from './wire-error.ts'

/** The file of a document, its index in the file, and the line of the file on which the document begins, from 1. */
export type DocumentOrigin = FileRef & { readonly line: number }

/** Data that the objects of a list share: caches and limits, and the lines before each object. */
export interface Siblings {
  readonly recent: RecentTexts
  readonly starts: UsualStarts
  readonly fullReads: FullReads
  /** Returns the number of lines before the document in its file. */
  linesBefore(document: OpenDocument): number
  /** Returns the number of lines before the document in the list. */
  linesAbove(document: OpenDocument): number
}

/** The parts of an item that decide its place in a file. */
interface PlacedItem {
  readonly file: FileRef | undefined
  readonly packagePath: string | undefined
  readonly linesInFile: number
}

/** The source of an object: a document of a file has an origin; an object that a function adds is made. */
interface Source {
  readonly origin?: DocumentOrigin | undefined
  readonly siblings?: Siblings | undefined
  readonly isMade?: boolean
}

/** The positions of objects in their files. All items of a list share one; each document of a file has its own. */
export class FilePositions implements DocumentOwner {
  readonly frame: ObjectFrame
  /** True if a function added the object; false if its text was read. */
  readonly isMade: boolean
  readonly #origin: DocumentOrigin | undefined
  readonly #siblings: Siblings | undefined

  constructor(frame: ObjectFrame, { origin, siblings, isMade = false }: Source = {}) {
    this.frame = frame
    this.isMade = isMade
    this.#origin = origin
    this.#siblings = siblings
  }

  /** Returns the positions of the same object as a member of a list. */
  among(siblings: Siblings): FilePositions {
    return new FilePositions(this.frame, { origin: this.#origin, siblings, isMade: this.isMade })
  }

  /** Returns the positions of a copy of a document, which has the place of the document. */
  ofCopy(document: OpenDocument): FilePositions {
    const siblings = this.#siblings && {
      ...this.#siblings,
      linesBefore: () => this.#siblings?.linesBefore(document) ?? 0,
      linesAbove: () => this.#siblings?.linesAbove(document) ?? 0,
    }
    return new FilePositions(this.frame, { origin: this.#origin, siblings })
  }

  /** Returns the positions of a copy of a document in a file of another path. */
  inFile(path: string): FilePositions {
    return new FilePositions(this.frame, { origin: this.#origin && { ...this.#origin, path } })
  }

  /** The root keys with the identity. */
  get head(): Wanted {
    return HEAD
  }

  /** The file of a document; undefined for an item of a list, whose annotations name its file. */
  get file(): FileRef | undefined {
    return this.#origin && { path: this.#origin.path, index: this.#origin.index }
  }

  /** The first lines of the items of the list, to read each kind of beginning once; undefined if the object is not an item. */
  get starts(): UsualStarts | undefined {
    return this.frame === 'item' ? this.#siblings?.starts : undefined
  }

  locate(document: OpenDocument, offset: number, reading: TextReading): Position {
    const place = reading.positionAt(offset)
    if (this.frame === 'document') return { line: place.line + (this.#origin?.line ?? 1) - 1, column: place.column }
    const { columns, lines } = hiddenIn(reading)
    const hidden = lines.filter((start) => start < offset).length + (this.frame === 'entry' ? 1 : 0)
    const column = place.column - columns
    return { line: (this.#siblings?.linesBefore(document) ?? 0) + place.line - hidden, column: Math.max(1, column) }
  }

  unreadable(document: OpenDocument, message: string, { line, column }: Position): WireError {
    const above = this.#origin === undefined ? (this.#siblings?.linesAbove(document) ?? 0) : this.#origin.line - 1
    const file = this.#origin === undefined ? '' : `${this.#origin.path}: `
    return new WireError(`${file}expected YAML, found a fault: ${message}`, { line: line + above, column })
  }

  sequences(head: Node): 'wide' | 'compact' | undefined {
    return seqindent(head)
  }

  keep(document: OpenDocument, length: number): void {
    this.#siblings?.recent.keep(document, length)
  }

  readFully(document: OpenDocument, length: number): void {
    this.#siblings?.fullReads.count(document, length)
  }

  edited(document: OpenDocument): void {
    this.#siblings?.recent.edited(document)
  }
}

/** Lines and columns that an item has in its list but not in its file. */
interface Hidden {
  /** Number of columns to subtract from each line. */
  readonly columns: number
  /** Offsets of the lines of the orchestrator's annotations. */
  readonly lines: readonly number[]
}

const known = new WeakMap<TextReading, Hidden>()

/** Returns the hidden lines and columns of a text. Computed once for each text, because a text with many findings needs many positions. */
function hiddenIn(reading: TextReading): Hidden {
  return remember(known, reading, () => {
    const head = reading.head()
    return { columns: reading.columnOf(head.start), lines: wireLines(head) }
  })
}

/**
 * Returns the data that the items of a list share, with the number of lines before each item. In the list, all lines before the item
 * count. In its file, the lines of the documents with smaller indexes count, and one `---` line for each. Comments apart from all
 * objects never reach a function, so positions in a file with some are a few lines off.
 *
 * @param documents  of the items; both lists are read only when a position is asked for
 */
export function siblingsOf(documents: readonly OpenDocument[], items: readonly PlacedItem[], { pieces, slices }: Cut): Siblings {
  let files: ReadonlyMap<object, FileLines> | undefined
  return {
    ...documentSiblings(),
    linesBefore: (document) => {
      files ??= filesOf(documents, items)
      return files.get(document)?.before(document) ?? 0
    },
    linesAbove: (document) => {
      const beforeItems = pieces.slice(0, pieces.findIndex(({ key }) => key === 'items') + 1).map((piece) => piece.text)
      return [...beforeItems, ...slices.slice(0, documents.indexOf(document))].reduce((sum, part) => sum + countLines(part), 0)
    },
  }
}

/** Returns the shared data of documents, which know their own lines. */
export function documentSiblings(): Siblings {
  return { recent: new RecentTexts(), starts: new UsualStarts(), fullReads: new FullReads(), linesBefore: () => 0, linesAbove: () => 0 }
}

/** Returns the lines of the file of each document. Objects are named by their numbers in the list, since a list may have a million. */
function filesOf(documents: readonly OpenDocument[], items: readonly PlacedItem[]): ReadonlyMap<object, FileLines> {
  const inFiles = [...items.keys()].filter((at) => items[at]?.file !== undefined)
  const files = new Map<object, FileLines>()
  for (const samePath of groupBy(inFiles, (at) => items[at]?.file?.path).values()) {
    for (const ofFile of groupBy(samePath, (at) => items[at]?.packagePath).values()) {
      const lines = new FileLines(ofFile, documents, items)
      for (const at of ofFile) files.set(documents[at] ?? lines, lines)
    }
  }
  return files
}

/**
 * The number of lines before each document of one file. Lines are counted only up to the document that is asked for, because most files
 * have no findings.
 */
class FileLines {
  readonly #ofFile: readonly number[]
  readonly #documents: readonly OpenDocument[]
  readonly #items: readonly PlacedItem[]
  /** The numbers of the file's objects in the order of their documents. */
  #order: readonly number[] | undefined
  readonly #before = new Map<object | undefined, number>()
  #lines = 0

  /** @param ofFile  the numbers of the file's objects among all */
  constructor(ofFile: readonly number[], documents: readonly OpenDocument[], items: readonly PlacedItem[]) {
    this.#ofFile = ofFile
    this.#documents = documents
    this.#items = items
  }

  before(document: object): number {
    const indexOf = (at: number) => this.#items[at]?.file?.index ?? 0
    this.#order ??= this.#ofFile.toSorted((a, b) => indexOf(a) - indexOf(b))
    for (let at = this.#before.size; !this.#before.has(document) && at < this.#order.length; at++) {
      const [previous = -1, next = -1] = [this.#order[at - 1], this.#order[at]]
      const above = this.#items[previous]
      if (above !== undefined) this.#lines += above.linesInFile + 1
      this.#before.set(this.#documents[next], this.#lines)
    }
    return this.#before.get(document) ?? 0
  }
}
