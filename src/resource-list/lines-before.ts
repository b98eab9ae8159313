import { groupBy } from '../group-by.ts'
import type { FileRef } from '../result.ts'
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
  readonly file: FileRef
  readonly packagePath: string | undefined
}

/** The documents of each file. Only where somebody asks are lines counted: most files have no findings. */
class Files {
  readonly #documents: ReadonlyMap<ObjectText, Document>
  /** By the path in their package. */
  readonly #paths: ReadonlyMap<string, readonly Document[]>
  readonly #counted = new Map<ObjectText, number>()

  constructor(texts: readonly ObjectText[], items: readonly KrmObject[]) {
    const documents = texts.flatMap((text, at) => documentOf(text, items[at]))
    this.#documents = new Map(documents.map((document) => [document.text, document]))
    this.#paths = groupBy(documents, ({ file }) => file.path)
  }

  linesBefore(text: ObjectText): number {
    const document = this.#documents.get(text)
    if (document !== undefined && !this.#counted.has(text)) this.#count(document)
    return this.#counted.get(text) ?? 0
  }

  #count({ file, packagePath }: Document): void {
    const beside = this.#paths.get(file.path)?.filter((other) => other.packagePath === packagePath) ?? []
    let before = 0
    for (const { text } of beside.toSorted((a, b) => a.file.index - b.file.index)) {
      this.#counted.set(text, before)
      before += text.linesInFile() + 1
    }
  }
}

function documentOf(text: ObjectText, item: KrmObject | undefined): Document[] {
  const file = item?.file
  return file === undefined ? [] : [{ text, file, packagePath: item?.packagePath }]
}
