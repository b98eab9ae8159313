import { groupBy } from '../group-by.ts'
import type { KrmObject } from './krm-object.ts'
import type { ObjectText } from './object-text.ts'

/**
 * Tells each item how many lines of its file stand before it: those of the documents with smaller indexes, and a `---` for
 * each. Comments that stand apart from all objects never reach a function, so a file that has some is a few lines off.
 */
export function linesBeforeEach(texts: readonly ObjectText[], items: readonly KrmObject[]): void {
  let files: Files | undefined
  const linesBefore = (text: ObjectText): number => {
    files ??= new Files(texts, items)
    return files.linesBefore(text)
  }
  for (const text of texts) text.linesBefore = linesBefore
}

interface Document {
  readonly text: ObjectText
  readonly index: number
  readonly key: string
}

/** The documents of each file. Only where somebody asks are lines counted: most files have no findings. */
class Files {
  readonly #files: ReadonlyMap<string, readonly Document[]>
  readonly #keys: ReadonlyMap<ObjectText, string>
  readonly #counted = new Map<ObjectText, number>()

  constructor(texts: readonly ObjectText[], items: readonly KrmObject[]) {
    const documents = texts.flatMap((text, at) => documentOf(text, items[at]))
    this.#files = groupBy(documents, ({ key }) => key)
    this.#keys = new Map(documents.map(({ text, key }) => [text, key]))
  }

  linesBefore(text: ObjectText): number {
    const known = this.#counted.get(text)
    if (known !== undefined) return known
    this.#count(this.#files.get(this.#keys.get(text) ?? '') ?? [])
    return this.#counted.get(text) ?? 0
  }

  #count(documents: readonly Document[]): void {
    let before = 0
    for (const { text } of documents.toSorted((a, b) => a.index - b.index)) {
      this.#counted.set(text, before)
      before += text.linesInFile() + 1
    }
  }
}

function documentOf(text: ObjectText, item: KrmObject | undefined): Document[] {
  const file = item?.file
  return file === undefined ? [] : [{ text, index: file.index, key: `${item?.packagePath ?? ''}\n${file.path}` }]
}
