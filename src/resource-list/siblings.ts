import { groupBy } from '../group-by.ts'
import type { FileRef } from '../result.ts'
import { countLines } from '../yaml/read/lines.ts'
import type { Cut } from './cut.ts'
import type { KrmObject } from './krm-object.ts'
import type { ObjectText, Siblings } from './object-text.ts'
import { FullReads, RecentTexts, UsualStarts } from './text-caches.ts'

/**
 * Returns the data that the items of a list share, with the number of lines before each item. In the list, all lines before the item
 * count. In its file, the lines of the documents with smaller indexes count, and one `---` line for each. Comments apart from all
 * objects never reach a function, so positions in a file with some are a few lines off.
 */
export function siblingsOf(texts: readonly ObjectText[], items: readonly KrmObject[], { pieces, slices }: Cut): Siblings {
  let files: Files | undefined
  return {
    ...documentSiblings(),
    linesBefore: (text) => {
      files ??= new Files(texts, items)
      return files.linesBefore(text)
    },
    linesAbove: (text) => {
      const beforeItems = pieces.slice(0, pieces.findIndex(({ key }) => key === 'items') + 1).map((piece) => piece.text)
      return [...beforeItems, ...slices.slice(0, texts.indexOf(text))].reduce((sum, part) => sum + countLines(part), 0)
    },
  }
}

/** Returns the shared data of documents, which know their own lines. */
export function documentSiblings(): Siblings {
  return { recent: new RecentTexts(), starts: new UsualStarts(), fullReads: new FullReads(), linesBefore: () => 0, linesAbove: () => 0 }
}

interface Document {
  readonly text: ObjectText
  readonly item: KrmObject
  readonly file: FileRef
}

/** The documents of each file. Lines are counted only up to the document that is asked for, because most files have no findings. */
class Files {
  readonly #counts = new Map<ObjectText, FileCount>()

  constructor(texts: readonly ObjectText[], items: readonly KrmObject[]) {
    const documents = texts.flatMap((text, at) => documentOf(text, items[at]))
    for (const samePath of groupBy(documents, ({ file }) => file.path).values()) {
      for (const ofFile of groupBy(samePath, ({ item }) => item.packagePath).values()) this.#add(ofFile)
    }
  }

  linesBefore(text: ObjectText): number {
    return this.#counts.get(text)?.before(text) ?? 0
  }

  #add(documents: readonly Document[]): void {
    const count = new FileCount(documents)
    for (const { text } of documents) this.#counts.set(text, count)
  }
}

/** The number of lines before each document of one file, counted on demand. */
class FileCount {
  readonly #documents: readonly Document[]
  readonly #before = new Map<ObjectText, number>()
  #lines = 0

  constructor(documents: readonly Document[]) {
    this.#documents = documents.toSorted((a, b) => a.file.index - b.file.index)
  }

  before(text: ObjectText): number {
    for (let at = this.#before.size; !this.#before.has(text) && at < this.#documents.length; at++) this.#count(at)
    return this.#before.get(text) ?? 0
  }

  #count(at: number): void {
    const [previous, document] = [this.#documents[at - 1], this.#documents[at]]
    if (previous !== undefined) this.#lines += previous.item.linesInFile + 1
    if (document !== undefined) this.#before.set(document.text, this.#lines)
  }
}

function documentOf(text: ObjectText, item: KrmObject | undefined): Document[] {
  const file = item?.file
  return item === undefined || file === undefined ? [] : [{ text, item, file }]
}
